"""The second validator: what it confirms, what it refutes, and where it refuses what the grammar allows."""

import logging
import subprocess
import sys
import threading

import pytest

import toolweir
from toolweir import confirm as module
from toolweir.confirm import Verdict, confirm

needs_simdjson = pytest.mark.skipif(module.simdjson_parser() is None, reason="pysimdjson is not installed")


@needs_simdjson
@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"a": [1, -2.5e3, true, false, null, "x\\n\\u00e9\\ud83d\\ude00"]}',
        ' \t\r\n{"a":1}\n',
        '{"a":1,"a":2}',
        '{"a":"\\u0000","\\u0000":"\x7f"}',
        "-0",
        "1e-999",
        "18446744073709551615",
        "-9223372036854775808",
        "[" * 1023 + "1" + "]" * 1023,
        '"日本 é 🙂"',
    ],
)
def test_valid(text):
    assert confirm(text) is Verdict.VALID


# Each is valid JSON by the grammar; simdjson has no room for its value.
REFUSED = {
    "exponent": "1e999",
    "negative exponent": "-1e999",
    "just past a double": "1.8e308",
    "2**64": "18446744073709551616",
    "twenty digits": "99999999999999999999",
    "below -2**63": "-9223372036854775809",
    "sixty digits": "9" * 60,
    "five thousand digits": "9" * 5000,
    "high surrogate": '"\\ud800"',
    "low surrogate": '"\\udc00"',
    "two high surrogates": '"\\ud83d\\ud83d"',
    "high surrogate and text": '"\\ud83dx"',
    "surrogate in a key": '{"\\ud800":1}',
    "1024 containers": "[" * 1024 + "1" + "]" * 1024,
    "5000 containers": '{"a":' * 5000 + "1" + "}" * 5000,
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_valid_json_that_it_refuses_is_never_refuted(text):
    assert confirm(text) is Verdict.UNDECIDED
    assert confirm('{"a":' + text + "}") is Verdict.UNDECIDED


@needs_simdjson
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "{", "{]", "{,}", '{"a":1,}', '{"a":1]', "{}{}", "{} x", "1 2", '"a', "'a'", "NaN", "nul", "[1,]"),
        *('"\x01"', '"\n"', '{"a":"\x00"}', "{}\x0c", "\u00a0{}", "[1e999", '["\\ud800"'),
        *("\ufeff{}", "\ufeff", "\ufeff1e999"),
    ],
)
def test_refuted(text):
    assert confirm(text) is Verdict.REFUTED


@pytest.mark.parametrize("text", ["01", "1.", ".5", "+1", "-", '"\\x"', '"\\u12"'])
def test_mistakes_that_share_an_error_with_valid_json_are_never_confirmed(text):
    assert confirm(text) is not Verdict.VALID


def test_a_lone_surrogate_as_a_character_cannot_be_asked_about():
    assert confirm('"\ud800"') is Verdict.UNDECIDED


@needs_simdjson
def test_threads_do_not_share_a_parser():
    verdicts = []

    def ask():
        for _ in range(200):
            verdicts.append(confirm('{"a":[1,2,{"b":"c"}]}'))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == [Verdict.VALID] * 800


@needs_simdjson
def test_one_parser_is_kept_and_none_that_has_seen_a_large_text():
    confirm("{}")
    (kept,) = module._spare
    assert confirm("{") is Verdict.REFUTED
    assert confirm('"\\ud800"') is Verdict.UNDECIDED
    assert module._spare == [kept]
    assert confirm('"' + "x" * module.KEPT + '"') is Verdict.VALID
    assert module._spare == []


@pytest.mark.parametrize("text", ['{"a": "日本"}', "{", "\ufeff{}", "1e999", ""])
def test_utf8_is_confirmed_as_its_text(text):
    assert confirm(memoryview(text.encode())) is confirm(text)


def test_without_simdjson_nothing_is_decided_and_it_is_said_once(monkeypatch, caplog):
    monkeypatch.setattr(module, "simdjson_parser", lambda: None)
    monkeypatch.setattr(module, "_missing_reported", False)
    with caplog.at_level(logging.INFO, "toolweir"):
        assert confirm("{}") is Verdict.UNDECIDED
        assert confirm("{") is Verdict.UNDECIDED
    assert [record.name for record in caplog.records] == ["toolweir"]
    assert "pysimdjson" in caplog.text


def test_simdjson_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "simdjson", None)
    assert module.simdjson_parser.__wrapped__() is None


@needs_simdjson
def test_simdjson_is_imported_with_the_first_parser_not_with_the_first_call():
    code = """
import sys, toolweir
assert "simdjson" not in sys.modules
toolweir.%s
assert "simdjson" in sys.modules
"""
    for made in ("StreamParser('hermes')", "ToolCallDispatcher()"):
        subprocess.run([sys.executable, "-c", code % made], check=True)


@needs_simdjson
@pytest.mark.parametrize(("size", "kept"), [(1024 * 1024, True), (1024 * 1024 + 1, False)])
def test_the_parser_of_a_text_longer_than_a_mebibyte_is_not_kept(size, kept, monkeypatch):
    monkeypatch.setattr(module, "_spare", [])
    assert confirm("[" + " " * (size - 2) + "]") is Verdict.VALID
    assert bool(module._spare) is kept


# What the parser makes of a verdict

CALL = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'


@pytest.fixture
def asked(monkeypatch):
    """The texts that a parser asks about; the answer to each is that simdjson refuses it."""
    texts = []

    def refute(text):
        texts.append(text)
        return Verdict.REFUTED

    monkeypatch.setattr(module, "confirm", refute)
    return texts


def test_a_call_that_is_refuted_is_invalid_and_the_disagreement_is_logged(asked, caplog):
    message = toolweir.parse(CALL, "hermes")
    assert asked == ['{"a": 1}']
    (call,) = message.tool_calls
    assert (call.status, call.reason, message.finish_reason) == ("invalid", "refuted", "length")
    assert "simdjson refutes arguments that the scanner accepts: '{\"a\": 1}'" in caplog.text


def test_each_confirmation_is_counted_once(asked):
    parser = toolweir.StreamParser("hermes")
    parser.feed(CALL + CALL)
    assert parser.stats.confirmations == len(asked) == 2


def test_only_complete_calls_are_asked_about_and_never_does_not_ask(asked):
    assert toolweir.parse(CALL, "hermes", confirm="never").tool_calls[0].status == "complete"
    assert toolweir.parse(CALL[:-20], "hermes", confirm="always").tool_calls[0].status == "incomplete"
    assert toolweir.parse(CALL.replace("1", "x"), "hermes", confirm="always").tool_calls[0].status == "invalid"
    assert asked == []


@pytest.mark.parametrize("size", [1024 * 1024, 1024 * 1024 + 1])
def test_long_arguments_are_only_asked_about_if_the_caller_says_always(size, asked):
    text = CALL.replace("1", '"' + "x" * (size - len('{"a": ""}')) + '"')
    toolweir.parse(text, "hermes", confirm="auto")
    assert len(asked) == (size <= 1024 * 1024)
    asked.clear()
    toolweir.parse(text, "hermes", confirm="always")
    assert [len(text) for text in asked] == [size]
