"""FunctionGemma: `call:name{key:value}` between <start_function_call> and <end_function_call>, strings in <escape>.

Source: the model card of FunctionGemma.
"""

from .spec import Format, Opener

CLOSER = "<end_function_call>"
STRING = "<escape>"

FORMAT = Format(
    name="functiongemma",
    openers=(
        Opener(
            "<start_function_call>",
            "literals",
            closers=(CLOSER,),
            options={
                "braces": True,
                "lead": "call:",
                "delimiter": STRING,
                "delimiter_text": STRING,
                "block_end": CLOSER,
            },
        ),
    ),
    aliases=("function_gemma",),
    models=("FunctionGemma 270M",),
    end_of_turn=("<end_of_turn>", "<start_function_response>", "<eos>"),
    special_tokens=(
        "<start_function_call>",
        CLOSER,
        STRING,
        "<end_of_turn>",
        "<start_function_response>",
        "<eos>",
    ),
    keep_special_tokens=True,
    server_names={"vllm": ("functiongemma",), "ollama": ("functiongemma",)},
    example="<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>",
    summary="call:name{key:value} between function call tokens, strings between <escape> tokens.",
)
