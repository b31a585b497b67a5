"""Streamed calls against the parse that has the last word: what is still to send, and whether the two agree.

Theory of operation. A host streams calls while they are written and parses the whole text at the end; that parse
decides. Each final call may be one that was streamed, and the danger is to take the wrong one: of a broken call and a
good one with the same name, the arguments of the good one may well complete the broken one too, and the client would
run both. So partners are found in this order, each call taken once:

    1. by span, where both sides know where in the text a call stands; if two do not overlap they are no partners
    2. what the client can run already with a final call that equals it, at the same index if it can be: its arguments
       are spent and can complete no other call
    3. what is still open with the final call at its index, if the names agree and the final arguments go on from it

Then the rest of each partner is sent, streamed calls without a partner are closed as invalid, and final calls without
one are sent whole. Nothing that was sent is taken back.
"""

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ..events import ArgumentsDelta, Event, ToolCallEnd, ToolCallStart
from ..outcomes import CallStatus, Reason
from .strict import is_json

__all__ = ["Agreement", "Call", "Comparison", "calls_of", "partners", "reconcile", "verify"]

logger = logging.getLogger("toolweir.dispatch")

WHITESPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Call:
    """A call as one side knows it.

    index: of the stream; None means its place in the list.
    span: where in the model's text it stands, (start, end) in a unit that both sides share; None if not known.
    status: how a streamed call ended; None while it is open, or if the host does not know.
    """

    name: str
    arguments: str = ""
    id: str | None = None
    index: int | None = None
    span: tuple[int, int] | None = None
    status: CallStatus | None = None

    @property
    def runnable(self) -> bool:
        """Whether a client would run it: it ended complete, or its arguments are complete and it may have ended."""
        return self.status is CallStatus.COMPLETE or (self.status is None and is_json(self.arguments))


class Agreement(StrEnum):
    """How far two lists of calls agree."""

    EQUAL = "equal"
    EQUAL_AS_JSON = "equal_as_json"
    """The same names and values; the texts differ, in spaces or repeated keys for instance."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What verify() found. `cause` says where the two sides part, and is None if they are equal."""

    agreement: Agreement
    cause: str | None = None


CallLike = Any
"""A Call, a tool call of a toolweir Message, or one as OpenAI messages have it: see reconcile()."""


def calls_of(events: Iterable[Event]) -> list[Call]:
    """The calls in a parser's events, with their spans."""
    starts: dict[int, ToolCallStart] = {}
    pieces: dict[int, list[str]] = {}
    ends: dict[int, int] = {}
    statuses: dict[int, CallStatus] = {}
    for event in events:
        match event:
            case ToolCallStart(index=index):
                starts[index], pieces[index] = event, []
            case ArgumentsDelta(index=index, text=text):
                pieces[index].append(text)
            case ToolCallEnd(index=index, status=status):
                statuses[index] = status
            case _:
                continue
        ends[index] = event.span[1]
    return [
        Call(start.name, "".join(pieces[i]), start.id, i, (start.span[0], ends[i]), statuses.get(i))
        for i, start in starts.items()
    ]


def partners(streamed: Sequence[CallLike], final: Sequence[CallLike]) -> list[int | None]:
    """For each final call the stream's index of the call that it is, or None."""
    sent = _calls(streamed)
    return [None if at is None else sent[at].index for at in _match(sent, _calls(final))]


def reconcile(
    streamed: Sequence[CallLike],
    final: Sequence[CallLike],
    *,
    make_id: Callable[[int, str], str] | None = None,
) -> tuple[Event, ...]:
    """The events still to send, so that the receiver of `streamed` has what `final` says.

    Both are lists of Call, of a Message's tool calls, or of tool calls as OpenAI messages have them, as dicts, with
    `index`, `span` and `status` if known.
    A partner gets the rest of its arguments and its ToolCallEnd, unless it ended already. An open call without a
    partner gets a ToolCallEnd that says invalid. A final call without one is sent whole at a new index, with its own id
    if that is new, else with `make_id(index, name)`. Missing final arguments count as {}. Calls that the final parse
    does not confirm are one warning in the log.
    """
    sent = _calls(streamed)
    wanted = [call if call.arguments.strip() else replace(call, arguments="{}") for call in _calls(final)]
    matches = _match(sent, wanted)
    partner = {at: call for at, call in zip(matches, wanted, strict=True) if at is not None}
    events: list[Event] = []
    refuted = []
    for at, call in enumerate(sent):
        index = _index(call)
        if at in partner:
            if call.status is None:
                events += _rest(index, call, partner[at])
        else:
            refuted.append(index)
            if call.status is None:
                events.append(ToolCallEnd(index, CallStatus.INVALID, call.arguments, Reason.REFUTED))
    free = max(map(_index, sent), default=-1) + 1
    ids = {call.id for call in sent}
    for position, (call, match) in enumerate(zip(wanted, matches, strict=True)):
        if match is None:
            id = call.id if call.id and call.id not in ids else (make_id or _mint)(free, call.name)
            ids.add(id)
            events += [ToolCallStart(free, id, call.name, position), *_rest(free, Call(call.name), call)]
            free += 1
    if refuted:
        logger.warning("the final parse does not confirm the streamed tool calls %s", refuted)
    return tuple(events)


def verify(streamed: Sequence[CallLike], final: Sequence[CallLike]) -> Comparison:
    """Whether what was streamed is what the final parse says: equal, equal as JSON, or different and why.

    Whatever the arguments are, it does not raise.
    """
    sent, wanted = _calls(streamed), _calls(final)
    if len(sent) != len(wanted):
        hint = "; the last was probably cut off" if len(sent) > len(wanted) else ""
        return Comparison(Agreement.DIFFERENT, f"{len(sent)} calls were streamed, {len(wanted)} parsed{hint}")
    cause = None
    for at, (one, other) in enumerate(zip(sent, wanted, strict=True)):
        if one.name != other.name:
            return Comparison(Agreement.DIFFERENT, f"call {at}: {one.name!r} was streamed, {other.name!r} parsed")
        if one.arguments != other.arguments:
            if difference := _difference(one.arguments, other.arguments):
                return Comparison(Agreement.DIFFERENT, f"call {at} ({one.name!r}): {difference}")
            cause = cause or f"call {at} ({one.name!r}): the same value written in another way"
    return Comparison(Agreement.EQUAL_AS_JSON if cause else Agreement.EQUAL, cause)


def _match(sent: list[Call], wanted: list[Call]) -> list[int | None]:
    """For each wanted call the place in `sent` of its partner."""
    matches: list[int | None] = [None] * len(wanted)
    left = dict(enumerate(sent))
    spent = {at: one.runnable for at, one in left.items()}

    def may_be(at: int, place: int) -> bool:
        one, call = sent[at], wanted[place]
        return matches[place] is None and not (one.span and call.span) and _goes_on(one, call, spent[at])

    def take(at: int, place: int) -> None:
        matches[place] = at
        del left[at]

    for place, call in enumerate(wanted):
        overlaps = [(_overlap(one.span, call.span), -at) for at, one in left.items() if one.span and call.span]
        shared, at = max(overlaps, default=(0, 0))
        if shared > 0 and _goes_on(sent[-at], call, spent[-at]):
            take(-at, place)
    for at in [at for at in left if spent[at]]:
        equal = [place for place in range(len(wanted)) if may_be(at, place)]
        if equal:
            index = sent[at].index
            take(at, index if index in equal else equal[0])
    at_index = {one.index: at for at, one in left.items()}
    for place, call in enumerate(wanted):
        if call.index in at_index and may_be(at_index[call.index], place):
            take(at_index[call.index], place)
    return matches


def _goes_on(one: Call, call: Call, spent: bool) -> bool:
    """Whether `call` is what was sent, or what that still can become."""
    if one.name != call.name:
        return False
    if spent or one.status is not None:
        return one.arguments.rstrip(WHITESPACE) == call.arguments.rstrip(WHITESPACE)
    return call.arguments.startswith(one.arguments)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> int:
    return min(one[1], other[1]) - max(one[0], other[0])


def _rest(index: int, one: Call, call: Call) -> Iterable[Event]:
    """What makes `call` out of the open call `one`. Whitespace after a value that is complete is not sent."""
    arguments = one.arguments if one.runnable else call.arguments
    if rest := arguments[len(one.arguments) :]:
        yield ArgumentsDelta(index, rest)
    if is_json(arguments):
        yield ToolCallEnd(index, CallStatus.COMPLETE, arguments)
    else:
        yield ToolCallEnd(index, CallStatus.INCOMPLETE, arguments, Reason.TEXT_ENDED)


def _difference(one: str, other: str) -> str | None:
    try:
        same = _canonical(one) == _canonical(other)
    except RecursionError:
        return "the arguments are nested too deep to be compared"
    except ValueError as error:
        return f"the arguments are not JSON ({error})"
    return None if same else "the arguments have different values"


def _canonical(text: str) -> str:
    """JSON as a text in which 1, 1.0 and true stay apart and the order of keys does not matter."""
    return json.dumps(json.loads(text, parse_constant=_refuse), sort_keys=True)


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")


def _calls(calls: Sequence[CallLike]) -> list[Call]:
    return [_call(call, at) for at, call in enumerate(calls)]


def _call(call: CallLike, at: int) -> Call:
    if isinstance(call, Call):
        return call if call.index is not None else replace(call, index=at)
    if not isinstance(call, Mapping):
        return Call(call.name, call.arguments, call.id, call.index, None, call.status)
    function = call["function"]
    arguments = function.get("arguments") or ""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False)
    span, status = call.get("span"), call.get("status")
    return Call(
        function["name"],
        arguments,
        call.get("id"),
        call.get("index", at),
        span and (span[0], span[1]),
        None if status is None else CallStatus(status),
    )


def _index(call: Call) -> int:
    assert call.index is not None  # _call() has set it
    return call.index


def _mint(index: int, name: str) -> str:
    return "call_" + secrets.token_hex(12)
