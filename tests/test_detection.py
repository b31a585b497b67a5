"""A format by its chat template, its model's name or a text: evidence, ties, and no guess without any."""

from dataclasses import replace

import pytest

from toolweir import OptionError, UnknownFormatError, detect
from toolweir.detection import evidence_of
from toolweir.formats import registry

HERMES = """{%- for call in message.tool_calls %}{{- '\\n<tool_call>\\n' + call | tojson + '\\n</tool_call>' }}{% endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{% endif %}"""
THINKING = HERMES.replace("assistant\\n", "assistant\\n<think>\\n")
CODER = (
    """<tool_call>\\n<function={{ call.name }}>\\n<parameter={{ key }}>\\n{{ value }}\\n</parameter>\\n</function>"""
)


def test_a_template_tells_by_its_markers():
    found = detect(chat_template=HERMES)
    assert (found.format, found.reasoning, found.source) == ("hermes", "auto", "chat_template")
    assert "<tool_call>" in found.evidence


def test_more_evidence_wins():
    assert detect(chat_template=CODER).format == "qwen3_coder"


def test_a_prompt_that_opens_the_thought_is_told():
    assert detect(chat_template=THINKING).reasoning == "started"


def test_a_name_tells_by_its_longest_part():
    assert detect(model="Qwen/Qwen3-Coder-30B-A3B-Instruct").format == "qwen3_coder"
    assert detect(model="mistralai/Devstral-Small-2507").format == "mistral"


def test_a_text_tells():
    text = "[TOOL_CALLS]f[ARGS]{}"
    assert detect(text=text).format == "mistral"


def test_a_template_without_tools_falls_back_on_the_name():
    found = detect(chat_template="{{ messages }}", model="Qwen2.5-7B-Instruct")
    assert (found.format, found.source) == ("hermes", "model")


def test_no_evidence_is_an_error_that_says_what_was_tried():
    with pytest.raises(UnknownFormatError, match=r"chat template has the markers of no known format.*'no-such-model'"):
        detect(chat_template="{{ messages }}", model="no-such-model")


def test_equal_evidence_lists_the_candidates(monkeypatch):
    twins = {name: replace(registry()["hermes"], name=name) for name in ("first", "second")}
    monkeypatch.setattr("toolweir.detection.registry", lambda: twins)
    with pytest.raises(UnknownFormatError, match="fits first and second equally well"):
        detect(chat_template=HERMES)


def test_nothing_given_is_a_mistake_of_the_caller():
    with pytest.raises(OptionError, match="expected a chat_template, a model or a text"):
        detect()


@pytest.mark.parametrize("name", [name for name in registry() if evidence_of(registry()[name])])
def test_each_set_of_evidence_finds_its_format(name: str):
    for texts in evidence_of(registry()[name]):
        assert detect(chat_template=" ".join(texts)).format == name
