/*
 * utf8.h: UTF-8 in pieces that may be cut inside a character.
 *
 * What a byte sequence can begin is decided by its first two bytes (Unicode, table 3-7). Where a sequence breaks, the
 * longest part that could have begun a character becomes one U+FFFD, which is what Python's decoder does.
 */
#ifndef TOOLWEIR_UTF8_H
#define TOOLWEIR_UTF8_H

#include "contract.h"
#include "wide.h"

/* Bytes of the character that begins with this one, 0 if none does. */
static inline size_t tw_utf8_length(uint8_t first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xc2)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf5 ? 4 : 0;
}

/* Whether `second` may follow `first`; no overlong forms, no surrogates, nothing above U+10FFFF. */
static inline bool tw_utf8_follows(uint8_t first, uint8_t second)
{
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

/*
 * Length of the longest prefix of p[0..n) that is part of one character, n >= 1: 0 where none begins, the character's
 * own length where it is whole.
 */
static inline size_t tw_utf8_part(const uint8_t *p, size_t n)
{
    size_t length = tw_utf8_length(p[0]), i;
    if (length < 2)
        return length;
    if (n < 2 || !tw_utf8_follows(p[0], p[1]))
        return 1;
    for (i = 2; i < length && i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            break;
    return i;
}

/*
 * Length of the longest prefix that is UTF-8 and ends between characters.
 */
static inline size_t tw_utf8_valid(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        size_t length;
        if (p[i] < 0x80) {
            while (n - i >= 8 && (tw_load8(p + i) & TW_EVERY_BYTE(0x80)) == 0)
                i += 8;
            while (i < n && p[i] < 0x80)
                i++;
            continue;
        }
        length = tw_utf8_length(p[i]);
        if (length == 0 || tw_utf8_part(p + i, n - i) < length)
            break;
        i += length;
    }
    return i;
}

/*
 * Number of code points in valid UTF-8.
 */
static inline size_t tw_utf8_count(const uint8_t *p, size_t n)
{
    size_t i, count = 0;
    for (i = 0; i < n; i++)
        count += (p[i] & 0xc0) != 0x80;
    return count;
}

/* Writes U+FFFD; returns its length. */
static inline size_t tw_utf8_put_replacement(uint8_t *out)
{
    out[0] = 0xef;
    out[1] = 0xbf;
    out[2] = 0xbd;
    return 3;
}

/* Writes a code point, U+FFFD for a surrogate; returns the number of bytes. */
static inline size_t tw_utf8_put(uint32_t code_point, uint8_t *out)
{
    if (code_point < 0x80) {
        out[0] = (uint8_t)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (uint8_t)(0xc0 | code_point >> 6);
        out[1] = (uint8_t)(0x80 | (code_point & 0x3f));
        return 2;
    }
    if (code_point < 0x10000) {
        if ((code_point & 0xf800) == 0xd800)
            return tw_utf8_put_replacement(out);
        out[0] = (uint8_t)(0xe0 | code_point >> 12);
        out[1] = (uint8_t)(0x80 | (code_point >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (code_point & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | code_point >> 18);
    out[1] = (uint8_t)(0x80 | (code_point >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (code_point >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (code_point & 0x3f));
    return 4;
}

/*
 * Arrays of code points, as Python keeps its strings, to UTF-8. `out` has room for 2, 3 or 4 bytes each; returns the
 * number of bytes written. Every surrogate becomes U+FFFD, also one of a pair: an array of code points has no pairs.
 */
static inline size_t tw_utf8_from_latin1(const uint8_t *p, size_t n, uint8_t *out)
{
    size_t i, written = 0;
    for (i = 0; i < n; i++)
        written += tw_utf8_put(p[i], out + written);
    return written;
}

static inline size_t tw_utf8_from_ucs2(const uint16_t *p, size_t n, uint8_t *out)
{
    size_t i, written = 0;
    for (i = 0; i < n; i++)
        written += tw_utf8_put(p[i], out + written);
    return written;
}

static inline size_t tw_utf8_from_ucs4(const uint32_t *p, size_t n, uint8_t *out)
{
    size_t i, written = 0;
    for (i = 0; i < n; i++)
        written += tw_utf8_put(p[i], out + written);
    return written;
}

/*
 * A gate that lets only whole, valid characters through. Zeroed to start.
 */
typedef struct tw_utf8 {
    uint8_t held[4]; /* the beginning of a character */
    uint8_t count;   /* its bytes */
} tw_utf8;

/* Goes on with the held character; returns the number of bytes read from `in`, and adds to *written. */
static inline size_t tw_utf8_resume(tw_utf8 *g, const uint8_t *in, size_t n, uint8_t *out, size_t *written)
{
    size_t length = tw_utf8_length(g->held[0]), i = 0;
    while (i < n) {
        g->held[g->count] = in[i];
        if (tw_utf8_part(g->held, (size_t)g->count + 1) == g->count) {
            *written += tw_utf8_put_replacement(out + *written);
            g->count = 0;
            break;
        }
        g->count++;
        i++;
        if (g->count == length) {
            memcpy(out + *written, g->held, length);
            *written += length;
            g->count = 0;
            break;
        }
    }
    return i;
}

/*
 * Writes what can be told of the input so far to `out`, which has room for 3 * (n + 3) bytes; returns the number of
 * bytes. What does not belong to UTF-8 becomes U+FFFD; a character that is not whole yet is held.
 */
static inline size_t tw_utf8_feed(tw_utf8 *g, const uint8_t *in, size_t n, uint8_t *out)
{
    size_t i = 0, written = 0;
    if (g->count != 0)
        i = tw_utf8_resume(g, in, n, out, &written);
    while (i < n) {
        size_t run = tw_utf8_valid(in + i, n - i), part;
        memcpy(out + written, in + i, run);
        written += run;
        i += run;
        if (i == n)
            break;
        part = tw_utf8_part(in + i, n - i);
        if (part > 0 && part == n - i) {
            memcpy(g->held, in + i, part);
            g->count = (uint8_t)part;
            break;
        }
        written += tw_utf8_put_replacement(out + written);
        i += part > 0 ? part : 1;
    }
    return written;
}

/*
 * At the end of the input: writes U+FFFD for a character that was held, at most three bytes; returns how many.
 */
static inline size_t tw_utf8_finish(tw_utf8 *g, uint8_t *out)
{
    size_t written = g->count != 0 ? tw_utf8_put_replacement(out) : 0;
    g->count = 0;
    return written;
}

#endif
