"""ATEM: invoke tags in a namespace. Source: the chat template of Muse Glimmer, whose tool messages hold them."""

from .minimax_m2 import invoke_tags
from .spec import Format

FORMAT = Format(
    name="atem",
    openers=invoke_tags("<atem:function_calls>", "</atem:function_calls>", prefix="atem:", value_whitespace="keep"),
    models=("Muse Spark",),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|eom|>", "<|eot|>"),
    special_tokens=("<|eom|>", "<|eot|>"),
    server_names={"mlxcel": ("atem",)},
    evidence=(("<atem:function_calls>",),),
    example=(
        '<atem:function_calls>\n<atem:invoke name="get_weather">\n'
        '<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls>'
    ),
    summary="MiniMax's tags in the namespace atem, in <atem:function_calls> tags.",
)
