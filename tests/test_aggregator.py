"""ChatAggregator: like the openai SDK's accumulator on good streams, and the right calls out of damaged ones."""

import json

import pytest

from toolweir.dispatch.aggregator import ChatAggregator
from toolweir.limits import Limits


def chunk(delta=None, finish=None, index=0, **fields):
    choices = [{"index": index, "delta": delta or {}, "logprobs": None, "finish_reason": finish}]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        **fields,
    }


def call(arguments=None, name=None, id=None, index=0, **fields):
    """A delta with one tool call."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    entry = {"index": index} | ({"id": id, "type": "function"} if id else {}) | fields
    return {"tool_calls": [entry | ({"function": function} if function else {})]}


OPEN = chunk(call("", "f", "call_a"))
BODY = [chunk(call('{"ci')), chunk(call('ty":"Zü')), chunk(call('rich 🎉"}'))]
ROLE = chunk({"role": "assistant", "content": ""})
END = chunk({}, "tool_calls")
USAGE = {"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30}
TEXT = '{"city":"Zürich 🎉"}'


def gather(*chunks, **options):
    aggregator = ChatAggregator(**options)
    for each in chunks:
        aggregator.add(each)
    return aggregator


def calls_of(aggregator):
    return [
        (entry["id"], entry["type"], *entry[entry["type"]].values())
        for entry in aggregator.message().get("tool_calls", ())
    ]


GOOD = {
    "text": [ROLE, chunk({"content": "Hi "}), chunk({"content": "é"}), chunk({}, "stop")],
    "one call": [ROLE, OPEN, *BODY, END],
    "two calls": [ROLE, OPEN, *BODY, chunk(call("", "g", "call_b", 1)), chunk(call("{}", index=1)), END],
    "interleaved": [
        *(ROLE, chunk(call("", "f", "a")), chunk(call("", "g", "b", 1))),
        *(chunk(call('{"x":')), chunk(call("[", index=1)), chunk(call("1}")), chunk(call("]", index=1)), END),
    ],
    "two in one chunk": [
        ROLE,
        chunk({"tool_calls": [*call("{}", "f", "a")["tool_calls"], *call("{}", "g", "b", 1)["tool_calls"]]}),
        END,
    ],
    "reasoning": [
        ROLE,
        chunk({"reasoning_content": "a", "reasoning": "a"}),
        chunk({"reasoning_content": "b", "reasoning": "b"}),
        chunk({"content": "c"}, "stop"),
    ],
    "refusal": [ROLE, chunk({"refusal": "I "}), chunk({"refusal": "won't"}), chunk({}, "stop")],
    "usage at the end": [ROLE, chunk({"content": "x"}), chunk({}, "stop"), {**chunk(), "choices": [], "usage": USAGE}],
    "two choices": [
        ROLE,
        chunk({"role": "assistant", "content": "b"}, index=1),
        chunk({"content": "a"}),
        chunk({}, "stop"),
        chunk({}, "length", index=1),
    ],
    "null content": [chunk({"role": "assistant", "content": None}), OPEN, *BODY, END],
    "text after the call": [ROLE, OPEN, *BODY, chunk({"content": "after"}), END],
    "function_call": [
        ROLE,
        chunk({"function_call": {"name": "f", "arguments": ""}}),
        chunk({"function_call": {"arguments": "{}"}}),
        chunk({}, "function_call"),
    ],
}


@pytest.mark.parametrize("name", GOOD)
def test_like_the_sdk_on_good_streams(name):
    chat = pytest.importorskip("openai.lib.streaming.chat")
    types = pytest.importorskip("openai.types.chat")
    state = chat.ChatCompletionStreamState()
    aggregator = ChatAggregator()
    for each in GOOD[name]:
        aggregator.add(each)
        state.handle_chunk(types.ChatCompletionChunk.model_validate(json.loads(json.dumps(each))))
    theirs = state.current_completion_snapshot.model_dump(exclude_none=True)
    ours = aggregator.completion()
    assert aggregator.mended == []
    for choice in theirs["choices"]:
        for entry in choice["message"].get("tool_calls", ()):
            del entry["index"]  # a message's calls have none
            entry["function"].pop("parsed_arguments", None)
    for choice in ours["choices"]:
        choice["message"] = {key: value for key, value in choice["message"].items() if value is not None}
    ours["choices"] = [{key: value for key, value in choice.items() if value is not None} for choice in ours["choices"]]
    assert ours == theirs


def test_the_whole_completion():
    aggregator = gather(*GOOD["two calls"], {**chunk(), "choices": [], "usage": USAGE, "system_fingerprint": "fp"})
    assert aggregator.completion() == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "usage": USAGE,
        "system_fingerprint": "fp",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [
                        {"id": "call_a", "type": "function", "function": {"name": "f", "arguments": TEXT}},
                        {"id": "call_b", "type": "function", "function": {"name": "g", "arguments": "{}"}},
                    ],
                },
                "finish_reason": "tool_calls",
                "logprobs": None,
            }
        ],
    }
    assert aggregator.mended == []


def test_logprobs_are_put_together():
    parts = [{"content": [{"token": "a"}], "refusal": None}, {"content": [{"token": "b"}], "refusal": None}]
    stream = [chunk({"content": "x"}) for _ in parts]
    for each, logprobs in zip(stream, parts, strict=True):
        each["choices"][0]["logprobs"] = logprobs
    assert gather(*stream).completion()["choices"][0]["logprobs"]["content"] == [{"token": "a"}, {"token": "b"}]


def without_index(delta):
    return {
        "tool_calls": [{key: value for key, value in entry.items() if key != "index"} for entry in delta["tool_calls"]]
    }


WHOLE = [("call_a", "function", "f", '{"x":1}')]
A, B = call('{"x":', "f", "call_a"), call("1}")
# name: (deltas, the calls, what is said of it)
DAMAGED = {
    "index missing": ([without_index(A), without_index(B)], WHOLE, "a tool call without an index"),
    "index null": ([call('{"x":1}', "f", "call_a", None)], WHOLE, "a tool call without an index"),
    "index missing, two calls": (
        [without_index(A), without_index(B), without_index(call("{}", "f", "call_b"))],
        [*WHOLE, ("call_b", "function", "f", "{}")],
        "a tool call without an index",
    ),
    "index missing, id tells": (
        [
            without_index(call('{"x":', "f", "call_a")),
            without_index(call("{", "g", "call_b")),
            without_index(call("1}", id="call_a")),
            without_index(call("}", id="call_b")),
        ],
        [*WHOLE, ("call_b", "function", "g", "{}")],
        "a tool call without an index",
    ),
    "index starts at 1": ([call('{"x":1}', "f", "call_a", 1)], WHOLE, "index 1 where 0 follows"),
    "two calls at one index": (
        [call('{"x":1}', "f", "call_a"), call("{}", "g", "call_b")],
        [*WHOLE, ("call_b", "function", "g", "{}")],
        "two calls at index 0",
    ),
    "two calls of one tool at one index": (
        [call('{"x":1}', "f", "call_a"), call("{}", "f", "call_b")],
        [*WHOLE, ("call_b", "function", "f", "{}")],
        "two calls at index 0",
    ),
    "name repeated": ([A, call("1", "f"), call("}", "f")], WHOLE, "call 0: the name was repeated"),
    "name split": (
        [call("", "get_", "call_a"), call('{"x":1}', "weather")],
        [("call_a", "function", "get_weather", '{"x":1}')],
        "call 0: the name came in pieces",
    ),
    "name grows": (
        [call("", "get_", "call_a"), call('{"x":1}', "get_weather")],
        [("call_a", "function", "get_weather", '{"x":1}')],
        "call 0: the name came in pieces",
    ),
    "another name after arguments": ([A, call("1}", "g")], WHOLE, "call 0: the first name is kept"),
    "id repeated": ([A, call("1}", id="call_a")], WHOLE, "call 0: the id was repeated"),
    "another id in each fragment": (
        [A, call("1", id="other"), call("}", id="more")],
        WHOLE,
        "call 0: the first id is kept",
    ),
    "another id and the name in each fragment": (
        [A, call("1", "f", "other"), call("}", "f", "more")],
        WHOLE,
        "call 0: the first id is kept",
    ),
    "id is a number": (
        [call('{"x":1}', "f", type="function") | {"tool_calls": [{**call('{"x":1}', "f")["tool_calls"][0], "id": 7}]}],
        [("7", "function", "f", '{"x":1}')],
        "an id that is a number",
    ),
    "type null": ([A, call("1}", type=None)], WHOLE, "type is null"),
    "type missing": (
        [
            call('{"x":1}', "f", None)
            | {"tool_calls": [{"index": 0, "id": "call_a", "function": {"name": "f", "arguments": '{"x":1}'}}]}
        ],
        WHOLE,
        "call 0 has no type: it is function",
    ),
    "function null": ([A, {"tool_calls": [{"index": 0, "function": None}]}, B], WHOLE, "function is null"),
    "arguments an object": (
        [call({"x": 1}, "f", "call_a")],
        WHOLE,
        "arguments that are no string were written as JSON",
    ),
    "arguments never": ([call(None, "f", "call_a")], [("call_a", "function", "f", "")], "call 0 never had arguments"),
    "arguments not JSON": (
        [call("{x: 1}", "f", "call_a")],
        [("call_a", "function", "f", "{x: 1}")],
        "the arguments of call 0 are not JSON",
    ),
    "call without a name": (
        [call("{}", None, "call_b"), call('{"x":1}', "f", "call_a", 1)],
        WHOLE,
        "call 0 has no name and is left out",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_streams(name):
    deltas, calls, note = DAMAGED[name]
    aggregator = gather(ROLE, *map(chunk, deltas), END)
    assert calls_of(aggregator) == calls
    assert note in aggregator.mended


@pytest.mark.parametrize("id", [None, ""])
def test_an_id_is_made_once(id):
    aggregator = gather(chunk(call("{}", "f")), END)
    ((made, *rest),) = calls_of(aggregator)
    assert made.startswith("call_")
    assert rest == ["function", "f", "{}"]
    assert calls_of(aggregator)[0][0] == made
    assert "call 0 has no id: one was made" in aggregator.mended


def test_a_custom_tool():
    deltas = [
        {"index": 0, "id": "c", "type": "custom", "custom": {"name": "sh", "input": ""}},
        {"index": 0, "custom": {"input": "ls {"}},
    ]
    aggregator = gather(*[chunk({"tool_calls": [delta]}) for delta in deltas], END)
    assert aggregator.message()["tool_calls"] == [
        {"id": "c", "type": "custom", "custom": {"name": "sh", "input": "ls {"}}
    ]
    assert aggregator.mended == []


@pytest.mark.parametrize("finish", ["length", "content_filter", None])
def test_without_a_regular_end_only_complete_calls_are_there(finish):
    aggregator = gather(chunk(call("{}", "f", "a")), chunk(call('{"x', "g", "b", 1)), chunk({}, finish))
    assert calls_of(aggregator) == [("a", "function", "f", "{}")]
    assert aggregator.completion()["choices"][0]["finish_reason"] == finish
    assert f"call 1 was not complete when the stream ended ({finish}) and is left out" in aggregator.mended


def test_stop_with_calls_is_tool_calls():
    aggregator = gather(OPEN, *BODY, chunk({}, "stop"))
    assert aggregator.completion()["choices"][0]["finish_reason"] == "tool_calls"
    assert len(aggregator.mended) == 1


def test_other_damage_is_said_too():
    role = gather(ROLE, chunk({"role": "assistant", "content": "a"}), chunk({}, "stop"))
    assert (role.message()["role"], role.message()["content"], role.mended) == (
        "assistant",
        "a",
        ["the role was repeated"],
    )
    failed = gather(ROLE, {"error": {"message": "boom"}})
    assert failed.mended == ["the server reported an error: {'message': 'boom'}", "choice 0 has no finish reason"]
    assert gather(ROLE, chunk({}, ""), chunk({}, "stop"), chunk({}, "")).mended == []
    assert gather().completion() == {"object": "chat.completion", "choices": []}
    assert gather().message() is None


def test_damaged_choices_are_read_by_their_place():
    choice = {"delta": {"content": "a"}, "finish_reason": "stop"}
    aggregator = gather({"choices": [choice, 7, {**choice, "index": -1}]})
    assert [each["index"] for each in aggregator.completion()["choices"]] == [0, 2]
    assert aggregator.mended == [
        "a choice without an index is taken by its place",
        "a choice that is no object is left out",
    ]


@pytest.mark.parametrize(
    "thing",
    [
        None,
        5,
        "x",
        [],
        {"choices": 5},
        {"choices": [5]},
        {"choices": [{"delta": 5}]},
        chunk({"tool_calls": 5}),
        chunk({"tool_calls": [5]}),
        chunk({"content": {"a": [{"b": {"c": {"d": {"e": 1}}}}]}}),
    ],
)
def test_nothing_raises(thing):
    aggregator = gather(thing, thing)
    aggregator.completion()
    assert isinstance(aggregator.mended, list)


def test_lines_of_a_server_sent_stream():
    aggregator = ChatAggregator()
    for each in [ROLE, OPEN, *BODY, END]:
        aggregator.add_bytes(b"data: " + json.dumps(each).encode() + b"\n")
    aggregator.add_bytes(b"data: [DONE]\n")
    assert calls_of(aggregator) == [("call_a", "function", "f", TEXT)]
    aggregator.add_bytes(b"data: {")
    assert aggregator.mended == ["an event whose data is not JSON is left out"]


def test_limits():
    many = gather(*[chunk(call("{}", "f", f"c{i}", i)) for i in range(5)], END, limits=Limits(dispatch_calls=3))
    assert [entry[0] for entry in calls_of(many)] == ["c0", "c1", "c2"]
    assert many.mended == ["more calls than Limits.dispatch_calls are left out"]
    long = gather(chunk(call("{", "f", "a")), chunk(call("x" * 9)), END, limits=Limits(arguments=9))
    assert calls_of(long)[0][3] == "{"
    assert "call 0: arguments of more than Limits.arguments are cut" in long.mended
    text = gather(
        chunk({"content": "12345"}), chunk({"content": "6"}), chunk({}, "stop"), limits=Limits(dispatch_bytes=5)
    )
    assert text.message()["content"] == "12345"
    assert "text of more than Limits.dispatch_bytes is cut" in text.mended
