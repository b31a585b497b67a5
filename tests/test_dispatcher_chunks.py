"""Chunks as dicts, objects and lines, and what a chunk must not be."""

import json
from types import SimpleNamespace

import pytest
from chunk_making import chunk, fragment, opener, reason, run

from toolweir.dispatch.dispatcher import ToolCallDispatcher


def as_objects(value):
    if isinstance(value, dict):
        return SimpleNamespace(**{key: as_objects(inner) for key, inner in value.items()})
    return [as_objects(item) for item in value] if isinstance(value, list) else value


def test_objects_with_fields_are_read_like_dicts():
    stream = [chunk(opener("")), chunk(fragment('{"a":')), chunk(fragment("1}")), chunk(finish="stop")]
    assert run(*map(as_objects, stream))[0] == run(*stream)[0] == [(2, 0, '{"a":1}')]


def test_the_openai_sdk_s_own_chunks():
    types = pytest.importorskip("openai.types.chat")
    stream = [
        types.ChatCompletionChunk.model_validate({"id": "x", "created": 0, "model": "m", **each})
        for each in (chunk(opener("")), chunk(fragment('{"a":1')), chunk(fragment("}")), chunk(finish="tool_calls"))
    ]
    assert run(*stream)[0] == [(2, 0, '{"a":1}')]


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
def test_lines_of_a_server_sent_stream(end):
    dispatcher = ToolCallDispatcher()
    assert dispatcher.observe_bytes(": comment" + end) == ()
    assert dispatcher.observe_bytes(("event: message" + end).encode()) == ()
    assert dispatcher.observe_bytes(("data: " + json.dumps(chunk(opener('{"é":'))) + end).encode()) == ()
    (call,) = dispatcher.observe_bytes("data:" + json.dumps(chunk(fragment("1}"))) + end)
    assert call.arguments == '{"é":1}'
    assert dispatcher.observe_bytes("data: [DONE]" + end) == ()
    assert dispatcher.stats.warnings == 0


@pytest.mark.parametrize("data", [b"data: {", b"data: \xff", b"data: {'a':1}", b"data: " + b"[" * 200_000])
def test_data_that_is_not_json_is_a_warning(data):
    dispatcher = ToolCallDispatcher()
    assert dispatcher.observe_bytes(data) == ()
    assert dispatcher.stats.warnings == 1


def test_lone_surrogates_pass_unchanged():
    out, _ = run(chunk(opener('{"a":"\ud83d')), chunk(fragment('\ude00"}')))
    assert out == [(1, 0, '{"a":"\ud83d\ude00"}')]


def test_a_fragment_without_an_index_belongs_to_nobody():
    out, dispatcher = run(chunk({"id": "c", "function": {"name": "f", "arguments": "{}"}}), chunk(finish="stop"))
    assert (out, dispatcher.stats.warnings) == ([], 1)


@pytest.mark.parametrize("field", ["id", "type", "name", "arguments"])
@pytest.mark.parametrize("value", [1, 1.5, True, [], {"a": 1}])
def test_a_field_that_is_no_string_ends_the_call(field, value):
    entry = opener("{}")
    (entry["function"] if field in entry["function"] else entry)[field] = value
    out, dispatcher = run(chunk(entry), chunk(finish="stop"))
    assert (out, reason(dispatcher), dispatcher.stats.warnings) == ([], "malformed", 1)
