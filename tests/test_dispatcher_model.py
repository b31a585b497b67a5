"""The dispatcher against a model of it on random streams, and against anything."""

import random

import pytest
from chunk_making import chunk, fragment
from dispatch_model import Model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolweir.dispatch.dispatcher import ToolCallDispatcher

PIECES = [
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ",",
    ":",
    "1",
    "null",
    " ",
    "\n",
    '{"a":1}',
    '{"a":',
    "{}",
    "é",
    "\x0c",
    "",
    "-1e400",
    "NaN",
    '"\\ud800"',
]


def random_stream(rng):
    for _ in range(rng.randint(1, 14)):
        fragments = []
        for _ in range(rng.choice((0, 1, 1, 1, 2))):
            id = rng.choice((None, None, None, "", "a", "a", "b"))
            name = rng.choice((None, None, None, "", "f", "f", "g"))
            arguments = None if rng.random() < 0.2 else "".join(rng.choices(PIECES, k=rng.randint(0, 3)))
            fragments.append(fragment(arguments, name, id, rng.randint(0, 1), rng.choice((None, None, None, "custom"))))
        finish = rng.choice((None,) * 8 + ("", "stop", "tool_calls", "length"))
        yield chunk(*fragments, finish=finish, choice=rng.choice((0, 0, 0, 1)))


@pytest.mark.parametrize("seed", range(20))
def test_like_the_model_on_random_streams(seed):
    rng = random.Random(seed)
    for _ in range(150):
        stream = list(random_stream(rng))
        dispatcher, model = ToolCallDispatcher(), Model()
        for each in stream:
            got = [(c.choice_index, c.index, c.id, c.type, c.name, c.arguments) for c in dispatcher.observe(each)]
            assert got == model.observe(each), stream
            assert dispatcher.stats.warnings == model.warnings, stream
        reports = {(report.choice_index, report.index): report for report in dispatcher.reports()}
        assert {key: call["state"] for key, call in model.calls.items()} == {
            key: str(r.state) for key, r in reports.items()
        }
        assert {key: call.get("reason") for key, call in model.calls.items()} == {
            key: r.reason for key, r in reports.items()
        }


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats()
    | st.sampled_from(["", "f", "{}", "stop", "function", "}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "delta",
                    "tool_calls",
                    "index",
                    "id",
                    "type",
                    "function",
                    "custom",
                    "name",
                    "arguments",
                    "input",
                    "finish_reason",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)
FUNCTION = st.fixed_dictionaries(
    {}, optional={"name": JSON, "arguments": JSON | st.sampled_from(["{", "}", "{}", "1"])}
)
FRAGMENT = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 2) | JSON,
        "id": st.sampled_from(["a", "b"]) | JSON,
        "type": JSON,
        "function": FUNCTION | JSON,
        "custom": JSON,
    },
)
CHOICE = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 1) | JSON,
        "delta": st.fixed_dictionaries({"tool_calls": st.lists(FRAGMENT | JSON, max_size=3)}) | JSON,
        "finish_reason": st.sampled_from(["stop", "length"]) | JSON,
    },
)
CHUNK = st.fixed_dictionaries({"choices": st.lists(CHOICE | JSON, max_size=3)}) | JSON


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CHUNK, max_size=8))
def test_no_chunk_raises_and_no_call_goes_out_twice(stream):
    dispatcher = ToolCallDispatcher()
    out = [(call.choice_index, call.index) for each in stream for call in dispatcher.observe(each)]
    assert len(out) == len(set(out)) == dispatcher.stats.dispatched
