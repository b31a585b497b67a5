"""Hermes: a JSON object between <tool_call> tags. Source: the chat templates of Hermes 2 Pro, Qwen2.5, Qwen3."""

from .spec import Format, Opener

FORMAT = Format(
    name="hermes",
    openers=(Opener("<tool_call>", "json_object", closers=("</tool_call>",)),),
    aliases=(
        "qwen25",
        "qwen2_5",
        "qwen2.5",
        "qwq",
        "nous",
        "nous_hermes",
        "hermes2",
        "hermes2_pro",
        "hermes3",
        "qwen3_json",
    ),
    models=("Hermes 2 Pro", "Hermes 3", "Qwen2.5", "QwQ", "Qwen3", "SmolLM3", "MiMo-VL"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>", "<|endoftext|>"),
    special_tokens=("<tool_call>", "</tool_call>", "<think>", "</think>", "<|im_end|>", "<|endoftext|>"),
    server_names={
        "vllm": ("hermes", "qwen3_json"),
        "sglang": ("hermes", "qwen", "qwen25", "trinity"),
        "dynamo": ("hermes", "qwen25"),
        "ollama": ("qwen3", "qwen3-thinking", "qwen3-vl-instruct", "qwen3-vl-thinking"),
        "llama.cpp": ("Hermes 2 Pro",),
    },
    example='<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    summary="A JSON object with `name` and `arguments` between <tool_call> tags, repeated for each call.",
)
