"""Answers of real servers that are no replies, as their users quote them in public threads, each
with its cause. Where a thread quotes the message alone, the body around it is the server's usual
one. The name of a model that plays no part is another one.
"""

from __future__ import annotations

from typing import NamedTuple

from hometown.model.failure_causes import Cause


class Recorded(NamedTuple):
    """An answer: the server, with its version if the thread names it, the HTTP status, the body,
    its cause, and the public thread that quotes it.
    """

    server: str
    status: int
    body: str
    cause: Cause
    thread: str


RECORDED = (
    Recorded(
        "Ollama",
        500,
        '{"error":"model requires more system memory (7.5 GiB) than is available (5.2 GiB)"}',
        Cause.MEMORY,
        "continuedev/continue#12795",
    ),
    Recorded(
        "Ollama",
        500,
        '{"error":"llama runner process has terminated: CUDA error: out of memory"}',
        Cause.MEMORY,
        "ollama/ollama#9782",
    ),
    Recorded(
        "Ollama 0.32.1",
        500,
        '{"error":"prediction aborted, token repeat limit reached"}',
        Cause.REPLY,
        "ollama/ollama#18374",
    ),
    Recorded(
        "Ollama 0.4.0",
        404,
        '{"error":"model \\"llama3\\" not found, try pulling it first"}',
        Cause.NO_MODEL,
        "ollama/ollama#7549",
    ),
    Recorded(
        "Ollama 0.11.10",
        400,
        '{"error":"\\"embeddinggemma\\" does not support generate"}',
        Cause.NO_CHAT,
        "ollama/ollama#12182",
    ),
    Recorded(
        "Ollama 0.4.0",
        400,
        '{"error":"json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}',
        Cause.NO_SCHEMA,
        "ollama/ollama-python#428",
    ),
    Recorded(
        "Ollama",
        404,
        "404 page not found",
        Cause.ENDPOINT,
        "logancyang/obsidian-copilot#805",
    ),
    Recorded(
        "llama.cpp",
        500,
        '{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context siz'
        'e or enable context shift","type":"exceed_context_size_error","n_prompt_tokens":1407,"n_ctx":256}}',
        Cause.LENGTH,
        "ggml-org/llama.cpp#15780",
    ),
    Recorded(
        "llama.cpp b8064",
        400,
        '{"error":{"code":400,"message":"request (4390 tokens) exceeds the available context size (4096 tokens), try in'
        'creasing it","type":"exceed_context_size_error"}}',
        Cause.LENGTH,
        "ggml-org/llama.cpp#19774",
    ),
    Recorded(
        "llama.cpp b8064",
        500,
        '{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}',
        Cause.LENGTH,
        "ggml-org/llama.cpp#19774",
    ),
    Recorded(
        "llama.cpp",
        503,
        '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
        Cause.MOMENT,
        "mostlygeek/llama-swap#146",
    ),
    Recorded(
        "vLLM",
        400,
        '{"object":"error","message":"This model\'s maximum context length is 16384 tokens. However, you requested 12294'
        '6 tokens (112946 in the messages, 10000 in the completion).","type":"BadRequestError","param":null,"code":400}',
        Cause.LENGTH,
        "vllm-project/vllm#20409",
    ),
    Recorded(
        "vLLM",
        400,
        '{"object":"error","message":"max_tokens must be at least 1, got -186.","type":"BadRequestError","param":null,"'
        'code":400}',
        Cause.LENGTH,
        "vllm-project/vllm#4667",
    ),
    Recorded(
        "vLLM",
        404,
        '{"object":"error","message":"The model `Qwen1.5-14B-Chat-GPTQ-Int8` does not exist.","type":"NotFoundError","p'
        'aram":null,"code":404}',
        Cause.NO_MODEL,
        "vllm-project/vllm#3485",
    ),
    Recorded(
        "vLLM 0.4.3",
        404,
        '{"detail":"Not Found"}',
        Cause.ENDPOINT,
        "vllm-project/vllm#5082",
    ),
    Recorded(
        "LM Studio",
        404,
        '{"error":{"message":"No models loaded. Please load a model in the developer page or use the `lms load` command'
        '.","type":"invalid_request_error","param":"model","code":"model_not_found"}}',
        Cause.UNLOADED,
        "canopyai/Orpheus-TTS#229",
    ),
    Recorded(
        "LM Studio",
        400,
        '{"error":{"message":"No models loaded. Please load a model ...","type":"invalid_request_error","param":"model"'
        "}}",
        Cause.UNLOADED,
        "tinyhumansai/openhuman#4181",
    ),
    Recorded(
        "LM Studio",
        400,
        '{"error":"Trying to keep the first 14538 tokens when context the overflows. However, the model is loaded with '
        "context length of only 2048 tokens, which is not enough. Try to load the model with a larger context length, o"
        'r provide a shorter input"}',
        Cause.LENGTH,
        "dyad-sh/dyad#925",
    ),
    Recorded(
        "LM Studio 0.3.30",
        400,
        '{"error":"Model loading was stopped due to insufficient system resources. Under the current settings, this mod'
        "el requires approximately 273.25 GB of memory, and continuing to load it would likely overload your system and"
        ' cause it to freeze."}',
        Cause.MEMORY,
        "lmstudio-ai/lmstudio-bug-tracker#1202",
    ),
    Recorded(
        "LM Studio 0.3.14",
        200,
        '{"error":"Unexpected endpoint or method. (POST /chat/completions)"}',
        Cause.ENDPOINT,
        "lmstudio-ai/lmstudio-bug-tracker#618",
    ),
    Recorded(
        "LiteLLM",
        429,
        '{"error":{"message":"No deployments available for selected model, Try again in 60 seconds. Passed model=qwen3'
        '-8b.","type":"None","param":"None","code":429}}',
        Cause.MOMENT,
        "BerriAI/litellm#5177",
    ),
    Recorded(
        "LiteLLM",
        429,
        '{"error":{"message":"litellm.RateLimitError: BedrockException - Too many tokens, please wait before trying aga'
        'in.","type":"None","param":"None","code":"429"}}',
        Cause.MOMENT,
        "Aider-AI/aider#4143",
    ),
    Recorded(
        "LiteLLM",
        401,
        '{"error":{"message":"Authentication Error, Only master key can be used to generate, delete, update info for ne'
        'w keys/users/teams.","type":"auth_error","param":"None","code":401}}',
        Cause.KEY,
        "BerriAI/litellm#3372",
    ),
)
