/*
 * mutant.h: the switch of the mutations that one build holds.
 *
 * TOOLWEIR_MUTANTS in the environment names a file that all processes of a run share: the number of the mutation that is
 * on, as four bytes, and a byte for each mutation, which becomes 1 where a process reaches its statement.
 */
#ifndef TOOLWEIR_MUTANT_H
#define TOOLWEIR_MUTANT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A changed expression may have another type, or brackets that nobody would write. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wtype-limits"

static volatile int32_t *tw_mutants;

__attribute__((constructor)) static void tw_mutants_map(void)
{
    const char *name = getenv("TOOLWEIR_MUTANTS");
    int file = name != NULL ? open(name, O_RDWR) : -1;
    struct stat status;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        tw_mutants = memory != MAP_FAILED ? (volatile int32_t *)memory : NULL;
    }
    close(file);
}

static inline int tw_mutant(int number)
{
    if (tw_mutants == NULL)
        return 0;
    ((volatile uint8_t *)(tw_mutants + 1))[number] = 1;
    return *tw_mutants == number;
}

#endif
