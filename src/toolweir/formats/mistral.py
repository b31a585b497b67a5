"""Mistral: a header with the name before JSON (v11 and later), or a list of objects (v2 to v7), after [TOOL_CALLS].

Source: the chat templates of Mistral 7B v0.3, Nemo, Small 3.2, Magistral, Devstral and Ministral 3.
"""

from .spec import Format, Opener

CLOSERS = ("[/TOOL_CALLS]",)

FORMAT = Format(
    name="mistral",
    openers=(
        Opener("[TOOL_CALLS]", "json_object", closers=CLOSERS, options={"native_ids": True}),
        Opener(
            "[TOOL_CALLS]",
            "header_json",
            closers=CLOSERS,
            options={
                "separators": (("[ARGS]", "arguments"), ("[CALL_ID]", "id")),
                "bare_body": True,
                "bare_header": True,
                "native_ids": True,
            },
        ),
    ),
    aliases=("mistral_nemo", "mistral_v3", "mistral_v11", "mistral_v13", "magistral", "ministral", "devstral"),
    models=(
        "Mistral 7B v0.3",
        "Mistral Nemo",
        "Mistral Small 3",
        "Mistral Large 2",
        "Magistral",
        "Devstral",
        "Ministral 3",
    ),
    reasoning=(("[THINK]", "[/THINK]"), ("<think>", "</think>")),
    end_of_turn=("</s>",),
    special_tokens=("[TOOL_CALLS]", "[/TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "[THINK]", "[/THINK]", "</s>"),
    keep_special_tokens=True,
    server_names={
        "vllm": ("mistral",),
        "sglang": ("mistral",),
        "dynamo": ("mistral",),
        "ollama": ("ministral",),
        "llama.cpp": ("Mistral Nemo", "Magistral"),
    },
    example='[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}',
    summary="[TOOL_CALLS], the name, [ARGS] and the arguments; or [TOOL_CALLS] and a JSON array of calls.",
)
