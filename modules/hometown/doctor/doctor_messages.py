"""The messages of the doctor, which checks whether a run would work here."""

from __future__ import annotations

from hometown.model.question import QUESTIONS
from hometown.model.ways import FORM_WORDS, THINKING_WORDS
from hometown.text import N_, pgettext

DOCTOR_MESSAGES = {
    "colon": N_(": "),
    "name_python": N_("Python"),
    "name_packages": N_("packages"),
    "name_disk": N_("disk"),
    "name_gpu": N_("GPU"),
    "name_embedding": pgettext("of a run", "embedding"),
    "name_server": N_("model server"),
    "name_model": N_("model"),
    "name_context": N_("context"),
    "name_structured": N_("structured output"),
    "name_thinking": N_("thinking off"),
    "name_language_en": N_("English"),
    "name_language_zh": N_("Chinese"),
    "name_speed": N_("speed"),
    "name_slots": N_("requests at once"),
    "name_loaded": N_("GPU memory"),
    "name_scripted": N_("without a model"),
    "newer_python": N_("install Python 3.11 or newer"),
    "all_there": N_("all installed"),
    "install": N_("pip install -e ."),
    "free": N_("{gigabytes} GB free"),
    "make_room": N_("free some space: a long run needs about 1 GB"),
    "no_gpu": N_(
        "none detected (nvidia-smi not found); a GPU of another make or on another "
        "machine works as well"
    ),
    "embedding": N_("{name}, {dimension} dimensions, {rate} texts a second"),
    "embedding_of_words": N_(
        "it compares words, not meanings, so residents find few of their memories"
    ),
    "embedding_foreign": N_(
        "it does not know the town's language, so residents find few of their memories"
    ),
    "fetch_embedding": N_("fetch one that compares meanings: {command}"),
    "other_embedding": N_("choose another one: --embedding hash has no requirements"),
    "server": N_("{where} responds {version}"),
    "no_server": N_("no response from {where} ({error})"),
    "start_ollama": N_(
        "start it with: ollama serve (if it is on another machine, set OLLAMA_HOST or "
        "machine.ollama_hosts)"
    ),
    "start_openai": N_(
        "start the server, and set its address: OPENAI_BASE_URL or machine.openai_base_url"
    ),
    "start_other": N_("check the packages and the settings of the backend"),
    "no_model": N_("{model} is not installed there; available: {others}"),
    "get_ollama": N_("ollama pull {model}"),
    "get_openai": N_("name a model that the server has: --llm openai:MODEL"),
    "context": N_("supports {has} tokens, the run needs {wanted}"),
    "longer_context_ollama": N_(
        "a town needs at least {least} tokens: use a model with a longer context,"
        " such as those in docs/models.md"
    ),
    "longer_context_openai": N_(
        "a town needs at least {least} tokens: start the server with a longer context"
        " (vLLM: --max-model-len, llama.cpp: --ctx-size, LM Studio: the model's settings),"
        " or use another model"
    ),
    "longer_context_other": N_(
        "a town needs at least {least} tokens: use a model with a longer context;"
        " llm.num_ctx must not be less"
    ),
    "refused": N_("the server refuses the request"),
    "ask_plain": N_("Say hello in plain words, without any JSON."),
    "ask_en": QUESTIONS["en"],
    "ask_zh": QUESTIONS["zh"],
    "structured": N_("replies follow the schema"),
    "unstructured": N_("a reply did not follow the schema ({error})"),
    "need_structure": N_("update the server, or use another model: docs/models.md recommends some"),
    "answers_directly": N_("it answers without thinking first"),
    "thinks": N_("it thinks before it answers, which takes several times as long"),
    "turn_thinking_off": N_("use a variant without thinking (-instruct), or update the server"),
    "other_language": N_("use a model that speaks it: see docs/models.md"),
    "rate": N_("{count} at once: {reading} tokens/s read, {writing} written"),
    "smaller": N_("use a smaller model, or one that fits into the GPU's memory"),
    "no_time": N_("no answer within {seconds} s"),
    "slots_ollama": N_(
        "{slots} works best: set OLLAMA_NUM_PARALLEL={slots} for the server and "
        "machine.slots {slots} here"
    ),
    "slots_other": N_("{slots} works best: set machine.slots to {slots}"),
    "serial_ollama": N_(
        "more requests at once are no faster; if the server is limited to one, restart "
        "it with OLLAMA_NUM_PARALLEL=4 and check again"
    ),
    "serial_openai": N_(
        "more requests at once are no faster; if the server is limited to one, raise "
        "its limit (llama.cpp: --parallel 4)"
    ),
    "serial_other": N_("more requests at once are no faster"),
    "start_huggingface": N_(
        "name a folder with config.json and the weights, or a model in the local "
        "cache; if packages are missing: {command}"
    ),
    "serial_huggingface": N_(
        "more requests at once are no faster; a GPU or a model server would be (docs/models.md)"
    ),
    "loading": N_("loading {model} …"),
    "loaded": N_("{share} of the model is in GPU memory"),
    "too_big": N_(
        "use a smaller model or quantisation, a smaller llm.num_ctx, or a smaller "
        "OLLAMA_NUM_PARALLEL"
    ),
    "unknown": N_("there is no model {model}"),
    "known": N_("--llm auto, scripted, or BACKEND:MODEL with one of the backends {backends}"),
    "scripted": N_(
        "a run works without one, too: scripted (no language model), with rules in its place"
    ),
    "estimate": N_("a game day of this world: about {calls}, {tokens}, {hours}"),
    "hours": N_("{hours} hours"),
    "unmeasured": N_("duration not measured"),
    "works": N_("A run on {model} would work."),
    "fails": N_("A run on {model} would not work yet; the lines marked → say what to do."),
    "start_gguf": N_("name a GGUF file that is there: {list} shows some, {get} fetches one"),
    "serial_gguf": N_(
        "more requests at once are no faster, as is usual without a GPU: set "
        "machine.slots to 2, which saves memory"
    ),
    "corrected": N_("{given} is not the address of the API; {where} is, and is used"),
    "set_address": N_("set OPENAI_BASE_URL or machine.openai_base_url to {where}"),
    "no_api_ollama": N_(
        "a server answers there, but it is not Ollama's: set OLLAMA_HOST to Ollama's "
        "address; for any other server, use --llm openai:{model} and set "
        "OPENAI_BASE_URL to its address with /v1"
    ),
    "no_api_openai": N_(
        "a server answers there, but not with an OpenAI-compatible API: set "
        "OPENAI_BASE_URL to the address that its documentation names, which mostly "
        "ends in /v1; for Ollama, use --llm ollama:{model}"
    ),
    "no_api_other": N_("update the server, or use another one"),
    "context_shortened": N_(
        "{has} tokens; llm.num_ctx asks for {wanted}, so prompts are shortened to fit"
    ),
    "only_thinks": N_("the model only reasons, and its answer is missing"),
    "other_answer": N_("a server answers at {where}, but not as expected ({error})"),
    "structured_in": N_("only if it is asked for {form}, with {thinking}, as runs do from now on"),
    **{f"form_{form}": words for form, words in FORM_WORDS.items()},
    **{f"thinking_{thinking}": words for thinking, words in THINKING_WORDS.items()},
}
