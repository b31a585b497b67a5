"""Stream: what the three APIs have in common, and the whole of their hot path.

Theory of operation. A turn is a run of segments: text of the answer, text of the thought, calls. One is open at a time.
Its text gathers in one buffer of UTF-8; what lies behind `sent` has not gone out. A delta appends to the buffer and,
unless deltas are to be joined, leaves at once: through the open segment's template if bytes are wanted, as a dict if a
host encodes for itself. Everything else (a segment begins or ends, the turn ends) is rare and is said by the subclass,
in Python, as dicts.

    NEW --start()--> OPEN --finish(), error()--> CLOSED
                       |
                       +--memory runs out in the middle of a step--> TORN
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from cpython.unicode cimport (
    PyUnicode_1BYTE_DATA, PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_KIND,
)

from ..errors import OptionError, ParserStateError
from ..events cimport ArgumentsDelta, ContentDelta, Event, ReasoningDelta, ToolCallEnd, ToolCallStart
from ..outcomes import CallStatus
from ..parser cimport StreamParser
from ..readers.buffer cimport Buffer, buffer_free, buffer_append, buffer_reserve
from ..scan.utf8 cimport tw_utf8_from_latin1, tw_utf8_from_ucs2, tw_utf8_from_ucs4
from .sse cimport Template, Writer

__all__ = ["Stream"]

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

COMPLETE = CallStatus.COMPLETE
INCOMPLETE = CallStatus.INCOMPLETE
WHOLE = ("stop", "tool_calls")  # finish reasons of a turn that the model ended itself


cdef enum State:
    NEW
    OPEN
    TORN
    CLOSED


cdef enum Kind:
    NONE
    CONTENT
    REASONING
    CALL


cdef enum Join:
    EACH = 0       # a frame for each event
    STEP = -1      # a frame for each feed(); else the bytes that a frame waits for


cdef class Stream:
    """Turns the events of a parser into the frames of an API; `feed` reads text and returns bytes to send.

    Subclasses say what the frames are, below `_begin`; they send them with `_send`.
    """

    cdef StreamParser parser
    cdef object read               # parser.feed, bound once
    cdef Writer writer
    cdef list dicts                # where frames go instead, while a host encodes for itself
    cdef State state
    cdef Py_ssize_t join           # a Join, or bytes
    cdef Py_ssize_t number
    cdef Kind kind                 # of the open segment
    cdef Template template
    cdef bint hidden               # it is not sent
    cdef Buffer text
    cdef Py_ssize_t sent
    cdef object decoder            # what makes text of the open call's arguments, or None
    cdef object scores             # told of every piece of content that comes, or None

    def __init__(self, StreamParser parser not None, *, coalesce=None, bint named=False):
        if coalesce is None:
            self.join = Join.EACH
        elif coalesce == "feed":
            self.join = Join.STEP
        elif type(coalesce) is int and coalesce > 0:
            self.join = coalesce
        else:
            raise OptionError(f"coalesce: expected None, 'feed' or a number of bytes from 1, got {coalesce!r}")
        self.parser = parser
        self.read = parser.feed
        self.writer = Writer(named)

    def __dealloc__(self):
        buffer_free(&self.text)

    # For hosts

    def start(self):
        """The frames before any text. Optional: whatever comes first begins with them."""
        if self.state != NEW:
            raise ParserStateError("start: the stream has begun already")
        self.enter()
        return self.writer.take()

    def feed(self, piece, /):
        """Read a piece, as StreamParser.feed does; returns the frames to send, b"" when nothing is decided."""
        if self.state != OPEN:
            self.enter()
        return self.step(self.read(piece))

    def feed_special(self, text, /):
        """Read a special token of the model's vocabulary, as StreamParser.feed_special does."""
        self.enter()
        return self.step(self.parser.feed_special(text))

    def flush(self):
        """The frame of the deltas that wait to be joined."""
        if self.state == OPEN or self.state == TORN:
            self.enter()
            self.state = TORN
            self.send_text()
            self.state = OPEN
        return self.writer.take()

    def finish(self, reason=None, usage=None):
        """The text ended, for this reason of the engine: the last frames.

        `usage` counts tokens (a `Usage` or a mapping). Raises ParserStateError when the stream has ended already.
        """
        self.enter()
        self.follow(self.parser.finish(reason), usage)
        return self.writer.take()

    def error(self, message, type="server_error"):
        """The host failed: the last frames, which tell the client so. Calls that are open stay broken."""
        self.enter()
        self.state = TORN
        self.send_text()
        self._fail(message, type)
        self.state = CLOSED
        return self.writer.take()

    def ping(self):
        """What keeps an idle connection alive and no client takes for text."""
        if self.state == NEW or self.state == TORN:
            self.enter()
        self.writer.raw(self._ping())
        return self.writer.take()

    def events_of(self, events, usage=None):
        """The frames as dicts, for a host that feeds the parser and encodes by itself.

        The first ones come with the first events, the last ones with those of the parser's finish().
        """
        self.dicts = []
        try:
            self.follow(tuple(events), usage)
            return self.dicts
        finally:
            self.dicts = None

    def bytes_of(self, events, usage=None):
        """The frames as bytes, for a host that feeds the parser and looks at the events too; else as events_of()."""
        self.follow(tuple(events), usage)
        return self.writer.take()

    # What subclasses say

    def _begin(self):
        """Send the frames before any text."""
        raise NotImplementedError

    def _open_text(self, kind, /):
        """A segment of text begins, "content" or "reasoning"."""
        raise NotImplementedError

    def _open_call(self, start, /):
        """A call begins, with this ToolCallStart."""
        raise NotImplementedError

    def _delta(self, text, number, /):
        """The frame for more text of the open segment, as a dict; None if the segment is not sent."""
        raise NotImplementedError

    def _close(self, text, status, /):
        """The open segment ended; `text` is all of it, `status` a word of CallStatus."""
        raise NotImplementedError

    def _end(self, result, usage, /):
        """Send the last frames, for the parser's result."""
        raise NotImplementedError

    def _fail(self, message, type, /):
        """Send the last frames of a turn that failed."""
        raise NotImplementedError

    def _ping(self):
        """The bytes of a ping."""
        raise NotImplementedError

    # For subclasses

    def _send(self, dict frame not None):
        """Send a frame."""
        if self.dicts is None:
            self.writer.frame(frame)
        else:
            self.dicts.append(frame)

    def _send_raw(self, bytes data not None):
        """Send what is no frame of data; a host that encodes for itself does not get it."""
        if self.dicts is None:
            self.writer.raw(data)

    def _shut(self, str status not None):
        """The open segment ends, if there is one, and this is how."""
        self.shut(status)

    def _number(self):
        """The next number of a frame."""
        cdef Py_ssize_t number = self.number
        self.number += 1
        return number

    @property
    def _parser(self):
        return self.parser

    @property
    def _tools(self):
        return self.parser.tools

    @property
    def _chosen_by_name(self):
        return self.parser.mode == "named"

    @property
    def _ended(self):
        return self.state == CLOSED

    def _decode_with(self, decoder):
        """The open call's text is what `decoder` makes of its arguments: feed(text) and finish() return str."""
        self.decoder = decoder

    def _score_with(self, scores):
        """Call `scores(start, end)` for every piece of content; a frame each time anew, without a template."""
        self.scores = scores

    # Inside

    cdef int enter(self) except -1:
        if self.state == CLOSED:
            raise ParserStateError("the stream has ended: a second finish, or text after the end")
        if self.state == TORN:
            raise ParserStateError("the stream stopped in the middle of a frame (memory ran out?): it cannot go on")
        if self.state == NEW:
            self.state = TORN
            self._begin()
            self.state = OPEN
        return 0

    cdef bytes step(self, tuple events):
        self.state = TORN
        self.take_all(events)
        if self.join == Join.STEP:
            self.send_text()
        self.state = OPEN
        return self.writer.take()

    cdef int follow(self, tuple events, object usage) except -1:
        """What the parser said, up to the end of the turn if that was its end."""
        self.enter()
        self.state = TORN
        self.take_all(events)
        if self.parser.finished:
            return self.end(usage)
        if self.join == Join.STEP:
            self.send_text()
        self.state = OPEN
        return 0

    cdef int take_all(self, tuple events) except -1:
        cdef Event event
        for event in events:
            if type(event) is ContentDelta:
                self.take_text(Kind.CONTENT, event)
            elif type(event) is ArgumentsDelta:
                self.take_arguments(event)
            elif type(event) is ReasoningDelta:
                self.take_text(Kind.REASONING, event)
            elif type(event) is ToolCallStart:
                self.shut(COMPLETE)
                self.kind = Kind.CALL
                self._open_call(event)
            elif type(event) is ToolCallEnd:
                self.shut((<ToolCallEnd>event).status)
        return 0

    cdef int take_text(self, Kind kind, Event event) except -1:
        if kind != self.kind:
            self.shut(COMPLETE)
            self.kind = kind
            self._open_text("content" if kind == Kind.CONTENT else "reasoning")
        if self.scores is not None and kind == Kind.CONTENT:
            self.scores(event.start, event.end)
        return self.append(event.text)

    cdef int take_arguments(self, Event event) except -1:
        if self.decoder is None:
            return self.append(event.text)
        return self.append(self.decoder.feed(event.text))

    cdef int append(self, str text) except -1:
        """More text of the open segment."""
        cdef Py_ssize_t count = PyUnicode_GET_LENGTH(text)
        cdef uint8_t *room
        if PyUnicode_IS_ASCII(text):
            buffer_append(&self.text, <const uint8_t *>PyUnicode_1BYTE_DATA(text), count)
        else:
            buffer_reserve(&self.text, 4 * count)
            room = self.text.data + self.text.length
            if PyUnicode_KIND(text) == 1:
                self.text.length += tw_utf8_from_latin1(<const uint8_t *>PyUnicode_DATA(text), count, room)
            elif PyUnicode_KIND(text) == 2:
                self.text.length += tw_utf8_from_ucs2(<const uint16_t *>PyUnicode_DATA(text), count, room)
            else:
                self.text.length += tw_utf8_from_ucs4(<const uint32_t *>PyUnicode_DATA(text), count, room)
        if self.join == Join.EACH or 0 < self.join <= self.text.length - self.sent:
            return self.send_text()
        return 0

    cdef int send_text(self) except -1:
        """Send the text of the open segment that is not out yet."""
        cdef Py_ssize_t count = self.text.length - self.sent
        cdef const uint8_t *text
        if count == 0 or self.hidden:
            return 0
        text = self.text.data + self.sent
        self.sent = self.text.length
        if self.dicts is None and self.scores is None:
            if self.template is None:
                self.template = self.open_template()
                if self.hidden:
                    return 0
            self.writer.delta(self.template, text, count, self.number)
            self.number += 1
            return 0
        frame = self._delta(PyUnicode_DecodeUTF8(<const char *>text, count, NULL), self.number)
        if frame is not None:
            self.number += 1
            self._send(frame)
        return 0

    cdef Template open_template(self):
        if self._delta("", 0) is None:
            self.hidden = True
            return None
        return Template(self._delta, self.writer.named)

    cdef int shut(self, object status) except -1:
        """The open segment ends."""
        if self.kind == Kind.NONE:
            return 0
        if self.decoder is not None:
            self.append(self.decoder.finish())
        elif self.kind == Kind.CALL and self.text.length == 0 and status != COMPLETE:
            self.append("{")  # clients read no arguments at all as {}, which would make the call a runnable one
        self.send_text()
        text = PyUnicode_DecodeUTF8(<const char *>self.text.data, self.text.length, NULL)
        self.kind = Kind.NONE
        self.template = self.decoder = None
        self.hidden = False
        self.text.length = self.sent = 0
        self._close(text, str(status))
        return 0

    cdef int end(self, object usage) except -1:
        """The parser is finished: close what is open and say how the turn ended."""
        result = self.parser.result
        self.shut(COMPLETE if result.finish_reason in WHOLE else INCOMPLETE)
        self._end(result, usage)
        self.state = CLOSED
        return 0
