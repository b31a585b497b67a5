# The text and the blocks that calls stand in, in turn.

from libc.stdint cimport uint8_t

from .broken cimport BrokenBlocks
from .readers.turn cimport Reader


cdef class Reading(BrokenBlocks):
    cdef list readers
    cdef Reader reader

    cdef int run(self) except -1
    cdef Py_ssize_t needed(self) noexcept
    cdef int after_opener(self) except -1
    cdef int after_bracket(self) except -1
    cdef Reader reader_of(self, Py_ssize_t number)
    cdef int begin_block(self, Py_ssize_t start, Py_ssize_t first) except -1
    cdef int try_native(self, uint8_t first) except -1
    cdef int read_trial(self) except -1
    cdef int settle_trial(self) except -1
    cdef int read_block(self) except -1
    cdef int read_step(self) except -1
    cdef int settle_held(self) except -1
    cdef Py_ssize_t text_call_sure(self) except -1
    cdef int text_call_over(self) except -1
    cdef int block_done(self) except -1
    cdef int block_strayed(self) except -1
    cdef int block_broken(self, object reason) except -1
