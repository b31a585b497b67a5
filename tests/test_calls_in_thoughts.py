"""Where a call ends a thought, and where it is only a draft: each format's own default, by what its models do."""

import pytest

import toolweir

TOOLS = [{"name": "get_weather"}]

ENDS_THE_THOUGHT = {
    "deepseek_v3", "deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41", "dots", "glm47", "harmony", "hy_v3",
    "iquest", "kimi_k2", "kimi_k3", "ling3", "mimo", "minicpm5", "minimax_m2", "minimax_m3", "muse_glimmer",
    "qwen3_coder", "seed_oss", "step3",
}  # fmt: skip
THINKING = [format for format in toolweir.formats() if toolweir.format_info(format).reasoning_markers]


@pytest.mark.parametrize("format", THINKING)
def test_a_declared_call_inside_a_thought(format):
    info = toolweir.format_info(format)
    text = info.reasoning_markers[0][0] + "Hm. " + info.example
    message = toolweir.parse(text, format, tools=TOOLS)
    assert [call.name for call in message.tool_calls] == ["get_weather"] * (format in ENDS_THE_THOUGHT)
    assert message.reasoning.startswith("Hm. ")


@pytest.mark.parametrize("format", [format for format in THINKING if format != "harmony"])  # its headers end messages
def test_a_call_that_nobody_declared_stays_in_the_thought(format):
    info = toolweir.format_info(format)
    text = info.reasoning_markers[0][0] + "Hm. " + info.example
    message = toolweir.parse(text, format, tools=[{"name": "other"}])
    assert message.tool_calls == []
