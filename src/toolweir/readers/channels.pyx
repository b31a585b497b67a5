"""Messages with headers, which say who speaks, on which channel and to whom. A message to a tool is a call.

Theory of operation. A block is a header, and for a call its arguments as well. The header is a run of words between
markers: the role, the channel behind its marker, a content type, and anywhere among them `to=` and the recipient.
When the marker comes that ends it, it is known what the message is. One to nobody, to a person or to the model itself
ends the block at once: the reader has set the turn's channel, and the message is text of that channel up to its end,
which the format names as a marker. One to a tool goes on with arguments; the call starts at their first byte.

A header that ends before it is whole is an empty message if it reads like a header, and prose if it has more words than
one. Where the prompt wrote the head of the header, the opener has no marker: then only what leads on to `to=` or to the
role counts, and the first marker behind it shows that it was one.

    IN_HEADER --tool--> BEFORE_BODY --first byte--> IN_BODY --closed--> AFTER_BODY --marker--> done
        |                    +--end of the message: no arguments--> done
        +--anyone else: switch the channel--> done

Options of an opener: `marks` (pairs of a marker and what it says: "channel", "type", "body", "start", "end"), `due`
(the word that follows the opener: "role" or "channel"), `role` (that of the model), `thoughts` (channels and
recipients of reasoning; all other channels are content), `people` (recipients that are no tools), `json_body` (False:
what tools are sent is read by another opener's reader, and headers only switch the channel). By the parser's options,
`calls` False makes a message to a tool content, header included, and `thinking` False makes thoughts content.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from ..outcomes import CallStatus, Reason
from ..scan.byte_class cimport is_bracket, is_json_space
from .arguments cimport begins_value
from .header cimport HeaderReader, NO_MARKER
from .plan cimport MarkerTable
from .turn cimport (
    BARE, BROKEN, CONTENT, Channel, DONE, HELD, IN_THOUGHT, MORE, NATIVE, ON, REASONING, REJECTED, RESUMED, Reader,
    STRAYED, TEXT, Turn,
)

COMPLETE = CallStatus.COMPLETE

MARKS = ("channel", "type", "body", "start", "end")
RECIPIENT = "to="
NAMESPACE = "functions."

cdef enum:
    MOST_WORDS = 8     # of a header: role, channel and content type, recipients on either side, and some to spare
    MOST_MARKS = 4     # likewise: of the channel and of the content type, and some to spare
    LEADS = 13         # len(RECIPIENT + NAMESPACE): they do not count when a name is measured


cdef class ChannelsReader(HeaderReader):

    def __init__(
        self, *, marker, marks, due="role", role="assistant", thoughts=(), people=(), json_body=True, calls=True,
        thinking=True, **_,
    ):
        self.markers = MarkerTable([(text, 0, MARKS.index(mark)) for text, mark in marks])
        self.first_due = CHANNEL if due == "channel" else ROLE
        self.role = role
        self.thoughts = frozenset(thoughts)
        self.people = self.thoughts.union(people)
        self.bare = not marker
        self.json_body = json_body
        self.calls = calls
        self.thinking = thinking

    cdef Reader copy(self):
        cdef ChannelsReader other = ChannelsReader.__new__(ChannelsReader)
        self.copy_header(other)
        other.m, other.recipient = self.m, self.recipient
        other.first_due, other.role = self.first_due, self.role
        other.thoughts, other.people, other.bare = self.thoughts, self.people, self.bare
        other.json_body, other.calls, other.thinking = self.json_body, self.calls, self.thinking
        return other

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.bare:
            return first == <uint8_t>ord(RECIPIENT[0]) or first == <uint8_t>ord(self.role[0])
        return first == c"<" or not is_bracket(first)

    cdef int begin(self, Turn turn) except -1:
        memset(&self.m, 0, sizeof(self.m))
        memset(&self.v, 0, sizeof(self.v))
        self.clear_header()
        self.m.due = self.first_due
        self.recipient = None
        if turn.s.place == IN_THOUGHT:  # a header ends the thought that it stands in
            turn.s.place = NATIVE
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer
        while turn.s.pos < turn.s.limit:
            byte = turn.data[turn.s.pos - turn.s.base]
            if self.m.part == IN_BODY:
                answer = self.read_value(turn)
            elif self.m.part == IN_HEADER:
                answer = self.read_header(turn, byte)
            elif self.m.part == BEFORE_BODY:
                answer = self.before_body(turn, byte)
            else:
                answer = self.after_body(turn, byte)
            if answer != ON:
                return REJECTED if answer == BROKEN and not self.calls else answer
        return MORE

    cdef int end(self, Turn turn) except -1:
        if self.m.part == IN_HEADER:
            self.word_over(turn)
            if self.recipient is None:
                if self.m.prose and self.bare:
                    return REJECTED
                turn.s.pos = turn.s.block if self.m.prose else turn.s.limit
                return STRAYED if self.m.prose else DONE
        elif self.m.part == BEFORE_BODY:
            turn.start_call(self.name(turn))
            self.m.part = IN_BODY
            if turn.s.call == TEXT:
                turn.s.pos = turn.s.limit
                turn.say(turn.s.limit)
        elif self.m.part == AFTER_BODY:
            turn.s.pos = self.head.after
        return MORE

    # The header

    cdef int read_header(self, Turn turn, uint8_t byte) except -1:
        cdef int mark
        if turn.s.pos - turn.s.block >= turn.limits.malformed:
            return self.misfit(turn)
        mark = self.take(byte)
        if mark != NO_MARKER:
            turn.s.pos += 1
            return self.marked(turn, mark)
        if self.sure() == self.head.checked:  # it may yet be a marker; the word before it is over in any case
            if turn.s.place == BARE and not self.may_be_word():
                return REJECTED
            turn.s.pos += 1
            return ON
        byte = self.text.data[self.head.checked]
        if is_json_space(byte):
            turn.s.pos += 1
            return self.word_over(turn)
        if is_bracket(byte) or self.m.words == MOST_WORDS or self.head.checked == turn.limits.header + LEADS:
            return self.misfit(turn)
        self.head.checked += 1
        if turn.s.place == BARE and not self.viable():
            return REJECTED
        turn.s.pos += 1
        return ON

    cdef int misfit(self, Turn turn) except -1:
        """This is no header: its opener is a stray tag, unless it has named a recipient."""
        cdef int answer = self.word_over(turn)
        if answer == ON and self.recipient is not None:
            answer = self.broken(turn, Reason.HEADER)
        if answer != ON:
            return answer
        if self.bare:
            return REJECTED
        turn.back_to(turn.s.block)
        return STRAYED

    cdef bint viable(self) except -1:
        """Without an opener: may this word stand in the rest of a header?"""
        written = self.written(0, self.head.checked)
        if self.recipient is not None:
            return False
        if written.startswith(RECIPIENT) or RECIPIENT.startswith(written):
            return True
        return self.m.due == ROLE and self.role.startswith(written)

    cdef bint may_be_word(self) except -1:
        """Without an opener: is this word, if it is one, a recipient or the role?"""
        written = self.written(0, self.head.checked)
        return not written or written.startswith(RECIPIENT) or written == self.role

    cdef int word_over(self, Turn turn) except -1:
        """What the word that ended here says."""
        cdef Due due = self.m.due
        word = self.written(0, self.head.checked)
        self.text.length = self.head.checked = 0
        if not word:
            return ON
        self.m.words += 1
        if self.recipient is None and word.startswith(RECIPIENT):
            self.recipient = word.removeprefix(RECIPIENT)
            if len(self.recipient.removeprefix(NAMESPACE).encode()) > turn.limits.header:
                return self.broken(turn, Reason.LIMIT)
            return ON
        if turn.s.place == BARE and word != self.role:
            return REJECTED
        self.m.due = CONTENT_TYPE
        if due == CHANNEL:
            self.m.thought = word in self.thoughts
        elif due == CONTENT_TYPE:
            self.m.prose = True
        return ON

    cdef int marked(self, Turn turn, int mark) except -1:
        """A marker: the header goes on, is over, or breaks off."""
        cdef Py_ssize_t start = turn.s.pos - self.head.match.length
        cdef int answer = self.word_over(turn)
        if answer != ON:
            return answer
        if mark == START_MARK or mark == END_MARK:
            if turn.s.place == BARE or self.m.prose or self.recipient is not None:
                turn.s.pos = start
                return self.misfit(turn)
            return self.text_of(turn, CONTENT, start)
        if turn.s.place == BARE:
            turn.s.place = NATIVE
        if mark == BODY_MARK:
            return self.message(turn)
        self.m.marks += 1
        if self.m.marks > MOST_MARKS:
            return self.misfit(turn)
        self.m.due = CHANNEL if mark == CHANNEL_MARK else CONTENT_TYPE
        return ON

    cdef int message(self, Turn turn) except -1:
        """The header is whole: a call, or text of the channel that it names."""
        if self.recipient is None or self.recipient in self.people or not self.json_body:
            self.m.thought = self.m.thought or self.recipient in self.thoughts
            return self.text_of(turn, REASONING if self.m.thought and self.thinking else CONTENT, turn.s.pos)
        if not self.name(turn):
            return self.broken(turn, Reason.NAME)
        turn.s.channel = CONTENT
        if not self.calls:
            if turn.s.call != HELD:
                turn.s.call = TEXT
            return DONE
        self.m.part = BEFORE_BODY
        return ON

    cdef int text_of(self, Turn turn, Channel channel, Py_ssize_t start) except -1:
        """The message is no call: from `start` on there is text of this channel."""
        if turn.s.place == RESUMED:  # inside a string that never ended only a call is worth believing
            return STRAYED
        turn.s.pos = start
        turn.s.channel = channel
        return DONE

    # The call

    cdef str name(self, Turn turn):
        """The recipient as the tools know it; where they do not, without the namespace of declared functions."""
        if turn.tools is None or turn.tools.resolve(self.recipient) is None:
            return self.recipient.removeprefix(NAMESPACE)
        return self.recipient

    cdef int before_body(self, Turn turn, uint8_t first) except -1:
        cdef int mark = self.take(first)
        if mark == NO_MARKER and self.sure() == 0:  # it may yet be a marker
            turn.s.pos += 1
            return ON
        turn.s.pos += 1
        turn.s.pos -= self.text.length if mark == NO_MARKER else self.head.match.length
        first = turn.data[turn.s.pos - turn.s.base]
        if mark == NO_MARKER:
            self.text.length = 0
            if turn.s.pos - turn.s.block >= turn.limits.malformed:
                return self.broken(turn, Reason.LIMIT)
            if is_json_space(first):
                turn.s.pos += 1
                return ON
        if mark != END_MARK and not (mark == NO_MARKER and begins_value(first)):
            return self.broken(turn, Reason.JSON)
        if not turn.start_call(self.name(turn)):
            return REJECTED
        self.v.named = True
        if mark == END_MARK:
            self.no_arguments(turn)
            turn.end_call(COMPLETE, None)
            return DONE
        self.m.part = IN_BODY
        return self.open_arguments(turn, first)

    cdef int value_over(self, Turn turn) except -1:
        self.m.part = AFTER_BODY
        return self.call_over(turn)

    cdef int after_body(self, Turn turn, uint8_t byte) except -1:
        """A message to a tool holds its arguments and nothing else."""
        if is_json_space(byte) and turn.s.pos - self.head.after < turn.limits.whitespace:
            turn.s.pos += 1
            return ON
        if byte != c"<" and not is_json_space(byte):
            return self.broken(turn, Reason.ENVELOPE)
        turn.s.pos = self.head.after
        return DONE
