"""StreamParser: text in, events out.

Each piece goes through a gate (gates.pyx) or takes the whole way: it joins what is still undecided (intake.pyx), and
the reading (reading.pyx) runs until it has used it up.
"""

cimport cython
from libc.string cimport memset
from cpython.object cimport PyObject

from .confirm import simdjson_parser
from .errors import OptionError, ParserStateError
from .events cimport ArgumentsDelta, ContentDelta, ReasoningDelta, ToolCallStart, new_delta
from .finish import finish_reason
from .gates cimport ESCAPED, ITSELF, NOTHING, SHUT, TEXT_GATE, pass_piece, take_escaped
from .limits import Limits
from .options import AUTO, DEFAULT_WORDS, check_words, read_choice, read_format, read_stop
from .plans import plan_for
from .readers.buffer cimport buffer_copy
from .readers.turn cimport CONTENT, HELD, NO_CALL, REASONING, Reader, SENT, TurnLimits
from .references cimport alone, given
from .state cimport ParserState
from .text cimport BLOCK, OVER
from .tools import Tools

__all__ = ["StreamParser"]

REQUIRED_WARNING = "required_without_call"


cdef TurnLimits read_limits(object limits) except *:
    if type(limits) is not Limits:
        raise OptionError(f"limits: expected a toolweir.Limits, got {limits!r}")
    return TurnLimits(
        header=limits.header, name=limits.name, id=limits.id, value=limits.value,
        arguments_before_name=limits.arguments_before_name, quoted_hold=limits.quoted_hold,
        resync_hold=limits.resync_hold, malformed=limits.malformed, whitespace=limits.whitespace, calls=limits.calls,
        parameters=limits.parameters, depth=limits.depth, arguments=limits.arguments,
    )


cdef TurnLimits DEFAULT_LIMITS = read_limits(Limits())

USUAL = {}
"""(format name, whether there are calls) -> (format, plan) of parsers whose options need no other plan."""


cdef inline PyObject *delta(StreamParser parser, object text) except NULL:
    """The event of a text that went through the gate just now: a new reference."""
    cdef Py_ssize_t end = parser.s.mark_point
    cdef Py_ssize_t start = end - parser.passed
    if parser.gate != TEXT_GATE:
        return new_delta(ArgumentsDelta, parser.s.index, text, start, end)
    if parser.s.channel == CONTENT:
        return new_delta(ContentDelta, -1, text, start, end)
    return new_delta(ReasoningDelta, -1, text, start, end)


cdef inline PyObject *only_delta(StreamParser parser, object text) except NULL:
    """The same as the only event there is, in a tuple. Where there is no memory for it the parser is torn."""
    cdef PyObject *events
    parser.torn = True
    events = alone(delta(parser, text))
    parser.torn = False
    return events


cdef class StreamParser(ParserState):
    """Reads what a model writes, piece by piece, and tells content, reasoning and tool calls as they come.

    >>> parser = StreamParser("hermes", tools=tools)
    >>> for piece in pieces:                          # str, or UTF-8 bytes cut anywhere
    ...     for event in parser.feed(piece): ...      # a tuple; () when nothing is decided
    >>> for event in parser.finish("stop"): ...       # the engine's finish reason

    One parser reads one choice of one response, in one thread at a time. docs/events.md describes the events,
    docs/options.md every option. Raises UnknownFormatError, ToolDefinitionError or OptionError.
    """

    def __init__(
        self, format, *, tools=None, tool_choice="auto", bint parallel_tool_calls=True, max_tool_calls=None,
        output="native", reasoning="auto", calls_in_reasoning=None, unknown_tools="forward", stop=(), ids="auto",
        make_id=None, bint malformed_as_text=False, on_broken_call="length", value_whitespace=None,
        argument_style="compact", bint stream_values=False, bint trim=False, confirm="auto", bint strict=False,
        limits=None,
    ):
        self.refuse_if_busy()
        words = (output, reasoning, unknown_tools, ids, on_broken_call, value_whitespace, argument_style, confirm)
        usual = words == DEFAULT_WORDS and calls_in_reasoning is None and not stop and not stream_values
        if words != DEFAULT_WORDS:
            check_words(words)
        if max_tool_calls is not None and (type(max_tool_calls) is not int or max_tool_calls < 0):
            raise OptionError(f"max_tool_calls: expected None or a number of calls, got {max_tool_calls!r}")
        if make_id is not None and not callable(make_id):
            raise OptionError(f"make_id: expected a function of (index, name), got {make_id!r}")
        self.limits = DEFAULT_LIMITS if limits is None else read_limits(limits)
        self.tools = Tools.of(tools)
        choice = AUTO if tool_choice == "auto" else read_choice(tool_choice, self.tools)
        self.mode = choice.mode
        self.chosen = choice.name
        self.stop = read_stop(stop) if stop else ()
        self.unknown_tools = unknown_tools
        self.parallel = parallel_tool_calls
        self.most_calls = -1 if max_tool_calls is None else max_tool_calls
        self.make_id = make_id
        self.malformed_as_text = malformed_as_text
        self.on_broken_call = on_broken_call
        self.trim = trim
        self.confirm = confirm
        self.strict = strict
        self.starts_in_thought = reasoning == "started"
        calls = choice.mode != "none" and (self.tools is None or len(self.tools) > 0)
        key = (format, calls)
        if usual and type(format) is str and key in USUAL:
            self.format, self.plan = USUAL[key]
        else:
            if confirm != "never":
                simdjson_parser()
            self.format = read_format(format)
            self.plan = plan_for(
                self.format, calls=calls, guided=output == "guided", chosen=self.chosen, reasoning=reasoning,
                calls_in_reasoning=calls_in_reasoning, ids=ids, stop=self.stop, value_whitespace=value_whitespace,
                argument_style=argument_style, stream_values=stream_values,
            )
            if usual and type(format) is str:
                USUAL[key] = (self.format, self.plan)
        self.reset()

    def reset(self):
        """Forget the text; the options stay. Raises ParserStateError while the parser is feeding."""
        self.refuse_if_busy()
        self.torn = True
        memset(&self.s, 0, sizeof(self.s))
        memset(&self.r, 0, sizeof(self.r))
        memset(&self.partial, 0, sizeof(self.partial))
        self.s.hidden = self.s.held_from = -1
        self.window.length = self.window_start = self.arguments.length = 0
        self.view_window()
        self.out = []
        self.warned = {}
        self.used_ids = set()
        self.readers = [None] * len(self.plan.readers)
        self.reader = self.piece = self.lender = self.deferred = None
        self.stop_sequence = self.final_reason = self.native_id = self.reason = self.broken_reason = None
        self.r.blank = True
        self.r.echo = self.starts_in_thought
        self.s.channel = REASONING if self.starts_in_thought else CONTENT
        self.gate = SHUT
        self.busy = self.finished = self.fed = False
        self.choose_table()
        self.torn = False

    # Feeding

    def feed(self, piece, /):
        """Read a piece: str, or UTF-8 bytes cut anywhere. Returns a tuple of events, () when nothing is decided.

        Raises ParserStateError after finish() and while another thread feeds, TypeError for other types. What the model
        wrote never raises. MemoryError where memory runs out: nobody knows then what of the piece was read, and but for
        reset() the parser raises ParserStateError.
        """
        cdef int passage
        if self.gate != SHUT and not self.torn:
            passage = pass_piece(self, piece)
            if passage == ITSELF:
                return given(only_delta(self, piece))
            if passage == NOTHING:
                return ()
            if passage == ESCAPED:
                return given(only_delta(self, take_escaped(self)))
        return self.take_whole_way(piece)

    def feed_special(self, text, /):
        """Read a special token of the model's vocabulary; returns events as feed() does.

        Once this was used, a marker that is a special token of the format is prose in the text of feed(): the model
        spelled it with ordinary tokens. A special token that is no marker of the format is text.
        """
        if not isinstance(text, str):
            raise TypeError(f"feed_special: expected str, got {type(text).__name__}")
        self.enter()
        try:
            self.finish_partial()
            if text in self.plan.tokens:
                self.read_token(text)
            else:
                self.set_apart()
                self.read(text)
            return self.events()
        finally:
            self.busy = False

    cdef int read_token(self, object text) except -1:
        """Read a marker that came as one token: what stands before it is no part of it."""
        self.settle_partial()
        self.r.apart = self.r.special = True
        self.choose_table()
        self.read(text)
        self.settle_partial()
        self.r.special = False
        self.choose_table()
        return self.leave()

    def prime(self, text, /):
        """What the prompt or a prefill already wrote: moves the state, sends nothing.

        If it ends inside a call whose name is complete, the first feed() begins with the start of that call and its
        arguments so far, for the client has not seen them. Raises ParserStateError after the first feed().
        """
        if self.fed:
            raise ParserStateError("prime() comes before the first feed(), and the parser has read text already")
        self.enter()
        try:
            self.read(text)
            self.s.primed = self.s.limit
            opened = self.r.mode == BLOCK and self.s.call == SENT and self.s.arguments_open
            earlier = (self.deferred or []) + self.out
            self.deferred = [as_first(event) for event in earlier if opened and event_index(event) == self.s.index]
            self.out = []
            self.warned = {}
            self.s.index = 0
            self.s.started = self.s.position = opened
            self.s.invalid = self.s.incomplete = self.s.malformed = self.s.skipped = 0
            self.fed = self.torn = False
        finally:
            self.busy = False

    def flush_held(self):
        """Send what is held as if the text ended here, but stay open: for hosts that never call finish().

        A call whose name is complete stays open; one that is still without becomes a MalformedCall.
        """
        self.enter()
        try:
            if self.r.mode != BLOCK or self.s.call == NO_CALL or self.s.call == HELD:
                self.settle()
            self.leave()
            return self.events()
        finally:
            self.busy = False

    def finish(self, reason=None, /):
        """The text ended, for this reason of the engine; returns the last events. `result` is complete then.

        Raises ParserStateError if the parser is finished already.
        """
        self.enter()
        try:
            self.end_of_input()
            if self.s.started == 0 and self.mode in ("required", "named"):
                self.warned[REQUIRED_WARNING] = 1
            self.final_reason = finish_reason(
                reason, sent=self.s.started, broken=self.s.invalid + self.s.incomplete, stopped=self.r.mode == OVER,
                on_broken_call=self.on_broken_call,
            )
            self.finished = True
            return self.events()
        finally:
            self.busy = False

    @cython.final
    cdef tuple take_whole_way(self, object piece):
        self.enter()
        try:
            self.read(piece)
            return self.events()
        except (TypeError, BufferError):  # the piece is none: nothing was read
            self.torn = False
            raise
        finally:
            self.busy = False

    @cython.final
    cdef PyObject *as_events(self, object text) except NULL:
        """What take_one() told of a piece that went through a gate, as feed() tells it."""
        return only_delta(self, text)

    cdef int keep(self, object read) except -1:
        """What take_one() told and nobody took comes first with the next events."""
        cdef bint torn = self.torn
        self.torn = True
        cdef list events = list(read) if type(read) is tuple else [given(delta(self, read))]
        if events:
            self.shut_gate()
            self.deferred = events if self.deferred is None else self.deferred + events
        self.torn = torn
        return 0

    cdef void shut_gate(self) noexcept:
        if not self.holds():  # the gate moved only the counters
            self.s.text_from = self.r.scan = self.r.seen = self.s.limit = self.s.pos = self.s.mark = self.s.base
        self.gate = SHUT

    cdef int refuse_if_busy(self) except -1:
        if self.busy:
            raise ParserStateError("the parser is in use: one thread at a time may feed it, never from inside make_id")
        return 0

    cdef int refuse_if_torn(self) except -1:
        if self.torn:
            raise ParserStateError(
                "the parser stopped in the middle of a piece (memory ran out, or make_id raised): "
                "reset() it or make a new one"
            )
        return 0

    cdef int enter(self) except -1:
        self.refuse_if_busy()
        if self.finished:
            raise ParserStateError("the parser is finished: reset() it or make a new one")
        self.refuse_if_torn()
        self.busy = self.fed = self.torn = True
        self.shut_gate()
        return 0

    cdef tuple events(self):
        cdef list out = self.out
        self.open_gate()
        if self.deferred is not None:
            out = self.deferred + out
            self.deferred = None
            self.out = []
        events = tuple(out) if out else ()
        out.clear()
        self.torn = False
        return events

    # The whole

    def copy(self):
        """An independent parser in the same state, for rewinding samplers and beams."""
        cdef StreamParser other = StreamParser.__new__(StreamParser)
        cdef Reader reader
        self.refuse_if_busy()
        self.refuse_if_torn()
        other.s = self.s
        other.r = self.r
        other.partial = self.partial
        other.window_start = self.window_start
        other.fresh = self.fresh
        buffer_copy(&other.window, &self.window)
        buffer_copy(&other.arguments, &self.arguments)
        other.view_window()
        other.s.limit = self.s.limit
        other.plan, other.tools, other.chosen = self.plan, self.tools, self.chosen
        other.unknown_tools = self.unknown_tools
        other.parallel, other.most_calls, other.make_id = self.parallel, self.most_calls, self.make_id
        other.limits, other.confirm, other.strict = self.limits, self.confirm, self.strict
        other.table, other.stop, other.stop_sequence = self.table, self.stop, self.stop_sequence
        other.trim, other.malformed_as_text = self.trim, self.malformed_as_text
        other.native_id, other.reason, other.broken_reason = self.native_id, self.reason, self.broken_reason
        other.format, other.mode, other.on_broken_call = self.format, self.mode, self.on_broken_call
        other.final_reason, other.starts_in_thought = self.final_reason, self.starts_in_thought
        other.finished, other.fed, other.gate = self.finished, self.fed, self.gate
        other.warned, other.used_ids, other.out = dict(self.warned), set(self.used_ids), []
        other.deferred = None if self.deferred is None else list(self.deferred)
        other.readers = [None if reader is None else reader.copy() for reader in self.readers]
        if self.reader is not None:
            other.reader = other.readers[self.readers.index(self.reader)]
            other.scanner = other.reader.strict_scanner()
            other.closer = other.reader.string_closer()
            other.space_waits = self.space_waits
        return other

    def __copy__(self):
        return self.copy()

    def __reduce__(self):
        raise TypeError("a StreamParser cannot be pickled: it holds the middle of a text; copy() makes another one")

    def __repr__(self):
        return f"<StreamParser {self.format.name} at {self.offset}, in {self.channel}>"


cdef Py_ssize_t event_index(object event):
    return getattr(event, "index", -1)


cdef object as_first(object event):
    """An event of the call that a prompt opened, as an event of the first call."""
    if isinstance(event, ToolCallStart):
        return type(event)(0, event.id, event.name, 0, event.span)
    return ArgumentsDelta(0, event.text, event.span)
