"""The turn: what every reader shares.

Theory of operation. Input is a run of bytes of valid UTF-8; a position counts them from the start of the turn. Of the
input only the part that is still undecided is kept, in one window: [base, limit). When the window is empty a piece is
read in place, without a copy. Readers move `pos` forward and say what they found; they never look back before what they
asked to keep. All numbers live in one plain struct, so that a parser is copied by assignment.

A call is accounted for here and only here: its index, its id, whether it is sent at all, its arguments and its end. In
the state HELD (a quote touches the opener) the reader runs as usual but nothing goes out; when the call is settled, the
window is read once more from its opener. That costs a second look at no more than `limits.quoted_hold` bytes, and no
event ever has to be taken back.
"""

import logging

from libc.stdint cimport uint8_t
from libc.string cimport memset
from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory

from .. import confirm as confirmation
from ..errors import OptionError
from ..events cimport (
    arguments_delta, content_delta, malformed_call, reasoning_delta, tool_call_end, tool_call_skipped, tool_call_start,
)
from ..ids import mint_id
from ..outcomes import CallStatus, Reason, SkipReason
from .buffer cimport buffer_free, buffer_reserve
from .decode cimport decode
from .stretches cimport copy_bytes, count_points, escape_json, find_marker, skip_to_marker

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)

logger = logging.getLogger("toolweir")

COMPLETE = CallStatus.COMPLETE
INVALID = CallStatus.INVALID
INCOMPLETE = CallStatus.INCOMPLETE
REFUTED = confirmation.Verdict.REFUTED
CONFIRM_AUTO = 1024 * 1024  # bytes; a larger text was validated as it came, and a second pass would be felt

cdef enum:
    ESCAPED_AT_ONCE = 65536  # bytes; room is made for six times as many

cdef bytes ID_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-"


cdef class Reader:
    """Reads the blocks of one opener. Subclasses keep their state in plain structs."""

    cdef bint accepts(self, Turn turn, uint8_t first):
        """May a call go on with this visible byte right after its opener?"""
        return False

    cdef int begin(self, Turn turn) except -1:
        """A block begins at `turn.s.pos`."""
        return 0

    cdef int step(self, Turn turn) except -1:
        """Read on from `turn.s.pos`; the answer is a Step."""
        return Step.BROKEN

    cdef int end(self, Turn turn) except -1:
        """The text ended inside the block. Where no call was known: perhaps DONE (markup), STRAYED or REJECTED."""
        return Step.MORE

    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept:
        """Is the quote at this position one that the grammar asks for?"""
        return False

    cdef tw_json *strict_scanner(self) noexcept:
        """The scanner, where the input is nothing but arguments sent as they are written; else NULL."""
        return NULL

    cdef MarkerTable string_closer(self):
        """What may end the value, where the input is nothing but the text of a string with nothing held; else None."""
        return None

    cdef bint inside(self) noexcept:
        """Is all that was read part of the block, whatever follows? Asked where the call is text."""
        return False

    cdef bint may_end_string(self, uint8_t last) noexcept:
        """Must a text that ends in this byte wait, since it may be no part of the string?"""
        return False

    cdef Reader copy(self):
        """An independent reader in the same state."""
        raise NotImplementedError


cdef class Turn:
    """The input that is undecided, the open call, and the events that go out."""

    def __dealloc__(self):
        buffer_free(&self.window)
        buffer_free(&self.arguments)

    cdef Py_ssize_t point(self, Py_ssize_t pos) noexcept:
        """Code points of input before a position."""
        cdef Py_ssize_t mark = self.s.mark, point = self.s.mark_point
        if self.narrow:
            point += pos - mark
        elif pos >= mark:
            point += count_points(self.data + (mark - self.s.base), pos - mark)
        else:
            point -= count_points(self.data + (pos - self.s.base), mark - pos)
        self.s.mark = pos
        self.s.mark_point = point
        return point

    cdef object text(self, Py_ssize_t start, Py_ssize_t end):
        if self.piece is not None and start == self.s.base and end == self.s.limit:
            return self.piece
        return decode(self.data + (start - self.s.base), end - start)

    cdef uint8_t byte_before(self, Py_ssize_t pos) noexcept:
        return self.data[pos - 1 - self.s.base] if pos > self.s.base else self.s.before

    cdef int warn(self, object what) except -1:
        if self.s.call != HELD:
            self.warned[what] = self.warned.get(what, 0) + 1
        return 0

    cdef int say(self, Py_ssize_t upto) except -1:
        """Send the text from `text_from` to `upto` in the current channel."""
        cdef Py_ssize_t start = self.s.text_from, at
        cdef uint8_t byte
        self.s.text_from = upto
        if start >= upto:
            return 0
        at = upto
        while at > start:  # is anything visible on the line that the text ends in?
            at -= 1
            byte = self.data[at - self.s.base]
            if byte == c"\n":
                self.s.line_visible = False
                break
            if byte > c" ":
                self.s.line_visible = True
                break
        if start < self.s.primed:
            start = min(upto, self.s.primed)
            if start == upto:
                return 0
        at = self.point(start)
        text = self.text(start, upto)
        if self.s.channel == CONTENT:
            self.s.spoken = True
            self.out.append(content_delta(text, at, self.point(upto)))
        else:
            self.out.append(reasoning_delta(text, at, self.point(upto)))
        return 0

    cdef int say_malformed(self, Py_ssize_t start, Py_ssize_t end, object reason) except -1:
        cdef Py_ssize_t at = self.point(start)
        self.s.malformed += 1
        self.out.append(malformed_call(self.text(start, end), reason, at, self.point(end)))
        return 0

    # The open call

    cdef int open_block(self, Place place, Py_ssize_t start) except -1:
        """A block begins at `start`; nothing of a call is known yet."""
        if self.s.call == TEXT:
            self.say(start)
        self.s.place = place
        self.s.call = NO_CALL
        self.s.block = start
        self.s.arguments_open = False
        self.s.held_whole = self.s.held_text = False
        self.s.sent = 0
        self.s.forgotten = False
        self.s.hidden = -1
        self.s.held_from = -1
        memset(&self.s.watch, 0, sizeof(self.s.watch))
        self.arguments.length = 0
        self.native_id = None
        return 0

    cdef int start_call(self, object name) except -1:
        """The name is complete. Decides whether the call is sent; False where its place makes it text."""
        cdef bint declared = True
        cdef object skip = None
        if self.tools is not None:
            resolved = self.tools.resolve(name)
            declared = resolved is not None
            if declared:
                name = resolved
        if not declared:
            if self.s.place == BARE or self.s.place == WEAK or self.s.place == IN_THOUGHT:
                return False
            if self.unknown_tools == "text" and self.s.place != NATIVE:
                return False
            if self.unknown_tools == "drop" and self.s.place == RESUMED:
                return False
        if self.s.call == HELD:
            self.s.held_text = not declared and self.unknown_tools == "text"
            return True
        if not declared and self.unknown_tools == "text":
            self.s.call = TEXT
            self.forget_hidden()
            return True
        self.is_call()
        if not declared and self.unknown_tools == "drop":
            skip = SkipReason.UNKNOWN_TOOL
        elif self.chosen is not None and name != self.chosen:
            skip = SkipReason.TOOL_CHOICE
        elif not self.parallel and self.s.started - self.s.invalid >= 1:
            skip = SkipReason.PARALLEL_TOOL_CALLS
        elif self.most_calls >= 0 and self.s.started - self.s.invalid >= self.most_calls:
            skip = SkipReason.MAX_TOOL_CALLS
        elif self.s.started >= self.limits.calls:
            skip = SkipReason.LIMIT
        cdef Py_ssize_t start = self.point(self.s.block)
        cdef Py_ssize_t end = self.point(self.s.pos)
        cdef Py_ssize_t position = self.s.position
        self.s.position += 1
        if skip is not None:
            self.s.call = SKIPPED
            self.s.skipped += 1
            self.out.append(tool_call_skipped(position, name, skip, start, end))
            return True
        self.s.call = SENT
        self.s.index = self.s.started
        self.s.started += 1
        self.s.arguments_open = True
        self.out.append(tool_call_start(self.s.index, self._id(name), name, position, start, end))
        return True

    cdef int is_call(self) except -1:
        """The block is a call: what waited for that is decided. Called before its first event."""
        return 0

    cdef object _id(self, object name):
        native = self.native_id
        if native is not None and 0 < len(native) <= self.limits.id and not native.strip(ID_BYTES):
            native = native.decode("ascii")
            if native not in self.used_ids:
                self.used_ids.add(native)
                return native
        if self.make_id is None:
            return mint_id()
        try:
            made = self.make_id(self.s.index, name)
        except MemoryError:
            raise
        except Exception as error:
            raise OptionError(f"make_id({self.s.index}, {name!r}) raised {error!r}") from error
        if not isinstance(made, str) or not made or made in self.used_ids:
            raise OptionError(f"make_id({self.s.index}, {name!r}): expected a new non-empty str, got {made!r}")
        self.used_ids.add(made)
        return made

    cdef int argue(
        self, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end
    ) except -1:
        """More bytes of the arguments, which stand at [start, end) of the input."""
        if self.s.call == SKIPPED or self.s.call == HELD or self.s.call == TEXT or count == 0:
            return 0
        if self.arguments.length == self.s.sent:
            self.s.source = self.point(start)
        buffer_reserve(&self.arguments, count)
        copy_bytes(self.arguments.data + self.arguments.length, bytes, count)
        self.arguments.length += count
        self.s.source_end = end
        return 0

    cdef int argue_escaped(self, Py_ssize_t start, Py_ssize_t end) except -1:
        """The input [start, end) inside a JSON string of the arguments, escaped."""
        cdef Py_ssize_t part
        if self.s.call == SKIPPED or self.s.call == HELD or self.s.call == TEXT or start >= end:
            return 0
        if self.arguments.length == self.s.sent:
            self.s.source = self.point(start)
        self.s.source_end = end
        while start < end:
            part = min(end - start, ESCAPED_AT_ONCE)
            buffer_reserve(&self.arguments, 6 * part)
            self.arguments.length += escape_json(
                self.data + (start - self.s.base), part, self.arguments.data + self.arguments.length
            )
            start += part
        return 0

    cdef object flush_arguments(self):
        """Send the arguments that are not out yet; returns them, None if there are none."""
        cdef Py_ssize_t count = self.arguments.length - self.s.sent
        if self.s.call != SENT or count == 0:
            return None
        text = decode(self.arguments.data + self.s.sent, count)
        self.out.append(arguments_delta(self.s.index, text, self.s.source, self.point(self.s.source_end)))
        self.s.sent = self.arguments.length
        if self.s.sent > self.limits.arguments:
            self.s.forgotten = True
        if self.s.forgotten:
            self.arguments.length = self.s.sent = 0
        return text

    cdef int end_call(self, object status, object reason) except -1:
        """The open call ends at `pos`; nothing more of it goes out."""
        cdef object arguments
        cdef bint at_once = self.s.sent == 0
        cdef Py_ssize_t at
        if status is COMPLETE:
            self.forget_hidden()
            self.s.held_whole = True
        if self.s.call != SENT or not self.s.arguments_open:
            return 0
        arguments = self.flush_arguments()
        self.s.arguments_open = False
        if self.s.forgotten:
            arguments = None
        else:
            if arguments is None or not at_once:
                arguments = decode(self.arguments.data, self.arguments.length)
            if status is COMPLETE and self.confirm != "never":
                if self.confirm == "always" or self.arguments.length <= CONFIRM_AUTO:
                    self.s.confirmations += 1
                    if confirmation.confirm(self.utf8_of(arguments)) is REFUTED:
                        logger.error("toolweir: simdjson refutes arguments that the scanner accepts: %.200r", arguments)
                        status = INVALID
                        reason = Reason.REFUTED
        if status is INVALID:
            self.s.invalid += 1
        elif status is INCOMPLETE:
            self.s.incomplete += 1
        at = self.point(self.s.pos)
        self.out.append(tool_call_end(self.s.index, status, arguments, reason, at, at))
        return 0

    cdef object utf8_of(self, object arguments):
        """All of the arguments as simdjson reads them; a str beyond ASCII would make UTF-8 of itself, and keep it."""
        if PyUnicode_IS_ASCII(arguments):
            return arguments
        return PyMemoryView_FromMemory(<char *>self.arguments.data, self.arguments.length, PyBUF_READ)

    # Openers inside the open strings of a call

    cdef int watch(self, Py_ssize_t start, Py_ssize_t end) except -1:
        """Look for the first opener in [start, end), which the scanner found to be good JSON.

        Markers hold no quote and no JSON can hold one outside a string, so whatever is found stands inside a string.
        """
        cdef const uint8_t *at = self.data + (start - self.s.base)
        cdef Py_ssize_t found
        if self.s.call == HELD or self.s.call == TEXT:
            return 0
        if self.s.hidden < 0:
            if (
                self.s.watch.state == 0
                and <Py_ssize_t>skip_to_marker(self.plan.openers.markers, at, end - start) == end - start
            ):
                return 0
            found = find_marker(self.plan.openers.markers, &self.s.watch, at, end - start)
            if found < 0:
                return 0
            self.s.hidden = start + found - self.s.watch.length
        while self.s.hidden >= 0 and end - self.s.hidden > self.limits.resync_hold:
            start = self.s.hidden + 1
            self.s.hidden = -1
            found = find_marker(
                self.plan.openers.markers, &self.s.watch, self.data + (start - self.s.base), end - start
            )
            if found >= 0:
                self.s.hidden = start + found - self.s.watch.length
        return 0

    cdef Py_ssize_t room_before_name(self) noexcept:
        """Bytes that a call without a name may still take: all of it is held."""
        return self.s.block + self.limits.arguments_before_name + self.limits.value - self.s.pos

    cdef int forget_hidden(self) except -1:
        self.s.hidden = -1
        memset(&self.s.watch, 0, sizeof(self.s.watch))
        return 0
