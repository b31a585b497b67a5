"""ToolCallDispatcher: complete calls out of a chunk stream, each once, and never one that is in doubt."""

import gc
import logging
import tracemalloc

import pytest
from chunk_making import chunk, fragment, opener, reason, run

from toolweir import confirm as confirm_module
from toolweir.dispatch.calls import CompletedCall
from toolweir.dispatch.dispatcher import ToolCallDispatcher
from toolweir.errors import ParserStateError
from toolweir.limits import Limits

DEEP = "[" * 300 + "]" * 300


# What comes out, and when


def test_a_call_goes_out_on_the_chunk_that_closes_it():
    out, dispatcher = run(
        chunk(opener("")), chunk(fragment('{"a":"}')), chunk(fragment('"')), chunk(fragment("}")), chunk()
    )
    assert out == [(3, 0, '{"a":"}"}')]
    assert (dispatcher.stats.dispatched, dispatcher.stats.warnings, dispatcher.stats.confirmations) == (1, 0, 1)


def test_the_completed_call_says_what_the_chunks_said():
    dispatcher = ToolCallDispatcher()
    (call,) = dispatcher.observe(chunk(fragment('{"é":"日"}', "f", "call_x", 3), choice=2))
    assert call == CompletedCall(2, 3, "call_x", "function", "f", '{"é":"日"}')
    assert call.to_dict() == {
        "choice_index": 2,
        "tool_call": {
            "index": 3,
            "id": "call_x",
            "type": "function",
            "function": {"name": "f", "arguments": '{"é":"日"}'},
        },
    }


def test_what_was_not_said_is_left_out_of_the_payload():
    assert CompletedCall(0, 0, "x", None, "f", None).to_dict() == {
        "choice_index": 0,
        "tool_call": {"index": 0, "id": "x", "function": {"name": "f"}},
    }


@pytest.mark.parametrize(
    "order", [("id", "name", "arguments"), ("arguments", "name", "id"), ("arguments", "id", "name")]
)
def test_identity_may_come_in_any_order_and_is_confirmed_once(order):
    parts = {"id": fragment(id="call_0"), "name": fragment(name="f"), "arguments": fragment("{}")}
    out, dispatcher = run(*[chunk(parts[part]) for part in order])
    assert out == [(2, 0, "{}")]
    assert dispatcher.stats.confirmations == 1


@pytest.mark.parametrize(
    "text",
    [
        *("{}", "[]", ' \t\r\n{"a":1}', '{"a":1,"a":2}', '{"a":"\\u0000"}', "[1, {}]", DEEP),
        # valid by the grammar, refused by simdjson: the strict scanner decides
        *('{"a":1e400}', '{"a":-1e400}', '{"a":' + "9" * 60 + "}", '{"a":18446744073709551616}', '{"a":"\\ud800"}'),
    ],
)
def test_valid_arguments_go_out_byte_for_byte(text):
    for cut in range(len(text) + 1) if len(text) < 80 else (1, 300):
        out, _ = run(chunk(opener()), chunk(fragment(text[:cut])), chunk(fragment(text[cut:])), chunk(finish="stop"))
        assert [arguments for _, _, arguments in out] == [text]


def test_whitespace_after_the_value_belongs_to_it_until_it_went_out():
    assert run(chunk(opener('{"a":1} \n')))[0] == [(0, 0, '{"a":1} \n')]
    assert run(chunk(fragment("{}")), chunk(fragment(" ")), chunk(opener()))[0] == [(2, 0, "{} ")]
    out, dispatcher = run(chunk(opener("{}")), chunk(fragment("\n")))
    assert (out, dispatcher.stats.warnings) == ([(0, 0, "{}")], 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *[
            (text, "not_json")
            for text in ('{"a":1]', "{,}", '{"a":1,}', '{"a":01}', '{"a":NaN}', "{'a':1}", '{"a":"\x00"}')
        ],
        *[
            (text, "not_json")
            for text in ('{"a":"x\ny"}', "1 2", "\ufeff{}", "\x0c{}", "\u00a0{}", 'junk{"a":1}', '{"a":"\\x"}')
        ],
        *[(text, "malformed") for text in ("{}junk", "{}{}", "{}\x0c", "{}\u00a0", "}", "]", '}{"x":1}')],
        *[(text, "incomplete") for text in ('{"a":', "  ", "{", '{"a":"}')],
    ],
)
def test_what_is_not_json_never_goes_out(text, why):
    out, dispatcher = run(chunk(opener(text)), chunk(fragment("")), chunk(finish="tool_calls"))
    assert (out, reason(dispatcher), dispatcher.stats.warnings) == ([], why, 1)


@pytest.mark.parametrize("text", ["12", "-1e400", '"he}llo"', "null", "true"])
@pytest.mark.parametrize("finish", ["stop", "tool_calls"])
def test_scalars_wait_for_the_finish_reason(text, finish):
    out, dispatcher = run(chunk(opener(text[:1])), chunk(fragment(text[1:])), chunk(finish=finish))
    assert out == [(2, 0, text)]
    assert dispatcher.stats.confirmations == 1


@pytest.mark.parametrize("arguments", ["", None])
def test_no_arguments_are_complete_at_the_finish_reason_and_are_not_rewritten(arguments):
    out, dispatcher = run(chunk(opener(arguments)), chunk(finish="stop"))
    assert out == [(1, 0, arguments)]
    assert dispatcher.stats.confirmations == 0


@pytest.mark.parametrize("finish", ["length", "content_filter", "function_call", "error"])
def test_another_finish_reason_ends_open_calls_in_silence(finish):
    out, dispatcher = run(chunk(opener()), chunk(fragment("{}", "g", "call_1", 1)), chunk(finish=finish))
    assert out == [(1, 1, "{}")]
    assert (reason(dispatcher), reason(dispatcher, 1)) == ("finish:" + finish, None)
    assert dispatcher.stats.warnings == 0


def test_a_call_that_closes_on_the_last_chunk_goes_out_whatever_the_finish_reason():
    out, _ = run(chunk(opener('{"a":')), chunk(fragment("1}"), finish="length"))
    assert out == [(1, 0, '{"a":1}')]


def test_the_finish_reason_decides_in_order_of_index_and_for_its_choice_only():
    calls = chunk(opener(index=2), opener(index=0), opener('{"a', index=1))
    out, dispatcher = run(calls, chunk(opener(), choice=1), chunk(finish="stop"))
    assert [index for _, index, _ in out] == [0, 2]
    assert dispatcher.report(1, 0).state == "accumulating"


def test_interleaved_calls_and_choices_do_not_touch_each_other():
    out, _ = run(
        chunk(opener('{"a":', index=0), opener('{"b":', index=1)),
        chunk(opener('{"c":'), choice=1),
        chunk(fragment("2}", index=1)),
        chunk(fragment("1}", index=0)),
        chunk(fragment("3}"), choice=1),
    )
    assert out == [(2, 1, '{"b":2}'), (3, 0, '{"a":1}'), (4, 0, '{"c":3}')]


def test_one_call_only_if_the_server_allows_one():
    out, dispatcher = run(chunk(opener("{}"), opener("{}", index=1)), chunk(finish="stop"), parallel_tool_calls=False)
    assert out == [(0, 0, "{}")]
    assert dispatcher.report(0, 1) is None


def test_a_new_call_after_the_finish_reason_counts_unless_the_choice_is_sealed():
    stream = [chunk(opener("{}")), chunk(finish="stop"), chunk(opener("{}", index=1))]
    assert run(*stream)[0] == [(0, 0, "{}"), (2, 1, "{}")]
    out, dispatcher = run(*stream, seal=True)
    assert out == [(0, 0, "{}")]
    assert dispatcher.stats.warnings == 1
    assert run(chunk(finish="stop"), chunk(opener("{}")), seal=True)[0] == []


# Identity


@pytest.mark.parametrize("second", [fragment(id="other"), fragment(name="g"), fragment(type="custom")])
def test_a_conflict_ends_the_call_for_good(second):
    last = {**second, "function": {**second.get("function", {}), "arguments": "1}"}}
    out, dispatcher = run(chunk(opener('{"a":')), chunk(last), chunk(opener("{}")), chunk(finish="tool_calls"))
    assert (out, reason(dispatcher), dispatcher.stats.warnings) == ([], "identity_conflict", 1)


def test_names_are_not_joined():
    out, dispatcher = run(chunk(fragment(name="get_", id="c")), chunk(fragment("{}", "weather")))
    assert (out, reason(dispatcher)) == ([], "identity_conflict")


def test_empty_strings_say_nothing():
    out, _ = run(chunk(fragment(name="", id="")), chunk(opener()), chunk({**fragment("{}", ""), "id": ""}))
    assert out == [(2, 0, "{}")]


@pytest.mark.parametrize(
    "only", [fragment("{}", "f"), fragment("{}", id="c"), fragment("{}", "f", ""), fragment("{}", "", "c")]
)
def test_without_id_or_name_nothing_goes_out(only):
    out, dispatcher = run(chunk(only), chunk(finish="tool_calls"))
    assert (out, reason(dispatcher), dispatcher.stats.warnings) == ([], "no_identity", 0)


@pytest.mark.parametrize(
    ("again", "warnings"),
    [
        (opener('{"a":1}'), 0),
        (fragment("1}"), 1),
        (fragment('{"a":1}'), 1),
        (fragment('{"a":1}', "f", "other"), 1),
        (fragment(name="g"), 1),
        (fragment(), 1),
    ],
)
def test_after_a_call_went_out_only_its_exact_repetition_is_silent(again, warnings):
    out, dispatcher = run(chunk(opener('{"a":')), chunk(fragment("1}")), chunk(again), chunk(finish="stop"))
    assert (out, dispatcher.stats.warnings) == ([(1, 0, '{"a":1}')], warnings)


# Custom tools


def custom(input=None, name=None, id=None, index=0):
    entry = {"index": index} | ({"id": id, "type": "custom"} if id else {})
    return entry | {"custom": {k: v for k, v in (("name", name), ("input", input)) if v is not None}}


def test_a_custom_tool_has_free_text_and_is_complete_at_the_finish_reason():
    out, dispatcher = run(chunk(custom("", "sh", "c")), chunk(custom("ls {")), chunk(custom("}")), chunk(finish="stop"))
    assert out == [(3, 0, "ls {}")]
    assert dispatcher.stats.confirmations == 0


def test_a_custom_call_in_a_payload_and_its_repetition():
    dispatcher = ToolCallDispatcher()
    whole = chunk({"index": 0, "id": "c", "custom": {"name": "sh", "input": "ls"}}, finish="tool_calls")
    (call,) = dispatcher.observe(whole)
    assert call.to_dict()["tool_call"] == {
        "index": 0,
        "id": "c",
        "type": "custom",
        "custom": {"name": "sh", "input": "ls"},
    }
    assert dispatcher.observe(whole) == ()
    assert dispatcher.stats.warnings == 0


@pytest.mark.parametrize("pair", [(custom("x", "f", "c"), fragment("{}")), (fragment("{", "f", "c"), custom("x"))])
def test_one_call_is_not_of_both_kinds(pair):
    out, dispatcher = run(*map(chunk, pair), chunk(finish="stop"))
    assert (out, reason(dispatcher)) == ([], "identity_conflict")


# End of the stream, reports, logs


def test_the_end_of_the_stream_completes_nothing():
    dispatcher = ToolCallDispatcher()
    dispatcher.observe(chunk(opener(), opener("{}", index=1), opener("[", index=2)))
    assert dispatcher.finish() == dispatcher.finish() == ()
    states = [(report.index, str(report.state), report.reason) for report in dispatcher.reports()]
    assert states == [(0, "invalid", "finish:none"), (1, "emitted", None), (2, "invalid", "finish:none")]
    with pytest.raises(ParserStateError, match="finished"):
        dispatcher.observe(chunk(opener("{}", index=5)))


def test_a_call_is_logged_once_however_often_it_is_wrong(caplog):
    with caplog.at_level(logging.WARNING, "toolweir"):
        _, dispatcher = run(chunk(opener("{}")), *[chunk(fragment("x"))] * 50, *[chunk({"function": {}})] * 50)
    assert dispatcher.stats.warnings == 100
    assert [record.getMessage() for record in caplog.records] == [
        "choice 0, tool call 0 ('call_0'): more came for a call that was dispatched",
        "chunk stream: a tool call without an index: nobody can say which call it belongs to",
    ]


def test_without_simdjson_the_strict_scanner_decides(monkeypatch):
    monkeypatch.setattr(confirm_module, "simdjson_parser", lambda: None)
    out, dispatcher = run(chunk(opener('{"a":1}')), chunk(opener("{,}", index=1)))
    assert out == [(0, 0, '{"a":1}')]
    assert reason(dispatcher, 1) == "not_json"


# Limits


def test_arguments_up_to_the_limit():
    text = '{"a":"é"}'
    size = len(text.encode())
    assert run(chunk(opener(text)), limits=Limits(arguments=size))[0] == [(0, 0, text)]
    out, dispatcher = run(chunk(opener(text[:-1])), chunk(fragment("}")), limits=Limits(arguments=size - 1))
    assert (out, reason(dispatcher), dispatcher.stats.warnings) == ([], "limit", 1)


def test_calls_up_to_the_limit():
    out, dispatcher = run(*[chunk(opener("{}", index=i)) for i in range(4)], limits=Limits(dispatch_calls=3))
    assert [index for _, index, _ in out] == [0, 1, 2]
    assert dispatcher.stats.warnings == 1
    assert dispatcher.report(0, 3) is None


def test_bytes_of_all_calls_up_to_the_limit():
    def stream(limit):
        return run(
            *[chunk(opener('{"a":"' + "x" * 92, index=i)) for i in range(3)], limits=Limits(dispatch_bytes=limit)
        )[1]

    size = 3 * (98 + len("call_0" + "function" + "f"))
    assert [report.reason for report in stream(size).reports()] == [None, None, None]
    assert [report.reason for report in stream(size - 1).reports()] == [None, None, "limit"]


def test_text_that_was_dropped_no_longer_counts():
    broken = [chunk(fragment("{" + "x" * 200 + "}}", index=i)) for i in range(20)]
    out, _ = run(*broken, chunk(opener('{"a":"' + "x" * 200 + '"}', 99)), limits=Limits(dispatch_bytes=300))
    assert [index for _, index, _ in out] == [99]


def test_memory_of_ten_thousand_open_calls_is_bounded_by_the_limits():
    limits = Limits(dispatch_calls=10_000, dispatch_bytes=4 << 20)
    chunks = [chunk(fragment('{"a":"' + "x" * 994, "f", f"c{i}", i)) for i in range(20_000)]
    gc.collect()
    tracemalloc.start()
    try:
        dispatcher = ToolCallDispatcher(limits=limits)
        for each in chunks:
            dispatcher.observe(each)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(dispatcher.reports()) == 10_000
    assert used < 4 * (4 << 20)


def test_no_cycles_are_left_behind():
    dispatcher = ToolCallDispatcher()
    for each in (chunk(opener("{")), chunk(opener("{}", 1)), chunk(finish="length")):
        dispatcher.observe(each)
    gc.collect()
    del dispatcher
    assert gc.collect() == 0


@pytest.mark.parametrize(
    "choices", [None, 5, "x", {}, [None], [5], [[]], ["x"], [{"delta": 5}], [{"index": 0, "delta": {"tool_calls": 5}}]]
)
def test_chunks_of_any_shape_are_harmless(choices):
    assert run({"choices": choices})[0] == []
    assert run({"choices": choices} if choices != 5 else choices)[0] == []


def test_huge_and_negative_indices():
    out, dispatcher = run(
        chunk(opener("{}", index=1 << 40)),
        chunk(opener("{}", index=1 << 80)),
        chunk(opener("{}", index=-1)),
        chunk(opener("{}", index=True)),
    )
    assert [index for _, index, _ in out] == [1 << 40]
    assert dispatcher.stats.warnings == 3
