# A byte buffer that grows by doubling. Owned by one object, freed by it.

from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memmove
from cpython.mem cimport PyMem_Free, PyMem_Realloc


cdef struct Buffer:
    uint8_t *data
    Py_ssize_t length
    Py_ssize_t capacity


cdef inline int buffer_reserve(Buffer *buffer, Py_ssize_t more) except -1:
    cdef Py_ssize_t capacity
    cdef uint8_t *data
    if buffer.length + more <= buffer.capacity:
        return 0
    capacity = max(64, buffer.capacity * 2, buffer.length + more)
    data = <uint8_t *>PyMem_Realloc(buffer.data, capacity)
    if data == NULL:
        raise MemoryError()
    buffer.data = data
    buffer.capacity = capacity
    return 0


cdef inline void copy_few(uint8_t *target, const uint8_t *source, size_t count) noexcept:
    """memcpy, without a call where the bytes are as few as those of a piece: two overlapping halves."""
    if count > 16:
        memcpy(target, source, count)
    elif count >= 8:
        memcpy(target + count - 8, source + count - 8, 8)
        memcpy(target, source, 8)
    elif count >= 4:
        memcpy(target + count - 4, source + count - 4, 4)
        memcpy(target, source, 4)
    elif count:
        target[count - 1] = source[count - 1]
        target[count >> 1] = source[count >> 1]
        target[0] = source[0]


cdef inline int buffer_append(Buffer *buffer, const uint8_t *data, Py_ssize_t length) except -1:
    if length:
        buffer_reserve(buffer, length)
        copy_few(buffer.data + buffer.length, data, length)
        buffer.length += length
    return 0


cdef inline void buffer_drop(Buffer *buffer, Py_ssize_t count) noexcept:
    """Forget the first `count` bytes."""
    buffer.length -= count
    if buffer.length:
        memmove(buffer.data, buffer.data + count, buffer.length)


cdef inline int buffer_copy(Buffer *target, const Buffer *source) except -1:
    target.length = 0
    return buffer_append(target, source.data, source.length)


cdef inline void buffer_free(Buffer *buffer) noexcept:
    PyMem_Free(buffer.data)
    buffer.data = NULL
    buffer.length = 0
    buffer.capacity = 0
