# Valid UTF-8 to str. CPython's decoder has to validate, and grows its result while it reads: for the few characters of
# a delta beyond ASCII that costs more than everything else.

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_2BYTE_DATA, PyUnicode_DecodeUTF8, PyUnicode_New

from ..scan.utf8 cimport tw_utf8_count

cdef enum:
    SHORT_TEXT = 256     # bytes; past that the decoder's pace makes up for its start
    LAST_ASCII = 0x7f
    LAST_UCS2 = 0xffff
    FIRST_UCS2_LEAD = 0xc4
    FIRST_UCS4_LEAD = 0xf0


cdef inline object decode(const uint8_t *text, Py_ssize_t length):
    """The str that valid UTF-8 says."""
    cdef Py_ssize_t points, i, at
    cdef uint8_t highest = 0
    cdef uint16_t *wide
    if length == 0:
        return ""
    if length > SHORT_TEXT:
        return PyUnicode_DecodeUTF8(<const char *>text, length, NULL)
    points = tw_utf8_count(text, length)
    if points == length:
        result = PyUnicode_New(length, LAST_ASCII)
        memcpy(PyUnicode_1BYTE_DATA(result), text, length)
        return result
    for i in range(length):
        highest = max(highest, text[i])
    if not FIRST_UCS2_LEAD <= highest < FIRST_UCS4_LEAD:
        return PyUnicode_DecodeUTF8(<const char *>text, length, NULL)
    result = PyUnicode_New(points, LAST_UCS2)
    wide = <uint16_t *>PyUnicode_2BYTE_DATA(result)
    at = 0
    for i in range(points):
        if text[at] < 0x80:
            wide[i] = text[at]
            at += 1
        elif text[at] < 0xe0:
            wide[i] = (text[at] & 0x1f) << 6 | (text[at + 1] & 0x3f)
            at += 2
        else:
            wide[i] = (text[at] & 0x0f) << 12 | (text[at + 1] & 0x3f) << 6 | (text[at + 2] & 0x3f)
            at += 3
    return result
