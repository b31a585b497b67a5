"""TokenTable: parsers fed with token ids, without a detokenizer.

Theory of operation. A table holds the bytes of all tokens in one array, and where each begins. What a parser is fed for
a token is made once and kept: a str if it is whole characters, so that it goes through the gates as any piece does;
else its bytes, and the parser waits for the rest of the character. Several ids are copied together and read as one
piece, up to the next special token, which is read by itself. All ids are looked at before the first of them is read.
"""

from operator import index
from sys import byteorder

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy
from cpython.buffer cimport (
    PyBUF_FORMAT, PyBUF_SIMPLE, PyBUF_STRIDES, PyBuffer_Release, PyObject_CheckBuffer, PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8

from .errors import OptionError
from .many cimport Item, as_tuple, run_step
from .parser cimport StreamParser, take_one
from .references cimport given
from .scan.utf8 cimport tw_utf8_valid
from .vocabularies import pack, read_tiktoken, read_tokenizers

__all__ = ["TokenTable"]

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object number, int *overflow) except? -1

cdef enum:
    ID_SIZE = 8

NATIVE = "@=<" if byteorder == "little" else "@=>"
INTEGERS = "bBhHiIlLqQnN"  # as the struct module names them


cdef class TokenTable:
    """The vocabulary of a model, for feeding parsers with token ids. Immutable, and shared by all parsers and threads.

    `tokens` are the bytes of each token, in the order of ids; `special` the ids of the special ones, or a dict of their
    texts and ids, which may lie behind `tokens`. An id without a token has no bytes. Needs numpy
    (`pip install toolweir[tokens]`). Raises TypeError, or OptionError for a special id that is no token.
    """

    def __init__(self, tokens, special=()):
        self.vocabulary, self.offsets, self.special = pack(tokens, special)
        self.bytes = memory_of(self.vocabulary)
        self.starts = <const int64_t *>memory_of(self.offsets)
        self.flags = memory_of(self.special)
        self.count = len(self.special)
        self.pieces = [None] * self.count

    @classmethod
    def from_tokenizers(cls, tokenizer, *, special=None):
        """The table of a `tokenizers.Tokenizer`, or of a fast tokenizer of transformers.

        `special`: the ids of special tokens; by default the added tokens that are marked so or that a format of this
        library has among its own. Raises OptionError where tokens are no text by themselves.
        """
        tokens, found = read_tokenizers(tokenizer)
        return cls(tokens, found if special is None else special)

    @classmethod
    def from_tiktoken(cls, encoding, *, special=None):
        """The table of a `tiktoken.Encoding`. `special`: ids of special tokens; by default those of the encoding."""
        tokens, found = read_tiktoken(encoding)
        return cls(tokens, found if special is None else special)

    def feed_ids(self, StreamParser parser not None, ids, /):
        """Feed a parser tokens: an int, or a list, a tuple or an integer array of them. Returns events as feed() does.

        The text is read as feed() reads it, characters that are split over tokens too; a special token is read as
        feed_special() does. Raises OptionError for an id outside of the vocabulary and TypeError for what is no id, and
        nothing was read then; else as StreamParser.feed.
        """
        cdef object item = self.item(ids, "ids", -1)
        cdef object read = (<Tokens>item).read_by(parser) if type(item) is Tokens else given(take_one(parser, item))
        return read if type(read) is tuple else given(parser.as_events(read))

    def feed_many(self, parsers, ids, /, *, bint events=False):
        """Feed each parser the ids at its place, as feed_ids takes them; answers and raises as toolweir.feed_many.

        `ids` is a list, a tuple or an integer array: an id or a row of ids for each parser.
        """
        cdef tuple rows = as_tuple("ids", ids.tolist() if is_array(ids) else ids)
        return run_step(parsers, tuple([self.item(row, "ids", at) for at, row in enumerate(rows)]), events)

    def __len__(self):
        return self.count

    def __getitem__(self, number):
        """The bytes of a token."""
        return self.bytes_of(self.read_number(index(number), "table", -1))

    def __repr__(self):
        return f"<TokenTable of {self.count} tokens, {self.special.sum()} of them special>"

    def __reduce__(self):
        return type(self), ([self.bytes_of(at) for at in range(self.count)], self.special.nonzero()[0].tolist())

    # Ids

    cdef object item(self, object ids, str name, Py_ssize_t place):
        """What a step has for these ids: the piece of the only one if that is an ordinary token, else Tokens."""
        cdef Tokens tokens
        cdef bytes numbers
        cdef int64_t number
        if type(ids) is int:
            number = self.read_number(ids, name, place)
            if not self.flags[number]:
                return self.piece(number)
            numbers = (<char *>&number)[:ID_SIZE]
        else:
            numbers = self.read_numbers(ids, name, place)
            if len(numbers) == ID_SIZE:
                number = (<const int64_t *>PyBytes_AS_STRING(numbers))[0]
                if not self.flags[number]:
                    return self.piece(number)
        tokens = Tokens.__new__(Tokens)
        tokens.table = self
        tokens.ids = numbers
        return tokens

    cdef bytes read_numbers(self, object ids, str name, Py_ssize_t place):
        """Ids as int64 one behind the other; raises for what is none of this vocabulary."""
        cdef Py_ssize_t at
        cdef bytes out
        cdef int64_t *numbers
        if is_array(ids):
            return self.read_array(ids, name, place)
        items = ids if isinstance(ids, (list, tuple)) else (ids,)
        out = PyBytes_FromStringAndSize(NULL, ID_SIZE * len(items))
        numbers = <int64_t *>PyBytes_AS_STRING(out)
        for at, item in enumerate(items):
            if type(item) is not int:
                try:
                    item = index(item)
                except TypeError:
                    raise TypeError(f"{placed(name, place)}: expected ids, got {type(item).__name__}") from None
            numbers[at] = self.read_number(item, name, place)
        return out

    cdef bytes read_array(self, object ids, str name, Py_ssize_t place):
        cdef Py_buffer view
        cdef Py_ssize_t at, count, stride
        cdef bytes out
        cdef int64_t number
        cdef int64_t *numbers
        PyObject_GetBuffer(ids, &view, PyBUF_FORMAT | PyBUF_STRIDES)
        try:
            kind = (<bytes>view.format).decode().lstrip(NATIVE)
            if view.ndim > 1 or len(kind) != 1 or kind not in INTEGERS:
                raise TypeError(f"{placed(name, place)}: expected one row of integers, got {describe(ids)}")
            count = view.shape[0] if view.ndim else 1
            stride = view.strides[0] if view.ndim else 0
            out = PyBytes_FromStringAndSize(NULL, ID_SIZE * count)
            numbers = <int64_t *>PyBytes_AS_STRING(out)
            for at in range(count):
                number = integer_at(<const char *>view.buf + at * stride, view.itemsize, kind.isupper())
                if not 0 <= number < self.count:
                    self.refuse(number, name, place)
                numbers[at] = number
            return out
        finally:
            PyBuffer_Release(&view)

    cdef int64_t read_number(self, object number, str name, Py_ssize_t place) except -1:
        cdef int overflow
        cdef int64_t value = PyLong_AsLongLongAndOverflow(number, &overflow)
        if overflow or not 0 <= value < self.count:
            self.refuse(number, name, place)
        return value

    cdef int refuse(self, object number, str name, Py_ssize_t place) except -1:
        raise OptionError(f"{placed(name, place)}: id {number} is not in the vocabulary of {self.count} tokens")

    # Text

    cdef object bytes_of(self, Py_ssize_t number):
        return PyBytes_FromStringAndSize(
            <const char *>self.bytes + self.starts[number], self.starts[number + 1] - self.starts[number]
        )

    cdef object piece(self, Py_ssize_t number):
        """What a parser is fed for a token."""
        cdef object piece = self.pieces[number]
        if piece is None:
            piece = as_text(self.bytes_of(number))
            if self.flags[number] and type(piece) is bytes:  # feed_special() wants a str
                piece = piece.decode("utf-8", "replace")
            self.pieces[number] = piece
        return piece

    cdef object joined(self, const int64_t *ids, Py_ssize_t count):
        """The text of ordinary tokens as one piece."""
        cdef Py_ssize_t at, length = 0
        cdef bytes out
        cdef char *target
        for at in range(count):
            length += self.starts[ids[at] + 1] - self.starts[ids[at]]
        out = PyBytes_FromStringAndSize(NULL, length)
        target = PyBytes_AS_STRING(out)
        for at in range(count):
            length = self.starts[ids[at] + 1] - self.starts[ids[at]]
            memcpy(target, self.bytes + self.starts[ids[at]], length)
            target += length
        return as_text(out)


cdef class Tokens(Item):
    """Several ids, or a special one."""

    cdef object read_by(self, StreamParser parser):
        cdef const int64_t *ids = <const int64_t *>PyBytes_AS_STRING(self.ids)
        cdef Py_ssize_t count = len(self.ids) // ID_SIZE, start = 0, end
        cdef TokenTable table = self.table
        cdef bint begun = False
        cdef list events = []
        try:
            while start < count:
                end = start
                while end < count and not table.flags[ids[end]]:
                    end += 1
                if end == start:
                    read = parser.feed_special(table.piece(ids[start]))
                    end += 1
                else:
                    read = given(take_one(parser, table.joined(ids + start, end - start)))
                    if end - start == count:
                        return read
                begun = True
                events += read if type(read) is tuple else given(parser.as_events(read))
                start = end
            return tuple(events)
        except BaseException:
            if begun:  # the events of what was read are lost
                parser.torn = True
            raise


cdef object as_text(bytes text):
    """A str if these are whole characters; else the bytes, of which the parser joins what belongs together."""
    cdef Py_ssize_t length = len(text)
    if length and <Py_ssize_t>tw_utf8_valid(<const uint8_t *>PyBytes_AS_STRING(text), length) == length:
        return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(text), length, NULL)
    return text


cdef int64_t integer_at(const char *at, Py_ssize_t size, bint unsigned) noexcept:
    """An integer of 1, 2, 4 or 8 bytes. One that int64 does not hold comes out negative, which is no id either."""
    cdef int8_t one
    cdef int16_t two
    cdef int32_t four
    cdef int64_t eight
    if size == 8:
        memcpy(&eight, at, 8)
        return eight
    if size == 4:
        memcpy(&four, at, 4)
        eight = four
    elif size == 2:
        memcpy(&two, at, 2)
        eight = two
    else:
        one = <int8_t>at[0]
        eight = one
    return eight & ((<int64_t>1 << 8 * size) - 1) if unsigned else eight


cdef const uint8_t *memory_of(object array) except NULL:
    """Where an array's memory is; the array keeps it."""
    cdef Py_buffer view
    cdef const uint8_t *memory
    PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    memory = <const uint8_t *>view.buf
    PyBuffer_Release(&view)
    return memory


cdef bint is_array(object ids):
    return PyObject_CheckBuffer(ids) and not isinstance(ids, (bytes, bytearray))


cdef str describe(object array):
    return f"{getattr(array, 'ndim', 1)} dimensions of {getattr(array, 'dtype', type(array).__name__)}"


cdef str placed(str name, Py_ssize_t place):
    return name if place < 0 else f"{name}[{place}]"
