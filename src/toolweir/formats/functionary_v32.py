"""Functionary v3.2: a line with the name, then JSON; text stands under the name `all`.

Source: the chat template of Functionary medium v3.2. The prompt ends with >>>, so that a turn begins with a
name.
"""

from .spec import Format, Opener

OPTIONS = {"bare_body": True, "text_names": ("all",)}

FORMAT = Format(
    name="functionary_v32",
    openers=(
        Opener(">>>", "header_json", options=OPTIONS, weak=True),
        Opener("", "header_json", options=OPTIONS),
    ),
    aliases=("functionary_v3_2", "functionary_v3.2"),
    models=("Functionary v3.2",),
    end_of_turn=("<|eot_id|>",),
    special_tokens=("<|eot_id|>",),
    server_names={"llama.cpp": ("Functionary v3.2",)},
    evidence=((">>>", "<|start_header_id|>"),),
    example='>>>all\nI look.>>>get_weather\n{"city": "Oslo"}',
    summary=">>>, the name and a newline, then the arguments as JSON, or text where the name is `all`.",
)
