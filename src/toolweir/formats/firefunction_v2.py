"""FireFunction v2: the word functools and an array of objects. Source: the chat template of FireFunction v2."""

from .spec import Format, Opener

FORMAT = Format(
    name="firefunction_v2",
    openers=(Opener("functools", "json_object", weak=True),),
    aliases=("firefunction",),
    models=("FireFunction v2",),
    end_of_turn=("<|eot_id|>",),
    special_tokens=("<|eot_id|>",),
    server_names={"llama.cpp": ("FireFunction v2",)},
    evidence=(("functools", "<|start_header_id|>"),),
    example='functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    summary="The word functools and an array of objects with `name` and `arguments`.",
)
