"""The merge that dispatcher and aggregator share, cell by cell of its table."""

import pytest

from toolweir.dispatch.merge import MergedCall


def call(**fields):
    """A fragment; name and arguments go into its function."""
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return {"index": 0, **fields, **({"function": function} if function else {})}


def merged(*fragments):
    known = MergedCall()
    return known, [known.update(fragment) for fragment in fragments]


@pytest.mark.parametrize("field", ["id", "type", "name"])
@pytest.mark.parametrize(
    ("said", "kept", "conflict"),
    [
        ([None], None, False),
        ([""], None, False),
        (["a"], "a", False),
        (["", "a"], "a", False),
        (["a", ""], "a", False),
        (["a", None], "a", False),
        (["a", "a"], "a", False),
        (["a", "b"], "a", True),
        (["a", "b", "a"], "a", False),
    ],
)
def test_identity(field, said, kept, conflict):
    known, conflicts = merged(*[call(**{field: value}) for value in said])
    assert getattr(known, field) == kept
    assert conflicts[-1] == (field if conflict else None)


@pytest.mark.parametrize(
    ("said", "joined"),
    [
        ([None], None),
        ([""], ""),
        (["", "a"], "a"),
        (["a", None, "", "b"], "ab"),
        (["é", "日", "🙂"], "é日🙂"),
        (["\ud83d", "\ude00"], "\ud83d\ude00"),
    ],
)
def test_arguments_are_joined(said, joined):
    assert merged(*[call(arguments=value) for value in said])[0].arguments == joined


def test_the_first_conflict_of_a_fragment_is_reported_and_the_rest_is_merged():
    known, conflicts = merged(
        call(id="a", type="function", name="f"), call(id="b", type="custom", name="g", arguments="{}")
    )
    assert conflicts == [None, "id"]
    assert (known.id, known.type, known.name, known.arguments) == ("a", "function", "f", "{}")
    assert known.update(call(type="custom", name="g")) == "type"
    assert known.update(call(name="g")) == "name"


@pytest.mark.parametrize("field", ["id", "type", "name", "arguments"])
def test_what_is_no_string_is_reported_and_not_taken(field):
    known, conflicts = merged(call(**{field: 5}))
    assert conflicts == ["not_text"]
    assert getattr(known, field) is None


def test_custom_tools():
    known, conflicts = merged(
        {"index": 0, "id": "c", "custom": {"name": "sh", "input": "l"}}, {"index": 0, "custom": {"input": "s"}}
    )
    assert (known.custom, known.name, known.arguments, conflicts) == (True, "sh", "ls", [None, None])
    assert known.update(call(arguments="x")) == "type"
    assert known.arguments == "ls"


def test_the_limit_is_inclusive_and_a_piece_past_it_is_not_taken():
    known = MergedCall(4)
    assert [known.update(call(arguments=piece)) for piece in ("ab", "é", "c", "")] == [None, None, "too_long", None]
    assert known.arguments == "abé"


def test_growth_keeps_every_byte():
    known = MergedCall()
    pieces = [chr(32 + i % 90) * (i % 7) for i in range(5000)]
    for piece in pieces:
        known.update(call(arguments=piece))
    assert known.arguments == "".join(pieces)
