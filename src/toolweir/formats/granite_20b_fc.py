"""Granite 20B function calling: an object behind <function_call>.

Source: the model card of granite-20b-functioncalling.
"""

from .spec import Format, Opener

FORMAT = Format(
    name="granite_20b_fc",
    openers=(Opener("<function_call>", "json_object", closers=("</function_call>",)),),
    aliases=("granite_20b_functioncalling",),
    models=("Granite 20B function calling",),
    end_of_turn=("<|endoftext|>",),
    special_tokens=("<|endoftext|>",),
    server_names={"vllm": ("granite-20b-fc",)},
    example='<function_call> {"name": "get_weather", "arguments": {"city": "Oslo"}}',
    summary="An object with `name` and `arguments` behind <function_call>, repeated for each call.",
)
