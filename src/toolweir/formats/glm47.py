"""GLM: a bare name, then keys and values in tags of their own.

Source: the chat templates of GLM-4.6, GLM-4.7 and GLM-5, and those of Spark 2.5 and Laguna, which took the grammar
over. GLM-4.5 and 4.6 write each tag on a line of its own; whitespace between tags says nothing, so they need no
format apart.
"""

from typing import Any

from .spec import Format, Opener

__all__ = ["FORMAT", "pair_tags"]


def pair_tags(opener: str, closer: str, *, arg: str = "arg", suffix: str = "", **options: Any) -> Opener:
    """The opener of this grammar: a name and <arg_key>, <arg_value> pairs between `opener` and `closer`."""
    key, value = f"{arg}_key{suffix}", f"{arg}_value{suffix}"
    grammar: dict[str, Any] = {
        "wrapped": False,
        "function": "",
        "function_end": "",
        "parameter": f"<{key}>",
        "key_end": f"</{key}>",
        "value_opener": f"<{value}>",
        "parameter_end": f"</{value}>",
        "wrapper_ends": (closer,),
        "value_whitespace": "keep",
        "prefer": "glm",
        "integers": "plain",
        "guided_tags": (f"<{key}>", f"</{key}>", f"<{value}>", f"</{value}>"),
        **options,
    }
    return Opener(opener, "tagged", closers=(closer,), options=grammar)


FORMAT = Format(
    name="glm47",
    openers=(pair_tags("<tool_call>", "</tool_call>"),),
    aliases=(
        *("glm", "glm45", "glm4.5", "glm_4.5", "glm46", "glm4.6", "glm_4.6", "glm4.7", "glm_4.7", "glm5", "glm_5"),
        *("glm4_moe", "glm45_moe", "glm47_moe", "spark25", "spark2.5", "poolside", "poolside_v1", "laguna"),
    ),
    models=("GLM-4.5", "GLM-4.6", "GLM-4.7", "GLM-5", "Spark 2.5", "Laguna"),
    reasoning=(("<think>", "</think>"),),
    markup=("<|assistant|>", "<|Bot|>", "<｜start▁of▁sentence｜>"),
    end_of_turn=("<|user|>", "<|observation|>", "<|endoftext|>", "<｜end▁of▁sentence｜>", "</assistant>"),
    special_tokens=(
        *("<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
        *("<think>", "</think>", "<|assistant|>", "<|user|>", "<|observation|>", "<|endoftext|>"),
    ),
    calls_in_reasoning=True,
    server_names={
        "vllm": ("glm45", "glm47", "poolside_v1"),
        "sglang": ("glm", "glm45", "glm47", "spark25", "poolside_v1", "glm45_moe", "glm47_moe"),
        "dynamo": ("glm47",),
        "ollama": ("glm-4.7", "glm-ocr", "laguna", "poolside-v1"),
        "llama.cpp": ("GLM 4.5",),
        "mlxcel": ("glm47",),
    },
    example="<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
    summary="A bare name, then <arg_key> and <arg_value> tags around bare values, in <tool_call> tags.",
)
