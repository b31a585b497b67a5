from libc.stdint cimport uint8_t

cdef bint is_json_text(const uint8_t *text, Py_ssize_t length)
