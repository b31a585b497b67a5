/*
 * What the libFuzzer targets of the C layer share.
 *
 * A target takes its input apart with tw_input, reads it as a whole and in pieces, and holds both against code that is
 * as plain as can be. Every piece lies in memory of exactly its size: a read past its end is one past an allocation.
 */
#ifndef TOOLWEIR_FUZZING_H
#define TOOLWEIR_FUZZING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort(); \
        } \
    } while (0)

/* The input, and numbers drawn from a seed that is its first two bytes. */
typedef struct tw_input {
    const uint8_t *text;
    size_t size;
    uint64_t seed;
} tw_input;

static inline tw_input take_input(const uint8_t *data, size_t size)
{
    tw_input input = {data, size, 88172645463325252u};
    if (size >= 2) {
        input.seed += (uint64_t)(data[0] | data[1] << 8) * 2654435761u;
        input.text += 2;
        input.size -= 2;
    }
    return input;
}

static inline size_t pick(tw_input *input, size_t below)
{
    input->seed ^= input->seed << 13;
    input->seed ^= input->seed >> 7;
    input->seed ^= input->seed << 17;
    return (size_t)(input->seed % below);
}

/* Size of the next piece of what is left: mostly small, now and then long enough for the wide loops. */
static inline size_t pick_piece(tw_input *input, size_t left)
{
    static const size_t sizes[] = {1, 1, 2, 3, 5, 8, 17, 33, 64, 70, 130, 300};
    size_t size = sizes[pick(input, sizeof sizes / sizeof *sizes)];
    return size < left ? size : left;
}

static inline uint8_t *exact(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    CHECK(copy != NULL);
    if (n > 0)
        memcpy(copy, bytes, n);
    return copy;
}

#endif
