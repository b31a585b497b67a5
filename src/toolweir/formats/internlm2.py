"""InternLM 2.5 and Intern-S1: an object behind the plugin tag. Source: the chat template of InternLM 2.5."""

from .spec import Format, Opener

FORMAT = Format(
    name="internlm2",
    openers=(Opener("<|plugin|>", "json_object", closers=("<|action_start|>", "<|action_end|>")),),
    aliases=("internlm", "internlm2_5", "internlm2.5", "internlm3", "interns1"),
    models=("InternLM 2.5", "InternLM 3", "Intern-S1"),
    reasoning=(("<think>", "</think>"),),
    end_of_turn=("<|im_end|>",),
    special_tokens=("<|action_start|>", "<|action_end|>", "<|plugin|>", "<|im_end|>"),
    keep_special_tokens=True,
    server_names={"vllm": ("internlm",), "sglang": ("interns1",)},
    example='<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>',
    summary="An object with `name` and `parameters` behind <|action_start|><|plugin|>.",
)
