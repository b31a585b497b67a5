"""Gemma 4: `call:name{key:value}` between <|tool_call> and <tool_call|>, strings between <|"|> tokens.

Source: the chat templates of Gemma 4. A thought stands in a channel of its own. A string token inside a string, which
the grammar cannot go on from, stands for the quote that the model meant.
"""

from .spec import Format, Opener

CLOSER = "<tool_call|>"
STRING = '<|"|>'

FORMAT = Format(
    name="gemma4",
    openers=(
        Opener(
            "<|tool_call>",
            "literals",
            closers=(CLOSER,),
            options={
                "braces": True,
                "lead": "call:",
                "delimiter": STRING,
                "delimiter_text": '"',
                "block_end": CLOSER,
            },
        ),
    ),
    aliases=("gemma_4",),
    models=("Gemma 4", "DiffusionGemma"),
    reasoning=(("<|channel>thought\n", "<channel|>"),),
    markup=("<|think|>",),
    end_of_turn=("<turn|>", "<|tool_response>", "<eos>"),
    special_tokens=(
        "<|tool_call>",
        CLOSER,
        STRING,
        "<|channel>",
        "<channel|>",
        "<|think|>",
        "<turn|>",
        "<|tool_response>",
        "<eos>",
    ),
    keep_special_tokens=True,
    server_names={
        "vllm": ("gemma4",),
        "sglang": ("gemma4",),
        "dynamo": ("gemma4", "gemma-4"),
        "ollama": ("gemma4", "gemma4-no-thinking"),
        "llama.cpp": ("Gemma4",),
    },
    example='<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>}<tool_call|>',
    summary='call:name{key:value} between tool call tokens, strings between <|"|> tokens.',
)
