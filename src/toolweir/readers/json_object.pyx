"""Calls written as JSON objects with a name and arguments, alone or in an array.

Theory of operation. The envelope is read by one switch over what is expected next. Keys and names are decoded, for they
may be written with escapes; all other values are read as readers/arguments.pyx has it. The call starts when its name is
complete and ends at the byte that closes its arguments, or at the object's end if it has none. What breaks after that
costs the call nothing.

Where nothing but the object itself says that it is a call (bare JSON, guided output, `strict_keys`), it is one only
while its keys say so: at the first byte of a key that the envelope does not know, all of it is text.

Options of an opener: `name_keys`, `argument_keys`, `id_keys`, `nested_keys` (of an object that is the envelope
itself), `list_keys` (of an array of calls), all sequences of keys; `keyed` (the object's key is the name, its value
the arguments), `strict_keys`, `lead` (a fixed text before the object), `headed` (a name, which the object repeats,
stands before the lead), `tail` (a fixed text behind the call), `native_ids` (the model's ids are used).
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_FromStringAndSize

from ..outcomes import CallStatus, Reason
from ..scan.byte_class cimport is_bracket, is_json_space
from ..scan.json_escape cimport tw_unescape_byte, tw_unescape_end, tw_unescape_pending
from ..scan.json_scanner cimport TW_INVALID, tw_json_string_run
from .arguments cimport ArgumentsReader
from .buffer cimport buffer_append, buffer_copy, buffer_free
from .turn cimport BARE, BROKEN, DONE, GUIDED, HELD, MORE, NATIVE, ON, REJECTED, RESUMED, Reader, STRAYED, Turn, WEAK

COMPLETE = CallStatus.COMPLETE

SECOND_NAME_WARNING = "second_name"
SECOND_ARGUMENTS_WARNING = "second_arguments"


cdef class JsonObjectReader(ArgumentsReader):

    def __init__(self, *, name_keys=("name",), argument_keys=("arguments", "parameters"), id_keys=("id",),
                 nested_keys=("function",), list_keys=(), keyed=False, strict_keys=False, lead="", headed=False,
                 tail="", native_ids=False, chosen=None, **_):
        self.keys = {b"type": TYPE_KEY}
        for names, key in (
            (nested_keys, FUNCTION_KEY), (list_keys, LIST_KEY),
            (id_keys, ID_KEY), (argument_keys, ARGUMENTS_KEY), (name_keys, NAME_KEY),
        ):
            self.keys.update({name.encode(): key for name in names})
        self.keyed = keyed
        self.strict_keys = strict_keys
        self.lead = lead.encode()
        self.headed = headed
        self.tail = tail.encode()
        self.native_ids = native_ids
        self.chosen = chosen

    def __dealloc__(self):
        buffer_free(&self.name)

    cdef bint accepts(self, Turn turn, uint8_t first):
        if self.headed:
            return not is_json_space(first) and not is_bracket(first)
        if self.lead:
            return first == <uint8_t>self.lead[0]
        return first == c"{" or (first == c"[" and self.chosen is None)

    cdef Reader copy(self):
        cdef JsonObjectReader other = JsonObjectReader.__new__(JsonObjectReader)
        other.keys, other.keyed, other.strict_keys = self.keys, self.keyed, self.strict_keys
        other.lead, other.headed, other.tail = self.lead, self.headed, self.tail
        other.native_ids = self.native_ids
        other.chosen = self.chosen
        other.e = self.e
        other.v = self.v
        buffer_copy(&other.name, &self.name)
        return other

    cdef int begin(self, Turn turn) except -1:
        memset(&self.e, 0, sizeof(self.e))
        memset(&self.v, 0, sizeof(self.v))
        self.e.expect = LEAD if self.lead else VALUE_START
        self.e.first = True
        self.name.length = 0
        return 0

    cdef int step(self, Turn turn) except -1:
        cdef uint8_t byte
        cdef int answer
        while turn.s.pos < turn.s.limit:
            byte = turn.data[turn.s.pos - turn.s.base]
            answer = ON
            if not self.v.named and turn.room_before_name() <= 0:
                return self.broken(turn, Reason.LIMIT)
            if self.e.expect == IN_VALUE:
                answer = self.read_value(turn)
            elif self.e.expect == IN_KEY or self.e.expect == IN_NAME or self.e.expect == IN_ID:
                answer = self.read_string(turn)
            elif self.e.expect == AFTER_CALL or self.e.expect == AFTER_SEPARATOR:
                answer = self.after_call(turn, byte)
            elif self.e.expect == LEAD:
                answer = self.read_lead(turn, byte)
            elif is_json_space(byte):
                turn.s.pos += 1
            elif self.e.expect == VALUE:
                answer = self.open_value(turn, byte)
            elif self.e.expect == VALUE_START or self.e.expect == ELEMENT:
                if byte == c"{":
                    answer = self.open_object(turn)
                elif byte == c"[" and self.e.expect == VALUE_START:
                    self.e.in_array = True
                    self.e.expect = ELEMENT
                    turn.s.pos += 1
                else:
                    answer = self.broken(turn, Reason.NO_NAME if byte == c"]" and self.e.first else Reason.JSON)
            elif self.e.expect == COLON:
                if byte != c":":
                    return self.broken(turn, Reason.JSON)
                self.e.expect = VALUE
                turn.s.pos += 1
            elif byte == c'"' and self.e.expect != COMMA_OR_END:
                answer = self.open_key(turn)
            elif byte == c"}" and self.e.expect != KEY:
                turn.s.pos += 1
                answer = self.close_object(turn)
            elif byte == c"," and self.e.expect == COMMA_OR_END:
                self.e.expect = KEY
                turn.s.pos += 1
            else:
                return self.broken(turn, Reason.JSON)
            if answer != ON:
                return answer
        return MORE

    cdef int read_lead(self, Turn turn, uint8_t byte) except -1:
        """One more byte before the object: of the name, or of the fixed text behind it."""
        if byte == <uint8_t>self.lead[self.e.matched]:
            turn.s.pos += 1
            self.e.matched += 1
            if self.e.matched == len(self.lead):
                self.e.expect = VALUE_START
            return ON
        if self.headed and not (self.e.matched or is_json_space(byte) or is_bracket(byte)):
            buffer_append(&self.name, &byte, 1)
            turn.s.pos += 1
            if turn.s.place == BARE:
                return ON if self.may_be_declared(turn, self.name.data, self.name.length) else REJECTED
            if self.name.length < turn.limits.header:
                return ON
        if turn.s.place == BARE or turn.s.place == WEAK:
            return REJECTED
        turn.back_to(turn.s.block)
        return STRAYED

    cdef int open_object(self, Turn turn) except -1:
        self.next_call(turn)
        if self.chosen is not None:
            self.v.named = self.e.argued = True
            self.e.expect = IN_VALUE
            turn.start_call(self.chosen)
            return self.open_arguments(turn, c"{")
        self.e.expect = KEY_OR_END
        turn.s.pos += 1
        return ON

    cdef int next_call(self, Turn turn) except -1:
        """A call begins at `pos`: the first of its block, or one that no opener opens."""
        if not self.e.first:
            turn.open_block(NATIVE if turn.s.place == RESUMED else turn.s.place, turn.s.pos)
            turn.s.text_from = turn.s.pos
        self.e.first = False
        self.e.nested = self.e.argued = self.v.named = self.v.whole = False
        self.v.tailed = 0
        return 0

    # Strings of the envelope

    cdef int open_key(self, Turn turn) except -1:
        """The quote at `pos` begins a key; where the key is the name, it may begin the next call."""
        self.e.expect = IN_KEY
        self.e.key_length = 0
        if self.keyed:
            if self.v.named:
                self.next_call(turn)
            self.e.expect = IN_NAME
            self.name.length = 0
        memset(&self.e.unescape, 0, sizeof(self.e.unescape))
        turn.s.pos += 1
        return ON

    cdef int read_string(self, Turn turn) except -1:
        """Decodes a key, a name or an id up to its closing quote."""
        cdef const uint8_t *at = turn.data + (turn.s.pos - turn.s.base)
        cdef Py_ssize_t run = 0
        cdef uint8_t out[12]
        cdef int count
        if not tw_unescape_pending(&self.e.unescape):
            run = turn.s.limit - turn.s.pos
            if not self.v.named:
                run = min(run, turn.room_before_name())
            run = tw_json_string_run(at, run)
        if run:
            if self.e.expect == IN_NAME:  # up to the byte that is one too many: no opener behind it is looked for
                run = min(run, max(1, turn.limits.name - self.name.length))
            turn.watch(turn.s.pos, turn.s.pos + run)
            turn.s.pos += run
            return self.take_key(turn, at, run) if self.e.expect == IN_KEY else self.take_name(turn, at, run)
        if at[0] == c'"' and self.e.unescape.state == 0:
            count = tw_unescape_end(&self.e.unescape, out, False)
            count = self.take_key(turn, out, count) if self.e.expect == IN_KEY else self.take_name(turn, out, count)
            if count != ON:
                return count
            turn.s.pos += 1
            if self.e.expect == IN_KEY:
                return self.classify(turn)
            if self.e.expect == IN_NAME:
                return self.name_known(turn)
            turn.native_id = PyBytes_FromStringAndSize(<char *>self.name.data, self.name.length)
            self.e.expect = COMMA_OR_END
            return ON
        if at[0] < 0x20 and self.e.unescape.state == 0 and self.control_character(turn) == BROKEN:
            return BROKEN
        count = tw_unescape_byte(&self.e.unescape, at[0], out, False)
        if count == TW_INVALID:
            return self.broken(turn, Reason.JSON)
        turn.s.pos += 1
        return self.take_key(turn, out, count) if self.e.expect == IN_KEY else self.take_name(turn, out, count)

    cdef int take_key(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1:
        """A key longer than its room is none that is looked for."""
        if count <= <Py_ssize_t>sizeof(self.e.key_text) - self.e.key_length:
            memcpy(self.e.key_text + self.e.key_length, bytes, count)
            self.e.key_length += count
        else:
            self.e.key_length = sizeof(self.e.key_text) + 1
        if count and not self.v.named and not self.may_be_known(turn):
            return REJECTED
        return ON

    cdef bint by_keys(self, Turn turn) noexcept:
        """Do the keys decide whether this is a call?"""
        return turn.s.place == GUIDED or turn.s.place == BARE or (self.strict_keys and turn.s.place == WEAK)

    cdef bint may_be_known(self, Turn turn) except -1:
        """Where an unknown key means that this is no call: may the key so far become one that the place allows?"""
        cdef Py_ssize_t length = self.e.key_length
        if not self.by_keys(turn):
            return True
        if length > <Py_ssize_t>sizeof(self.e.key_text):
            return False
        for text, key in self.keys.items():
            if turn.s.place == BARE and key == ARGUMENTS_KEY:
                continue
            if (<bytes>text)[:length] == (<char *>self.e.key_text)[:length]:
                return True
        return False

    cdef int take_name(self, Turn turn, const uint8_t *bytes, Py_ssize_t count) except -1:
        """A name past its limit breaks the call; of an id no more is kept than shows that it is too long."""
        cdef Py_ssize_t room = turn.limits.name - self.name.length
        if self.e.expect == IN_ID:
            buffer_append(&self.name, bytes, max(0, min(count, turn.limits.id + 1 - self.name.length)))
            return ON
        if count > room:
            turn.s.pos -= count - room
            return self.broken(turn, Reason.LIMIT)
        buffer_append(&self.name, bytes, count)
        return ON

    cdef int classify(self, Turn turn) except -1:
        cdef Key key = OTHER_KEY
        if self.e.key_length <= <Py_ssize_t>sizeof(self.e.key_text):
            key = self.keys.get(PyBytes_FromStringAndSize(<char *>self.e.key_text, self.e.key_length), OTHER_KEY)
        if not self.v.named and self.by_keys(turn):
            if key == OTHER_KEY or (key == ARGUMENTS_KEY and turn.s.place == BARE):
                return REJECTED
        self.e.key = key
        self.e.expect = COLON
        return ON

    cdef int name_known(self, Turn turn) except -1:
        name = (<char *>self.name.data)[:self.name.length].decode("utf-8", "replace") if self.name.length else ""
        if not name.strip():
            return self.broken(turn, Reason.NAME)
        if not turn.start_call(name):
            return REJECTED
        self.v.named = True
        self.e.expect = COMMA_OR_END
        if self.keyed:
            self.e.key = ARGUMENTS_KEY
            self.e.expect = COLON
        elif self.v.whole:
            turn.end_call(COMPLETE, None)
        return ON

    # Values

    cdef int open_value(self, Turn turn, uint8_t first) except -1:
        cdef Key key = self.e.key
        self.e.expect = IN_VALUE
        if key == NAME_KEY and not self.v.named:
            if first != c'"':
                return self.broken(turn, Reason.NAME)
            self.e.expect = IN_NAME
        elif key == ID_KEY and self.native_ids and first == c'"' and not self.v.named:
            self.e.expect = IN_ID
        elif key == ARGUMENTS_KEY and not self.e.argued:
            self.e.argued = True
            return self.open_arguments(turn, first)
        elif key == FUNCTION_KEY and first == c"{" and not (self.e.nested or self.v.named or self.e.argued):
            self.e.nested = True
            self.e.expect = KEY_OR_END
        elif key == LIST_KEY and first == c"[" and not (self.e.in_array or self.v.named or self.e.argued):
            self.e.in_array = self.e.wrapped = self.e.first = True
            self.e.expect = ELEMENT
        else:
            if key == NAME_KEY:
                turn.warn(SECOND_NAME_WARNING)
            elif key == ARGUMENTS_KEY:
                turn.warn(SECOND_ARGUMENTS_WARNING)
            return self.open_ignored()
        self.name.length = 0
        memset(&self.e.unescape, 0, sizeof(self.e.unescape))
        turn.s.pos += 1
        return ON

    cdef int value_over(self, Turn turn) except -1:
        self.e.expect = COMMA_OR_END
        if self.v.whole and self.v.named:
            turn.end_call(COMPLETE, None)
        return self.close_object(turn) if self.chosen is not None else ON

    # The end of a call

    cdef int close_object(self, Turn turn) except -1:
        if self.e.nested:
            self.e.nested = False
            self.e.expect = COMMA_OR_END
            return ON
        if not self.v.named:
            return self.broken(turn, Reason.NO_NAME)
        if not self.e.argued:
            self.no_arguments(turn)
            turn.end_call(COMPLETE, None)
        self.e.expect = AFTER_CALL
        self.e.after = turn.s.pos
        turn.s.held_from = -1 if self.e.in_array else turn.s.pos
        if turn.s.call == HELD or (turn.s.place == GUIDED and not self.e.in_array):
            return DONE
        return ON

    cdef int after_call(self, Turn turn, uint8_t byte) except -1:
        """Behind a call: the next one, the end of the array, the tail, or the end of the block."""
        if not self.e.in_array and self.at_tail(turn, byte):
            if self.v.tailed == len(self.tail):
                return DONE
            return ON
        if self.v.tailed:
            turn.s.pos = self.e.after
            return DONE
        if is_json_space(byte) and (self.e.in_array or turn.s.pos - self.e.after < turn.limits.whitespace):
            turn.s.pos += 1
            return ON
        if self.e.in_array:
            if byte == c",":
                self.e.expect = ELEMENT
                turn.s.pos += 1
                return ON
            if byte != c"]":
                return self.broken(turn, Reason.ENVELOPE)
            turn.s.pos += 1
            self.e.in_array = False
            self.e.array_closed = True
            self.e.after = turn.s.held_from = turn.s.pos
            return DONE if turn.s.place == GUIDED else ON
        if byte == c"}" and self.e.wrapped:
            turn.s.pos += 1
            self.e.wrapped = False
            self.e.after = turn.s.held_from = turn.s.pos
            return ON
        if byte == c"{" and not self.e.array_closed:
            turn.s.held_from = -1
            return self.open_object(turn)
        if self.e.expect == AFTER_CALL and not self.e.array_closed and (byte == c"," or byte == c";"):
            self.e.expect = AFTER_SEPARATOR
            turn.s.pos += 1
            return ON
        if self.e.expect == AFTER_CALL and (byte == c"}" or byte == c"]"):
            return self.broken(turn, Reason.ENVELOPE)
        turn.s.pos = self.e.after
        return DONE

    cdef int end(self, Turn turn) except -1:
        if turn.s.held_from >= 0 and (self.e.expect == AFTER_CALL or self.e.expect == AFTER_SEPARATOR):
            turn.s.pos = self.e.after  # what stands behind the last call is text
        return 0
