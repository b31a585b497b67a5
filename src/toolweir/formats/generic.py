"""llama.cpp's generic format: a bare object that holds one call or a list of them.

Source: what llama.cpp asks of models whose template knows no tools. An object with `response` is text as it stands.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="generic",
    openers=(
        Opener(
            "",
            "json_object",
            options={"nested_keys": ("tool_call", "function"), "list_keys": ("tool_calls",)},
        ),
    ),
    models=("models without native tools",),
    server_names={"llama.cpp": ("Generic",)},
    example='{"tool_call": {"name": "get_weather", "arguments": {"city": "Oslo"}}}',
    summary="A bare object with `tool_call` or `tool_calls` at the start of the turn.",
)
