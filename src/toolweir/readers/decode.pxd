# Valid UTF-8 to str. CPython's decoder has to validate, and grows its result while it reads; here the text is known to
# be valid, so that its kind and length are counted first, and a long one is decoded without the GIL.

from libc.stdint cimport uint8_t, uint32_t
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_New

from ..scan.utf8 cimport tw_utf8_decode, tw_utf8_widest
from .stretches cimport LONG_STRETCH


cdef inline object decode(const uint8_t *text, Py_ssize_t length):
    """The str that valid UTF-8 says."""
    cdef size_t points = 0
    cdef uint32_t widest
    cdef void *target
    if length == 0:
        return ""
    if length < LONG_STRETCH:
        widest = tw_utf8_widest(text, length, &points)
    else:
        with nogil:
            widest = tw_utf8_widest(text, length, &points)
    result = PyUnicode_New(points, widest)
    target = PyUnicode_DATA(result)
    if length < LONG_STRETCH:
        tw_utf8_decode(text, length, widest, target)
    else:
        with nogil:
            tw_utf8_decode(text, length, widest, target)
    return result
