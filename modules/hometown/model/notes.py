"""Notes to the user about models: the reasons for a choice, loading, waiting."""

from __future__ import annotations

from hometown.text import N_

MODEL_NOTES = {
    "reason_auto_ready": N_("ollama:{model}: Ollama answers and has it"),
    "reason_auto_missing": N_(
        "scripted (no language model): Ollama answers, but has no {model}; get it "
        "with: ollama pull {model}"
    ),
    "reason_auto_unreachable": N_(
        "scripted (no language model): no Ollama answers; to use one: ollama serve, "
        "and ollama pull {model}"
    ),
    "reason_asked": N_("{model}, as asked"),
    "reason_routed": N_("{reason}; other models: {others}"),
    "waiting": N_("{error}; asking again until it answers, for {left} s at most"),
    "reason_scripted": N_("scripted (no language model), as asked"),
    "embedding_auto_e5": N_("e5, which is installed and knows English and Chinese"),
    "embedding_auto_huggingface": N_(
        "{embedding}, which HuggingFace's cache holds and which knows English"
    ),
    "embedding_auto_ollama": N_("{embedding}, which Ollama has and which knows English"),
    "embedding_auto_hash": N_(
        "⚠ hash, which compares words, not meanings, so residents find few of their "
        "memories; fetch one that compares meanings: {command}"
    ),
    "embedding_auto_scripted": N_("hash, as always with the scripted model"),
    "foreign_embedding": N_(
        "{embedding} was made for Chinese and knows little English, so memories will "
        "be found badly; --embedding e5 knows both languages"
    ),
    "reason_auto_gguf_missing": N_(
        "{file}: Ollama answers, but has no {model}, and the settings name this file (machine.gguf)"
    ),
    "reason_auto_gguf_unreachable": N_(
        "{file}: no Ollama answers, and the settings name this file (machine.gguf)"
    ),
    "llama_loading": N_("{name} ({size} GB) is loading …"),
    "llama_loaded": N_("{name} has loaded, in {seconds} s"),
    "call_failed": N_(
        "{error}; it answers other requests, so this one ({kind}) is given up: the "
        "prompt's fallback is used"
    ),
    "probe": N_('Reply with {"ok": true} and nothing else.'),
    "shards_lost": N_("A shard was lost; step {step} begins again from what was saved last."),
}
