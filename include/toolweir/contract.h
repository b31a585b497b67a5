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

#endif
