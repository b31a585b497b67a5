/*
 * An extension module that stands between the interpreter and its memory. arm(n) makes the n-th request from now on
 * fail, none of them if n is negative; disarm() says whether it came to that. asked() tells how many bytes were asked
 * for since arm(): what is copied needs room first, so this counts the copying that was done.
 *
 * allocations.py builds it. Only requests for memory are counted, not what is given back.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyMemAllocatorEx wrapped[3];
static const PyMemAllocatorDomain DOMAINS[3] = {PYMEM_DOMAIN_RAW, PYMEM_DOMAIN_MEM, PYMEM_DOMAIN_OBJ};
static Py_ssize_t left = -1; /* requests that succeed before it; -1: all do */
static int struck;
static unsigned long long asked_for;

static int fails(size_t size)
{
    asked_for += size;
    if (left < 0)
        return 0;
    if (left-- > 0)
        return 0;
    struck = 1;
    return 1;
}

static void *no_malloc(void *context, size_t size)
{
    PyMemAllocatorEx *inner = context;
    return fails(size) ? NULL : inner->malloc(inner->ctx, size);
}

static void *no_calloc(void *context, size_t count, size_t size)
{
    PyMemAllocatorEx *inner = context;
    return fails(count * size) ? NULL : inner->calloc(inner->ctx, count, size);
}

static void *no_realloc(void *context, void *memory, size_t size)
{
    PyMemAllocatorEx *inner = context;
    return fails(size) ? NULL : inner->realloc(inner->ctx, memory, size);
}

static void free_it(void *context, void *memory)
{
    PyMemAllocatorEx *inner = context;
    inner->free(inner->ctx, memory);
}

static PyObject *arm(PyObject *module, PyObject *arguments)
{
    Py_ssize_t count;
    int i;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "n", &count))
        return NULL;
    for (i = 0; i < 3; i++) {
        PyMemAllocatorEx outer = {&wrapped[i], no_malloc, no_calloc, no_realloc, free_it};
        PyMem_GetAllocator(DOMAINS[i], &wrapped[i]);
        PyMem_SetAllocator(DOMAINS[i], &outer);
    }
    struck = 0;
    asked_for = 0;
    left = count;
    Py_RETURN_NONE;
}

static PyObject *disarm(PyObject *module, PyObject *arguments)
{
    int i;
    (void)module;
    (void)arguments;
    left = -1;
    for (i = 0; i < 3; i++)
        PyMem_SetAllocator(DOMAINS[i], &wrapped[i]);
    return PyBool_FromLong(struck);
}

static PyObject *asked(PyObject *module, PyObject *arguments)
{
    (void)module;
    (void)arguments;
    return PyLong_FromUnsignedLongLong(asked_for);
}

static PyMethodDef METHODS[] = {
    {"arm", arm, METH_VARARGS, NULL},
    {"disarm", disarm, METH_NOARGS, NULL},
    {"asked", asked, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "no_memory", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_no_memory(void);

PyMODINIT_FUNC PyInit_no_memory(void)
{
    return PyModule_Create(&MODULE);
}
