cdef extern from "toolweir/mutant.h":
    bint tw_mutant(int number) noexcept nogil
