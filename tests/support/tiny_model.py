"""A language model of random weights with a tokenizer and a chat template, small enough to be made
by a test.
"""

from __future__ import annotations

from pathlib import Path

from hometown.model.embedding_huggingface import quiet_and_offline
from tests.support.conformance import REQUESTS

CHATML = (
    "{% for message in messages %}<|start|>{{ message.role }}\n{{ message.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def make_tiny_model(folder: Path, template: str | None = CHATML, context: int = 8192) -> Path:
    """Writes the files of a Llama, as `huggingface:FOLDER` takes it."""
    quiet_and_offline()
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|start|>"]
    trainer = trainers.BpeTrainer(
        vocab_size=1500,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    words.train_from_iterator(
        (message.content for asked in REQUESTS.values() for message in asked.messages), trainer
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words,
        eos_token="<|end|>",
        pad_token="<|end|>",
        additional_special_tokens=["<|start|>"],
    )
    tokenizer.chat_template = template
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=1536,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        eos_token_id=0,
        bos_token_id=None,
        pad_token_id=0,
        tie_word_embeddings=False,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
