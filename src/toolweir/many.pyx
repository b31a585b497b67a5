"""feed_many: one step of a server, a piece for each of many parsers.

Theory of operation. Nearly every piece of a step goes through a gate and is one delta. Its event and the tuple around
it would cost more than the reading, so that the text alone is told: the parser knows the rest. Whatever may be the
caller's mistake is looked at before the first piece is read, and a step that is refused has changed nothing. What can
still fail then is one parser on its own (its make_id raised): the others read on, and what came of their pieces waits
in them, for the error takes the place of the step's result.
"""

from cpython.buffer cimport PyObject_CheckBuffer
from cpython.list cimport PyList_New
from cpython.object cimport PyObject

from .errors import OptionError, ParserStateError
from .parser cimport StreamParser, take_one
from .references cimport borrowed, given, one_more, put

__all__ = ["feed_many"]

cdef Py_ssize_t steps = 0  # so far; a parser that carries the number of this one stands in it twice


cdef class Item:
    """What a parser reads in a step in place of a piece."""

    cdef object read_by(self, StreamParser parser):
        """Answers as take_one()."""
        raise NotImplementedError


def feed_many(parsers, pieces, /, *, bint events=False):
    """Feed each parser the piece at its place; returns a list with an entry for each.

    An entry is what feed() returns for the piece, a tuple of events and () when nothing is decided; or, for a piece
    that went out as it came, just the text of its one delta. `parser.channel` tells of which kind that is, and
    arguments belong to the call that started last. With `events=True` every entry is a tuple.

    Both are lists or tuples. Raises TypeError for anything else in them or in their place, OptionError if they differ
    in length or hold a parser twice, ParserStateError for a parser that is finished or in use; nothing was read then.
    Where one parser fails while it reads, the others read all the same, its error is raised with a note that names it,
    and the events of the others come with their next ones.
    """
    cdef tuple items = as_tuple("pieces", pieces)
    cdef Py_ssize_t at
    for at in range(len(items)):
        if not is_piece(<object>borrowed(items, at)):
            raise TypeError(f"pieces[{at}]: expected str or UTF-8 bytes, got {type(items[at]).__name__}")
    return run_step(parsers, items, events)


cdef inline bint is_piece(object item) noexcept:
    return type(item) is str or isinstance(item, str) or PyObject_CheckBuffer(item)


cdef list run_step(object parsers, tuple items, bint events):
    """Feed each parser its item: a piece, or an Item."""
    cdef tuple readers = as_tuple("parsers", parsers)
    cdef Py_ssize_t count = len(readers), at = 0
    cdef bint failed = False
    cdef list out
    if count != len(items):
        raise OptionError(f"a step has one item for each parser, got {count} parsers and {len(items)} items")
    check_parsers(readers)
    out = PyList_New(count)
    while at < count:
        try:
            walk(readers, items, out, events, &at)
        except BaseException as error:  # an interrupt too comes out at the end of the step
            failed = True
            put(out, at, one_more(error))
            at += 1
    if failed:
        give_back(readers, out)
    return out


cdef int walk(tuple readers, tuple items, list out, bint events, Py_ssize_t *at) except -1:
    """Feed the parsers from `at` on; where one of them raises, `at` is its place."""
    while at[0] < len(readers):
        put(out, at[0], feed_one(<StreamParser>borrowed(readers, at[0]), <object>borrowed(items, at[0]), events))
        at[0] += 1
    return 0


cdef inline PyObject *feed_one(StreamParser parser, object item, bint events) except NULL:
    """Answers as take_one(), with `events` as feed()."""
    cdef PyObject *read
    if type(item) is not str and isinstance(item, Item):
        read = one_more((<Item>item).read_by(parser))
    else:
        read = take_one(parser, item)
    if events and type(<object>read) is not tuple:
        return parser.as_events(given(read))
    return read


cdef int check_parsers(tuple readers) except -1:
    global steps
    cdef Py_ssize_t at
    steps += 1
    for at in range(len(readers)):
        check_parser(readers, at, <StreamParser>borrowed(readers, at))
    return 0


cdef inline int check_parser(tuple readers, Py_ssize_t at, StreamParser parser) except -1:
    if not isinstance(parser, StreamParser):  # a cast asks nobody
        raise TypeError(f"parsers[{at}]: expected a StreamParser, got {type(parser).__name__}")
    if parser.finished:
        raise ParserStateError(f"parsers[{at}] is finished: reset() it or leave it out of the step")
    if parser.busy:
        raise ParserStateError(f"parsers[{at}] is in use: one thread at a time may feed it")
    if parser.torn:
        raise ParserStateError(f"parsers[{at}] stopped in the middle of a piece: reset() it or leave it out")
    if parser.step == steps:
        raise OptionError(f"parsers[{at}] is parsers[{readers.index(parser)}] again: join their pieces to one")
    parser.step = steps
    return 0


cdef int give_back(tuple readers, list out) except -1:
    """Raise the first error, or an interrupt; what the step had to tell waits in its parsers."""
    cdef Py_ssize_t at
    for at in range(len(readers)):
        if not isinstance(out[at], BaseException):
            try:
                (<StreamParser>readers[at]).keep(out[at])
            except MemoryError:  # it is torn now and says so; the others keep theirs
                pass
    failed = [(at, entry) for at, entry in enumerate(out) if isinstance(entry, BaseException)]
    note = "; ".join([f"parsers[{place}] failed: {error!r}" for place, error in failed])
    interrupts = [error for _, error in failed if not isinstance(error, Exception)]
    error = interrupts[0] if interrupts else failed[0][1]
    error.add_note(f"in a step of {len(readers)} parsers; all others have read their pieces: {note}")
    raise error


cdef tuple as_tuple(str name, object items):
    """A copy that no callback can change while the step goes on."""
    if not isinstance(items, (list, tuple)):
        raise TypeError(f"{name}: expected a list or a tuple, got {type(items).__name__}")
    return tuple(items)
