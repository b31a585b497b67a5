"""Functionary v3.1: a tag that holds the name, around JSON. Source: the chat template of Functionary medium v3.1."""

from .spec import Format, Opener

FORMAT = Format(
    name="functionary_v31",
    openers=(
        Opener(
            "<function=",
            "header_json",
            closers=("</function>",),
            options={"separators": ((">", "arguments"),), "tail": "</function>", "one_tag": True},
        ),
    ),
    aliases=("functionary_v3_1", "functionary_v3.1"),
    models=("Functionary v3.1",),
    end_of_turn=("<|eom_id|>", "<|eot_id|>"),
    special_tokens=("<|eom_id|>", "<|eot_id|>"),
    server_names={"llama.cpp": ("Functionary v3.1",)},
    evidence=(("<function=", "</function>", "<|python_tag|>"),),
    example='<function=get_weather>{"city": "Oslo"}</function>',
    summary="A tag that holds the name, then the arguments as JSON.",
)
