# References that are handed on, for what every piece passes through.
#
# An object in a variable is counted up and, when the variable ends, down again. From CPython 3.12 on that is as dear as
# half of the reading: the count goes up as 32 bits, and to load all 64 of them right afterwards waits until they are
# written. So where a piece passes, a `PyObject *` is a reference that its holder must give away, once, or a borrowed
# one.

from cpython.object cimport PyObject

cdef extern from *:
    """
    /* A new object of a type that takes no arguments. */
    static CYTHON_INLINE PyObject *tw_new(PyObject *type, PyObject *no_arguments)
    {
        return ((PyTypeObject *)type)->tp_new((PyTypeObject *)type, no_arguments, NULL);
    }

    /* A tuple of one; takes the reference, where it fails too. */
    static CYTHON_INLINE PyObject *tw_alone(PyObject *item)
    {
        PyObject *tuple = PyTuple_New(1);
        if (tuple == NULL)
            Py_DECREF(item);
        else
            PyTuple_SET_ITEM(tuple, 0, item);
        return tuple;
    }

    static CYTHON_INLINE PyObject *tw_one_more(PyObject *object)
    {
        Py_INCREF(object);
        return object;
    }

    #define tw_given(reference) (reference)
    #define tw_borrowed(tuple, at) PyTuple_GET_ITEM(tuple, at)
    #define tw_put(list, at, reference) PyList_SET_ITEM(list, at, reference)
    """
    PyObject *new_reference "tw_new"(object type, tuple no_arguments) except NULL
    PyObject *alone "tw_alone"(PyObject *item) except NULL
    PyObject *one_more "tw_one_more"(object thing) noexcept
    object given "tw_given"(PyObject *reference)
    PyObject *borrowed "tw_borrowed"(tuple items, Py_ssize_t at) noexcept
    void put "tw_put"(list items, Py_ssize_t at, PyObject *reference) noexcept
