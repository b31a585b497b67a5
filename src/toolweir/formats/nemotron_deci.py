"""Nemotron (Llama-based and Nano v2): an array between <TOOLCALL> tags. Source: their chat templates."""

from .spec import Format, Opener

FORMAT = Format(
    name="nemotron_deci",
    openers=(Opener("<TOOLCALL>", "json_object", closers=("</TOOLCALL>",)),),
    aliases=("nemotron_v2", "nemotron_nano_v2", "llama_nemotron"),
    models=("Llama Nemotron Nano", "Llama Nemotron Super", "Llama Nemotron Ultra", "Nemotron Nano v2"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<SPECIAL_12>", "<|eot_id|>"),
    special_tokens=("<SPECIAL_12>", "<|eot_id|>"),
    server_names={"dynamo": ("nemotron_deci",), "llama.cpp": ("Nemotron V2",)},
    example='<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]</TOOLCALL>',
    summary="An array of objects with `name` and `arguments` between <TOOLCALL> tags.",
)
