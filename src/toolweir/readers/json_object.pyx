"""Calls written as JSON objects with a name and arguments, alone or in an array.

Theory of operation. The envelope is read by one switch over what is expected next. Keys and names are decoded, for a name
may be written with escapes; every other value is handed to the strict scanner, which says where it ends. Arguments that
are an object go out byte for byte while the scanner agrees; arguments that are a string are decoded first and then go
the same way. A raw control character inside a string is the one thing that is mended: it goes out escaped.

The call starts when its name is complete and ends at the byte that closes its arguments, or at the object's end if it
has none. What breaks after that costs the call nothing.

Options of an opener: `name_keys`, `argument_keys`, `id_keys` (sequences of keys), `native_ids` (the model's ids are used).
"""

from libc.stdint cimport uint8_t
from libc.stddef cimport ptrdiff_t
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_FromStringAndSize

from ..outcomes import CallStatus, Reason
from ..scan.json_escape cimport tw_json_escape_byte, tw_unescape_byte, tw_unescape_end, tw_unescape_pending
from ..scan.json_scanner cimport (
    TW_INVALID, TW_MORE, tw_json_depth, tw_json_feed, tw_json_in_escape, tw_json_in_string, tw_json_string_run,
)
from .buffer cimport buffer_append, buffer_copy, buffer_free
from .turn cimport BARE, BROKEN, DONE, GUIDED, HELD, MORE, NATIVE, REJECTED, RESUMED, Reader, Step, Turn

COMPLETE = CallStatus.COMPLETE

CONTROL_CHARACTER_WARNING = "control_character"
SECOND_NAME_WARNING = "second_name"
SECOND_ARGUMENTS_WARNING = "second_arguments"

cdef enum:
    ON = 100           # internal answer of a part: nothing to report, read on
    DEEPEST = 1023     # what the scanner has room for


cdef inline bint is_space(uint8_t byte) noexcept:
    return byte == c" " or byte == c"\n" or byte == c"\t" or byte == c"\r"


cdef class JsonObjectReader(Reader):

    def __init__(self, *, name_keys=("name",), argument_keys=("arguments", "parameters"), id_keys=("id",),
                 native_ids=False, chosen=None, **_):
        self.keys = {b"type": TYPE_KEY, b"function": FUNCTION_KEY}
        for names, key in ((id_keys, ID_KEY), (argument_keys, ARGUMENTS_KEY), (name_keys, NAME_KEY)):
            self.keys.update({name.encode(): key for name in names})
        self.native_ids = native_ids
        self.chosen = chosen

    def __dealloc__(self):
        buffer_free(&self.name)

    cdef bint accepts(self, Turn turn, uint8_t first):
        return first == c"{" or (first == c"[" and self.chosen is None)

    cdef tw_json *strict_scanner(self) noexcept:
        return &self.j.scanner if self.j.expect == IN_ARGUMENTS else NULL

    cdef Reader copy(self):
        cdef JsonObjectReader other = JsonObjectReader.__new__(JsonObjectReader)
        other.keys = self.keys
        other.native_ids = self.native_ids
        other.chosen = self.chosen
        other.j = self.j
        buffer_copy(&other.name, &self.name)
        return other

    cdef bint asked(self, Turn turn, Py_ssize_t pos) noexcept:
        """JSON asks for a double quote that no backslash escapes, and for no other quote."""
        cdef Py_ssize_t at = pos
        while turn.byte_before(at) == c"\\":
            at -= 1
        return turn.data[pos - turn.s.base] == c'"' and (pos - at) % 2 == 0

    cdef int begin(self, Turn turn) except -1:
        memset(&self.j, 0, sizeof(self.j))
        self.j.first = True
        return 0

    cdef int broken(self, Turn turn, object reason) except -1:
        turn.reason = reason
        return BROKEN

    cdef int step(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer
        while turn.s.pos < turn.s.limit:
            byte = turn.data[turn.s.pos - turn.s.base]
            answer = ON
            if self.j.expect == IN_ARGUMENTS or self.j.expect == IN_OTHER or self.j.expect == IN_NULL:
                answer = self.read_json(turn)
            elif self.j.expect == IN_STRING:
                answer = self.read_twice_encoded(turn)
            elif self.j.expect == IN_KEY or self.j.expect == IN_NAME or self.j.expect == IN_ID:
                answer = self.read_string(turn)
            elif self.j.expect == AFTER_CALL or self.j.expect == AFTER_SEPARATOR:
                answer = self.after_call(turn, byte)
            elif is_space(byte):
                turn.s.pos += 1
            elif self.j.expect == VALUE:
                answer = self.open_value(turn, byte)
            elif self.j.expect == VALUE_START or self.j.expect == ELEMENT:
                if byte == c"{":
                    answer = self.open_object(turn)
                elif byte == c"[" and self.j.expect == VALUE_START:
                    self.j.in_array = True
                    self.j.expect = ELEMENT
                    turn.s.pos += 1
                else:
                    answer = self.broken(turn, Reason.NO_NAME if byte == c"]" and self.j.first else Reason.JSON)
            elif self.j.expect == COLON:
                if byte != c":":
                    return self.broken(turn, Reason.JSON)
                self.j.expect = VALUE
                turn.s.pos += 1
            elif byte == c'"' and self.j.expect != COMMA_OR_END:
                self.j.expect = IN_KEY
                self.j.key_length = 0
                turn.s.pos += 1
            elif byte == c"}" and self.j.expect != KEY:
                answer = self.close_object(turn)
            elif byte == c"," and self.j.expect == COMMA_OR_END:
                self.j.expect = KEY
                turn.s.pos += 1
            else:
                return self.broken(turn, Reason.JSON)
            if answer != ON:
                return answer
        return MORE

    cdef int open_object(self, Turn turn) except -1:
        if not self.j.first:
            turn.open_block(NATIVE if turn.s.place == RESUMED else turn.s.place, turn.s.pos)
            turn.s.text_from = turn.s.pos
        self.j.first = False
        self.j.nested = self.j.named = self.j.argued = self.j.complete = False
        if self.chosen is not None:
            self.j.named = self.j.argued = True
            turn.start_call(self.chosen)
            self.j.key = ARGUMENTS_KEY
            return self.open_value(turn, c"{")
        self.j.expect = KEY_OR_END
        turn.s.pos += 1
        return ON

    # Strings of the envelope

    cdef int read_string(self, Turn turn) except -1:
        """Decodes a key, a name or an id up to its closing quote."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t left = turn.s.limit - turn.s.pos
        cdef Py_ssize_t run = 0
        cdef uint8_t out[12]
        cdef int count
        if not tw_unescape_pending(&self.j.unescape):
            run = tw_json_string_run(at, left)
        if run:
            turn.watch(turn.s.pos, turn.s.pos + run)
            turn.s.pos += run
            return self.take_key(at, run) if self.j.expect == IN_KEY else self.take_name(turn, at, run)
        if at[0] == c'"' and self.j.unescape.state == 0:
            count = tw_unescape_end(&self.j.unescape, out, False)
            self.take_key(out, count) if self.j.expect == IN_KEY else buffer_append(&self.name, out, count)
            turn.s.pos += 1
            if self.j.expect == IN_KEY:
                return self.classify(turn)
            if self.j.expect == IN_NAME:
                return self.name_known(turn)
            turn.native_id = PyBytes_FromStringAndSize(<char *>self.name.data, self.name.length)
            self.j.expect = COMMA_OR_END
            return ON
        if at[0] < 0x20 and self.j.unescape.state == 0:
            if turn.strict:
                return self.broken(turn, Reason.CONTROL_CHARACTER)
            turn.warn(CONTROL_CHARACTER_WARNING)
        count = tw_unescape_byte(&self.j.unescape, at[0], out, False)
        if count == TW_INVALID:
            return self.broken(turn, Reason.JSON)
        turn.s.pos += 1
        return self.take_key(out, count) if self.j.expect == IN_KEY else self.take_name(turn, out, count)

    cdef int take_key(self, const uint8_t *bytes, Py_ssize_t count) except -1:
        """A key longer than its room is none that is looked for."""
        if count <= <Py_ssize_t>sizeof(self.j.key_text) - self.j.key_length:
            memcpy(self.j.key_text + self.j.key_length, bytes, count)
            self.j.key_length += count
        else:
            self.j.key_length = sizeof(self.j.key_text) + 1
        return ON

    cdef int take_name(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1:
        cdef Py_ssize_t room = (turn.name_limit if self.j.expect == IN_NAME else turn.id_limit + 1) - self.name.length
        if count > room and self.j.expect == IN_NAME:
            turn.s.pos -= count - room if room > 0 else count
            return self.broken(turn, Reason.LIMIT)
        buffer_append(&self.name, bytes, min(count, max(room, 0)))
        return ON

    cdef int classify(self, Turn turn) except -1:
        cdef Key key = OTHER_KEY
        if self.j.key_length <= <Py_ssize_t>sizeof(self.j.key_text):
            key = self.keys.get(PyBytes_FromStringAndSize(<char *>self.j.key_text, self.j.key_length), OTHER_KEY)
        if not self.j.named:
            if turn.s.place == GUIDED and key == OTHER_KEY:
                return REJECTED
            if turn.s.place == BARE and (key == OTHER_KEY or key == ARGUMENTS_KEY):
                return REJECTED
        self.j.key = key
        self.j.expect = COLON
        return ON

    cdef int name_known(self, Turn turn) except -1:
        cdef object name = self.name.data[:self.name.length].decode("utf-8", "replace") if self.name.length else ""
        if not name.strip():
            return self.broken(turn, Reason.NAME)
        if not turn.start_call(name):
            return REJECTED
        self.j.named = True
        self.j.expect = COMMA_OR_END
        if self.j.complete:
            turn.end_call(COMPLETE, None)
        return ON

    # Values

    cdef int open_value(self, Turn turn, uint8_t first) except -1:
        cdef Key key = self.j.key
        memset(&self.j.scanner, 0, sizeof(self.j.scanner))
        memset(&self.j.unescape, 0, sizeof(self.j.unescape))
        self.j.expect = IN_OTHER
        if key == NAME_KEY and self.j.named:
            turn.warn(SECOND_NAME_WARNING)
        elif key == NAME_KEY:
            if first != c'"':
                return self.broken(turn, Reason.NAME)
            self.j.expect = IN_NAME
        elif key == ID_KEY and self.native_ids and first == c'"' and not self.j.named:
            self.j.expect = IN_ID
        elif key == ARGUMENTS_KEY and self.j.argued and self.chosen is None:
            turn.warn(SECOND_ARGUMENTS_WARNING)
        elif key == ARGUMENTS_KEY:
            self.j.argued = True
            if first == c"{":
                self.j.expect = IN_ARGUMENTS
            elif first == c'"':
                self.j.decoded = BEFORE_OBJECT
                self.j.expect = IN_STRING
            elif first == c"n":
                self.j.expect = IN_NULL
            else:
                return self.broken(turn, Reason.NOT_AN_OBJECT)
        elif key == FUNCTION_KEY and first == c"{" and not (self.j.nested or self.j.named or self.j.argued):
            self.j.nested = True
            self.j.expect = KEY_OR_END
        else:
            return ON
        if self.j.expect == IN_NAME or self.j.expect == IN_ID:
            self.name.length = 0
        if self.j.expect != IN_ARGUMENTS and self.j.expect != IN_NULL and self.j.expect != IN_OTHER:
            turn.s.pos += 1
        return ON

    cdef int read_json(self, Turn turn) except -1:
        """A value that the strict scanner reads; arguments go out as they come."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef size_t left = turn.s.limit - turn.s.pos
        cdef size_t taken = 0
        cdef ptrdiff_t found
        cdef uint8_t escape[6]
        cdef bint arguments = self.j.expect == IN_ARGUMENTS
        if arguments and not self.j.named:
            if turn.arguments.length >= turn.late_limit:
                return self.broken(turn, Reason.LIMIT)
            left = min(left, <size_t>(turn.late_limit - turn.arguments.length))
        if turn.depth_limit < DEEPEST:  # the scanner knows only its own limit: it is asked about each byte
            if tw_json_depth(&self.j.scanner) >= turn.depth_limit and (at[0] == c"{" or at[0] == c"["):
                if not tw_json_in_string(&self.j.scanner):
                    return self.broken(turn, Reason.DEPTH)
            left = 1
        found = tw_json_feed(&self.j.scanner, at, left, &taken)
        turn.watch(turn.s.pos, turn.s.pos + taken)
        if arguments:
            turn.argue(at, taken, turn.s.pos, turn.s.pos + taken)
        turn.s.pos += taken
        if found >= 0:
            if self.j.expect == IN_OTHER:
                self.j.expect = COMMA_OR_END
                return ON
            if self.j.expect == IN_NULL:
                turn.argue(<const uint8_t *>b"{}", 2, turn.s.pos, turn.s.pos)
            return self.arguments_whole(turn)
        if found == TW_MORE:
            return ON
        if found != TW_INVALID:
            return self.broken(turn, Reason.DEPTH)
        at += taken
        if at[0] >= 0x20 or not tw_json_in_string(&self.j.scanner) or tw_json_in_escape(&self.j.scanner):
            return self.broken(turn, Reason.JSON)
        if turn.strict:
            return self.broken(turn, Reason.CONTROL_CHARACTER)
        turn.warn(CONTROL_CHARACTER_WARNING)
        if arguments:
            turn.argue(escape, tw_json_escape_byte(at[0], escape), turn.s.pos, turn.s.pos + 1)
        turn.s.pos += 1
        return ON

    cdef int read_twice_encoded(self, Turn turn) except -1:
        """Arguments inside a string: what the string says goes the way of arguments that are an object."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t start = turn.s.pos
        cdef Py_ssize_t run = 0
        cdef uint8_t out[12]
        cdef int count
        if not self.j.named and turn.arguments.length >= turn.late_limit:
            return self.broken(turn, Reason.LIMIT)
        if not tw_unescape_pending(&self.j.unescape):
            run = turn.s.limit - turn.s.pos
            if not self.j.named:
                run = min(run, turn.late_limit - turn.arguments.length)
            run = tw_json_string_run(at, run)
        if run:
            turn.watch(start, start + run)
            return self.decoded(turn, at, run, start, start + run)
        if at[0] == c'"' and self.j.unescape.state == 0:
            count = tw_unescape_end(&self.j.unescape, out, True)
            count = self.decoded(turn, out, count, start, start) if count else ON
            if count != ON:
                return count
            if self.j.decoded == INSIDE_OBJECT:
                return self.broken(turn, Reason.JSON)
            turn.s.pos += 1
            if self.j.decoded == BEFORE_OBJECT:
                turn.argue(<const uint8_t *>b"{}", 2, start, start)
            return self.arguments_whole(turn)
        if at[0] < 0x20 and self.j.unescape.state == 0:
            if turn.strict:
                return self.broken(turn, Reason.CONTROL_CHARACTER)
            turn.warn(CONTROL_CHARACTER_WARNING)
        count = tw_unescape_byte(&self.j.unescape, at[0], out, True)
        if count == TW_INVALID:
            return self.broken(turn, Reason.JSON)
        if count == 0:
            turn.s.pos += 1
            return ON
        return self.decoded(turn, out, count, start, start + 1)

    cdef int decoded(
        self, Turn turn, const uint8_t *bytes, Py_ssize_t count, Py_ssize_t start, Py_ssize_t end
    ) except -1:
        """Decoded bytes, which stand at [start, end) of the input; moves the position behind what was taken."""
        cdef Py_ssize_t i = 0
        cdef size_t taken = 0
        cdef uint8_t escape[6]
        cdef ptrdiff_t found
        cdef bint verbatim = end - start == count
        while i < count:
            turn.s.pos = start + i if verbatim else start
            if self.j.decoded != INSIDE_OBJECT:
                if is_space(bytes[i]):
                    i += 1
                    continue
                if bytes[i] != c"{" or self.j.decoded == AFTER_OBJECT:
                    return self.broken(turn, Reason.NOT_AN_OBJECT)
                self.j.decoded = INSIDE_OBJECT
            if tw_json_depth(&self.j.scanner) >= turn.depth_limit and (bytes[i] == c"{" or bytes[i] == c"["):
                if not tw_json_in_string(&self.j.scanner):
                    return self.broken(turn, Reason.DEPTH)
            found = tw_json_feed(&self.j.scanner, bytes + i, 1 if turn.depth_limit < DEEPEST else count - i, &taken)
            turn.argue(bytes + i, taken, turn.s.pos, (start + i + <Py_ssize_t>taken) if verbatim else end)
            i += taken
            if found >= 0:
                self.j.decoded = AFTER_OBJECT
            if found >= 0 or found == TW_MORE:
                continue
            turn.s.pos = start + i if verbatim else start
            if found != TW_INVALID:
                return self.broken(turn, Reason.DEPTH)
            if bytes[i] >= 0x20 or not tw_json_in_string(&self.j.scanner) or tw_json_in_escape(&self.j.scanner):
                return self.broken(turn, Reason.JSON)
            if turn.strict:
                return self.broken(turn, Reason.CONTROL_CHARACTER)
            turn.warn(CONTROL_CHARACTER_WARNING)
            turn.argue(escape, tw_json_escape_byte(bytes[i], escape), turn.s.pos, turn.s.pos + 1)
            i += 1
        turn.s.pos = end
        return ON

    cdef int arguments_whole(self, Turn turn) except -1:
        self.j.complete = True
        self.j.expect = COMMA_OR_END
        if self.j.named:
            turn.end_call(COMPLETE, None)
        if self.chosen is not None:
            return self.close_object(turn)
        return ON

    # The end of a call

    cdef int close_object(self, Turn turn) except -1:
        if self.chosen is None:
            turn.s.pos += 1
        if self.j.nested:
            self.j.nested = False
            self.j.expect = COMMA_OR_END
            return ON
        if not self.j.named:
            return self.broken(turn, Reason.NO_NAME)
        if not self.j.argued:
            turn.argue(<const uint8_t *>b"{}", 2, turn.s.pos, turn.s.pos)
            self.j.complete = True
            turn.end_call(COMPLETE, None)
        self.j.expect = AFTER_CALL
        self.j.after = turn.s.pos
        turn.s.held_from = -1 if self.j.in_array else turn.s.pos
        if turn.s.call == HELD or (turn.s.place == GUIDED and not self.j.in_array):
            return DONE
        return ON

    cdef int after_call(self, Turn turn, uint8_t byte) except -1:
        """Behind a call: the next one, the end of the array, or the end of the block."""
        if is_space(byte) and (self.j.in_array or turn.s.pos - self.j.after < turn.space_limit):
            turn.s.pos += 1
            return ON
        if self.j.in_array:
            if byte == c",":
                self.j.expect = ELEMENT
            elif byte == c"]":
                self.j.in_array = False
                self.j.array_closed = True
                self.j.after = turn.s.held_from = turn.s.pos + 1
                if turn.s.place == GUIDED:
                    turn.s.pos += 1
                    return DONE
            else:
                return self.broken(turn, Reason.ENVELOPE)
            turn.s.pos += 1
            return ON
        if byte == c"{" and not self.j.array_closed:
            turn.s.held_from = -1
            return self.open_object(turn)
        if self.j.expect == AFTER_CALL and not self.j.array_closed and (byte == c"," or byte == c";"):
            self.j.expect = AFTER_SEPARATOR
            turn.s.pos += 1
            return ON
        if self.j.expect == AFTER_CALL and (byte == c"}" or byte == c"]"):
            return self.broken(turn, Reason.ENVELOPE)
        turn.s.pos = self.j.after
        return DONE

    cdef int end(self, Turn turn) except -1:
        if self.j.expect == AFTER_CALL or self.j.expect == AFTER_SEPARATOR:
            turn.s.pos = self.j.after
        return 0
