"""Apertus: an array of objects whose only key is the name. Source: the chat template of Apertus 2509."""

from .spec import Format, Opener

FORMAT = Format(
    name="apertus",
    openers=(Opener("<|tools_prefix|>", "json_object", closers=("<|tools_suffix|>",), options={"keyed": True}),),
    aliases=("apertus2509",),
    models=("Apertus 8B", "Apertus 70B"),
    reasoning=(("<|inner_prefix|>", "<|inner_suffix|>"),),
    end_of_turn=("<|assistant_end|>",),
    special_tokens=(
        "<|tools_prefix|>",
        "<|tools_suffix|>",
        "<|inner_prefix|>",
        "<|inner_suffix|>",
        "<|assistant_end|>",
    ),
    keep_special_tokens=True,
    server_names={"vllm": ("apertus",), "sglang": ("apertus2509",), "llama.cpp": ("Apertus",)},
    example='<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>',
    summary="An array between <|tools_prefix|> and <|tools_suffix|>; each object's key is the name of a tool.",
)
