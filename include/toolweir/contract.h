/*
 * contract.h: what all headers of toolweir's C layer have in common.
 *
 * The layer is header-only C99. Nothing allocates and nothing fails at random: every state is a plain struct that the
 * caller owns, zeroed to start, that may be copied with `=` at any byte. Text is bytes, `const uint8_t *` and
 * `size_t`.
 *
 * One return contract. A function that looks for an end in a piece of text returns
 *
 *   >= 0         the number of bytes of this piece up to and including that end
 *   TW_MORE      all n bytes were read and the end was not among them: feed the next piece
 *   TW_INVALID   the byte at the reported offset cannot stand there
 *   TW_DEPTH     the byte at the reported offset opens one container too many
 *
 * After TW_INVALID and TW_DEPTH the state is what it was before that byte: the caller may skip the byte, feed another
 * one in its place, and go on.
 */
#ifndef TOOLWEIR_CONTRACT_H
#define TOOLWEIR_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TW_MORE (-1)
#define TW_INVALID (-2)
#define TW_DEPTH (-3)

/* Words of eight bytes, for tests of many bytes at once. A test tells whether any byte matches, not which one. */

#define TW_EVERY_BYTE(value) ((uint64_t)0x0101010101010101 * (uint8_t)(value))

static inline uint64_t tw_load8(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

/* The four to eight bytes at p as one word; those in the middle may stand in it twice. */
static inline uint64_t tw_load_short(const uint8_t *p, size_t n)
{
    uint32_t head, tail;
    memcpy(&head, p, 4);
    memcpy(&tail, p + n - 4, 4);
    return ((uint64_t)tail << 32) | head;
}

static inline bool tw_word_has(uint64_t word, uint8_t byte)
{
    word ^= TW_EVERY_BYTE(byte);
    return ((word - TW_EVERY_BYTE(1)) & ~word & TW_EVERY_BYTE(0x80)) != 0;
}

/* limit <= 128 */
static inline bool tw_word_has_below(uint64_t word, uint8_t limit)
{
    return ((word - TW_EVERY_BYTE(limit)) & ~word & TW_EVERY_BYTE(0x80)) != 0;
}

#endif
