"""Complete tool calls out of a stream of OpenAI chat chunks, each once, as early as its JSON closes.

Theory of operation. A call is known by its choice and its index, never by its id. It accumulates until it is either
emitted or invalid, and stays that for good: later fragments change nothing, they can only be worth a warning.

    for each fragment       merge it (merge.pyx); a conflict makes the call invalid: nobody knows whose it is
                            scan its new bytes for the end of the arguments (json_edge.h)
                            closed: validate all of them, once; with id and name the call goes out
    on the finish reason    tool_calls, stop: calls without arguments and scalars, whose end no byte tells, are decided
                            any other: what did not go out is invalid, the model was cut off

The edge scanner sees every byte once, and validation is one pass a call, so the whole is linear. Whatever is wrong with
the stream is counted in `stats.warnings` and logged, at most once a call; it never raises and never alters the stream.
"""

import logging

cimport cython
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject

from ..scan.json_scanner cimport TW_EDGE_CLOSED, TW_EDGE_MALFORMED, tw_edge, tw_edge_feed, tw_edge_verdict
from .merge cimport Conflict, MergedCall, Payload, field
from .plain cimport entries, entry, is_none, is_number, is_str, only_item
from .strict cimport is_json_text

from ..confirm import Verdict, confirm, simdjson_parser
from ..errors import ParserStateError
from ..limits import Limits
from .calls import CallReport, CallState, CompletedCall, DispatchStats
from .sse import read_event

__all__ = ["ToolCallDispatcher"]

logger = logging.getLogger("toolweir.dispatch")

cdef object VALID = Verdict.VALID
cdef object UNDECIDED = Verdict.UNDECIDED
cdef tuple STATES = (CallState.ACCUMULATING, CallState.INVALID, CallState.EMITTED)
cdef tuple REASON_OF_CONFLICT = (
    None, "identity_conflict", "identity_conflict", "identity_conflict", "malformed", "limit"
)
cdef enum:
    LONGEST_REASON = 64    # characters kept of a finish reason

cdef enum State:
    ACCUMULATING
    INVALID
    EMITTED


@cython.final
cdef class Choice:
    cdef Py_ssize_t index
    cdef dict calls            # by index
    cdef dict undecided        # those that accumulate
    cdef bint finished

    def __cinit__(self, Py_ssize_t index):
        self.index = index
        self.calls = {}
        self.undecided = {}


@cython.final
cdef class Call(MergedCall):
    cdef Py_ssize_t choice_index   # not the Choice: calls and choices must not form cycles
    cdef Py_ssize_t index
    cdef State state
    cdef tw_edge edge
    cdef Py_ssize_t scanned    # bytes of text
    cdef bint confirmed
    cdef bint logged
    cdef object reason         # why it is invalid
    cdef object completed      # the CompletedCall that went out


cdef inline Py_ssize_t as_index(object value):
    """-1 for what is no index."""
    cdef int overflow = 0
    cdef long long number
    if not PyLong_CheckExact(value):
        return -1
    number = PyLong_AsLongLongAndOverflow(value, &overflow)
    return -1 if overflow or number < 0 else <Py_ssize_t>number


@cython.final
cdef class ToolCallDispatcher:
    """Watches the chunks of one response and hands out each tool call when it is complete.

    parallel_tool_calls: False ignores every call but index 0, as a server does that allows one.
    seal: True ignores calls that begin after the finish reason of their choice.
    limits: `arguments`, `dispatch_calls` and `dispatch_bytes` apply; a call past them is invalid.

    One dispatcher serves one response and one thread at a time.
    """

    cdef readonly object stats
    cdef bint parallel, seal, closed
    cdef bint torn                   # memory ran out in the middle of a chunk
    cdef Py_ssize_t most_calls, most_bytes, longest
    cdef Py_ssize_t count, kept      # calls known; bytes kept of them
    cdef dict choices
    cdef Choice choice               # the one that is looked at, or was last
    cdef Call call                   # likewise; always one of that choice
    cdef set logged

    def __init__(self, *, bint parallel_tool_calls=True, bint seal=False, limits=None):
        limits = Limits() if limits is None else limits
        simdjson_parser()
        self.stats = DispatchStats()
        self.parallel = parallel_tool_calls
        self.seal = seal
        self.most_calls = limits.dispatch_calls
        self.most_bytes = limits.dispatch_bytes
        self.longest = limits.arguments
        self.choices = {}
        self.logged = set()

    def observe(self, chunk):
        """The calls that this chunk completes, in order; mostly ().

        `chunk` is a dict as json reads it, or an object with the same fields, as the openai SDK has. Raises
        ParserStateError after finish(). Should memory run out, MemoryError; what was read of the chunk is not known
        then, and the response wants another dispatcher.
        """
        try:
            return self.read_chunk(chunk)
        except MemoryError:
            self.torn = True
            raise

    cdef tuple read_chunk(self, object chunk):
        cdef list completed = None
        cdef object choices, choice
        cdef Py_ssize_t size
        cdef PyObject *piece = self.plain_piece(<PyObject *>chunk)
        if piece is not NULL:
            size = self.call.size
            completed = self.advance(self.call, size, self.call.add(<object>piece), completed)
            return () if completed is None else tuple(completed)
        if self.closed:
            raise ParserStateError("observe: the stream was finished; a new response needs a new dispatcher")
        if self.torn:
            raise ParserStateError("observe: memory ran out in the middle of a chunk; begin with another dispatcher")
        choices = field(chunk, "choices")
        if type(choices) is list:
            for choice in <list>choices:
                completed = self.observe_choice(choice, completed)
        return () if completed is None else tuple(completed)

    def observe_bytes(self, data):
        """The same for one line, or one whole event, of a server-sent stream: `data: {...}`, as bytes or str.

        Comments, other fields and `[DONE]` complete nothing; data that is not JSON is a warning.
        """
        try:
            chunk = read_event(data.encode() if isinstance(data, str) else bytes(data))
        except ValueError as error:
            self.warn("event", f"an event whose data is not JSON ({error})")
            return ()
        return () if chunk is None else self.observe(chunk)

    def finish(self):
        """Ends the stream: what is open will not be dispatched. Returns (): silence completes no call."""
        self.closed = True
        for self.choice in self.choices.values():
            for call in list(self.choice.undecided.values()):
                self.give_up(call, "finish:none")
        return ()

    def report(self, Py_ssize_t choice_index, Py_ssize_t index):
        """The CallReport of one call, or None if it is not known."""
        cdef Choice choice = self.choices.get(choice_index)
        cdef Call call = None if choice is None else choice.calls.get(index)
        return None if call is None else self.report_of(call)

    def reports(self):
        """A CallReport for each call, in order of choice and of first appearance."""
        cdef Choice choice
        return tuple([self.report_of(call) for choice in self.choices.values() for call in choice.calls.values()])

    cdef object report_of(self, Call call):
        return CallReport(call.choice_index, call.index, call.id, call.name, STATES[call.state], call.reason)

    cdef PyObject *plain_piece(self, PyObject *chunk) noexcept:
        """The piece, if the chunk is more arguments of the last call and nothing else; otherwise NULL.

        Nearly every chunk is. It is read by borrowed references: a reference count that is not touched leaves its cache
        line clean, and a chunk is a dozen objects.
        """
        cdef Call call = self.call
        cdef PyObject *choice
        cdef PyObject *fragment
        cdef PyObject *function
        cdef PyObject *piece
        if call is None or call.state != State.ACCUMULATING or call.payload != Payload.FUNCTION or self.torn:
            return NULL
        choice = only_item(entry(chunk, "choices"))
        fragment = only_item(entry(entry(choice, "delta"), "tool_calls"))
        function = entry(fragment, "function")
        piece = entry(function, "arguments")
        if piece is NULL or not is_str(piece) or entries(function) != 1 or entries(fragment) != 2:
            return NULL
        if not is_number(entry(choice, "index"), call.choice_index):
            return NULL
        if not is_number(entry(fragment, "index"), call.index):
            return NULL
        return piece if is_none(entry(choice, "finish_reason")) else NULL

    cdef list observe_choice(self, object choice, list completed):
        cdef object fragments = field(field(choice, "delta"), "tool_calls")
        cdef object reason = field(choice, "finish_reason")
        cdef object fragment
        cdef Py_ssize_t index
        if fragments is None and reason is None:
            return completed
        index = as_index(field(choice, "index"))
        if index < 0:
            self.warn("choice", "a choice without an index: its calls cannot be told apart")
            return completed
        if self.choice is None or self.choice.index != index:
            self.choice = self.choices.get(index)
            self.call = None
            if self.choice is None:
                self.choice = Choice(index)
        if type(fragments) is list:
            for fragment in <list>fragments:
                completed = self.observe_fragment(fragment, completed)
        if isinstance(reason, str) and reason:
            completed = self.conclude(reason, completed)
        return completed

    cdef list observe_fragment(self, object fragment, list completed):
        cdef Py_ssize_t index = as_index(field(fragment, "index"))
        cdef Py_ssize_t size
        if index < 0:
            self.warn("index", "a tool call without an index: nobody can say which call it belongs to")
            return completed
        if index > 0 and not self.parallel:
            return completed
        if self.call is None or self.call.index != index:
            self.call = self.find_call(index)
            if self.call is None:
                return completed
        if self.call.state == State.ACCUMULATING:
            size = self.call.size
            return self.advance(self.call, size, self.call.merge(fragment), completed)
        if self.call.state == State.EMITTED:
            self.compare(self.call, fragment)
        return completed

    cdef Call find_call(self, Py_ssize_t index):
        cdef Choice choice = self.choice
        cdef Call call = choice.calls.get(index)
        if call is not None:
            return call
        if choice.finished and self.seal:
            self.warn("sealed", f"choice {choice.index} began call {index} after its finish reason")
            return None
        if self.count >= self.most_calls:
            self.warn("calls", f"more than {self.most_calls} calls (Limits.dispatch_calls)")
            return None
        call = Call(self.longest)
        call.choice_index = choice.index
        call.index = index
        choice.calls[index] = choice.undecided[index] = call
        self.choices[choice.index] = choice
        self.count += 1
        return call

    cdef list advance(self, Call call, Py_ssize_t size, int conflict, list completed):
        """After a fragment was merged into a call that kept `size` bytes before."""
        cdef int verdict
        self.kept += call.size - size
        if conflict != Conflict.NONE or self.kept > self.most_bytes:
            self.fail(call, REASON_OF_CONFLICT[conflict] or "limit")
            return completed
        if call.payload == Payload.CUSTOM:
            return completed
        if call.scanned < call.length:
            tw_edge_feed(&call.edge, call.text + call.scanned, call.length - call.scanned)
            call.scanned = call.length
        verdict = tw_edge_verdict(&call.edge)
        if verdict == TW_EDGE_MALFORMED:
            self.fail(call, "malformed")
        elif verdict == TW_EDGE_CLOSED:
            if not call.confirmed and not self.validate(call):
                self.fail(call, "not_json")
            elif call.id is not None and call.name is not None:
                completed = self.emit(call, completed)
        return completed

    cdef list conclude(self, str reason, list completed):
        """The finish reason of the choice decides every call that is still open."""
        cdef Choice choice = self.choice
        cdef Call call
        cdef object index
        choice.finished = True
        if self.seal and len(self.choices) < self.most_calls:
            self.choices[choice.index] = choice
        for index in sorted(choice.undecided):
            call = choice.undecided[index]
            if reason not in ("tool_calls", "stop"):
                self.give_up(call, "finish:" + reason[:LONGEST_REASON])
                continue
            if call.payload != Payload.CUSTOM and call.length and not call.confirmed:
                if not call.edge.scalar:
                    self.fail(call, "incomplete")
                    continue
                if not self.validate(call):
                    self.fail(call, "not_json")
                    continue
            if call.id is None or call.name is None:
                self.give_up(call, "no_identity")
            else:
                completed = self.emit(call, completed)
        return completed

    cdef bint validate(self, Call call):
        """Validates the whole arguments: simdjson, and where it cannot decide the strict scanner."""
        cdef object verdict
        self.stats.confirmations += 1
        verdict = confirm(call.joined())
        call.confirmed = verdict is VALID or (verdict is UNDECIDED and is_json_text(call.text, call.length))
        return call.confirmed

    cdef list emit(self, Call call, list completed):
        cdef object kind = call.type
        if kind is None and call.payload == Payload.CUSTOM:
            kind = "custom"
        call.completed = CompletedCall(call.choice_index, call.index, call.id, kind, call.name, call.arguments)
        call.state = State.EMITTED
        call.drop_text()   # the completed call has it now, so self.kept stays
        del self.choice.undecided[call.index]
        self.stats.dispatched += 1
        if completed is None:
            completed = []
        completed.append(call.completed)
        return completed

    cdef compare(self, Call call, object fragment):
        """After a call went out, only its exact repetition is not worth a warning."""
        cdef object done = call.completed
        cdef bint custom = call.payload == Payload.CUSTOM
        cdef object payload = field(fragment, "custom" if custom else "function")
        cdef tuple said = (
            field(fragment, "id"), field(fragment, "type"), field(payload, "name"),
            field(payload, "input" if custom else "arguments"),
        )
        if said != (done.id, call.type, done.name, done.arguments):
            self.warn_of(call, "more came for a call that was dispatched")

    cdef fail(self, Call call, str reason):
        self.give_up(call, reason)
        self.warn_of(call, f"will not be dispatched: {reason}")

    cdef give_up(self, Call call, str reason):
        call.state = State.INVALID
        call.reason = reason
        self.kept -= call.length
        call.drop_text()
        del self.choice.undecided[call.index]

    cdef warn_of(self, Call call, str what):
        self.stats.warnings += 1
        if not call.logged:
            call.logged = True
            logger.warning("choice %d, tool call %d (%r): %s", call.choice_index, call.index, call.id, what)

    cdef warn(self, str kind, str what):
        """A warning that concerns no known call; of each kind the first is logged."""
        self.stats.warnings += 1
        if kind not in self.logged:
            self.logged.add(kind)
            logger.warning("chunk stream: %s", what)
