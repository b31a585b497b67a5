# Reads nested dicts and lists by borrowed references, for the one shape of chunk that nearly all have.
#
# NULL is what is not there, and has nothing inside. Exact dicts and lists only: looking up a str among str keys runs no
# code of others, so what was borrowed stays alive while the chunk that holds it does.

from cpython.dict cimport PyDict_CheckExact, PyDict_GetItemWithError, PyDict_Size
from cpython.list cimport PyList_CheckExact, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact

cdef extern from "Python.h":
    PyObject *borrowed_item "PyList_GET_ITEM" (object items, Py_ssize_t at)


cdef inline PyObject *entry(PyObject *owner, str key) noexcept:
    """The value of a key."""
    if owner is NULL or not PyDict_CheckExact(<object>owner):
        return NULL
    return PyDict_GetItemWithError(<object>owner, key)


cdef inline PyObject *only_item(PyObject *items) noexcept:
    """The item of a list of one."""
    if items is NULL or not PyList_CheckExact(<object>items) or PyList_GET_SIZE(<object>items) != 1:
        return NULL
    return borrowed_item(<object>items, 0)


cdef inline Py_ssize_t entries(PyObject *owner) noexcept:
    return PyDict_Size(<object>owner)


cdef inline bint is_str(PyObject *value) noexcept:
    return PyUnicode_CheckExact(<object>value)


cdef inline bint is_none(PyObject *value) noexcept:
    """None, or not there."""
    return value is NULL or value is <PyObject *>None


cdef inline bint is_number(PyObject *value, Py_ssize_t number) noexcept:
    cdef int overflow = 0
    if value is NULL or not PyLong_CheckExact(<object>value):
        return False
    return PyLong_AsLongLongAndOverflow(<object>value, &overflow) == number and not overflow
