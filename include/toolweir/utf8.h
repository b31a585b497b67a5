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
 * Number of code points in valid UTF-8: all bytes but those that continue a character, 10xxxxxx. They are counted in the
 * eight bytes of a word, which is emptied before any of them can overflow.
 */
static inline size_t tw_utf8_count(const uint8_t *p, size_t n)
{
    size_t i = 0, continuing = 0;
    while (n - i >= 8) {
        size_t words = (n - i) / 8 < 255 ? (n - i) / 8 : 255;
        uint64_t counts = 0;
        for (; words > 0; words--, i += 8) {
            uint64_t word = tw_load8(p + i);
            counts += word >> 7 & ~(word >> 6) & TW_EVERY_BYTE(1);
        }
        counts = (counts & 0x00ff00ff00ff00ff) + (counts >> 8 & 0x00ff00ff00ff00ff);
        continuing += (size_t)(counts * 0x0001000100010001 >> 48);
    }
    for (; i < n; i++)
        continuing += (p[i] & 0xc0) == 0x80;
    return n - continuing;
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
 * The other way, for text that is known to be valid: tw_utf8_widest counts the code points and says which of 0x7f, 0xff,
 * 0xffff and 0x10ffff none of them exceeds; tw_utf8_decode then writes that many numbers of one, one, two or four bytes.
 */
static inline uint32_t tw_utf8_widest(const uint8_t *p, size_t n, size_t *count)
{
    uint8_t highest = 0;
    size_t i;
    for (i = 0; i < n; i++)
        highest = p[i] > highest ? p[i] : highest;
    *count = highest < 0x80 ? n : tw_utf8_count(p, n);
    if (highest < 0x80)
        return 0x7f;
    return highest < 0xc4 ? 0xff : highest < 0xf0 ? 0xffff : 0x10ffff;
}

#define TW_UTF8_DECODE(name, type)                                                                                    \
    static inline void name(const uint8_t *p, size_t n, type *out)                                                    \
    {                                                                                                                 \
        size_t i = 0, k;                                                                                              \
        while (i < n) {                                                                                               \
            uint8_t first = p[i];                                                                                     \
            if (first < 0x80) {                                                                                       \
                while (n - i >= 8 && (tw_load8(p + i) & TW_EVERY_BYTE(0x80)) == 0) {                                  \
                    for (k = 0; k < 8; k++)                                                                           \
                        out[k] = p[i + k];                                                                            \
                    out += 8;                                                                                         \
                    i += 8;                                                                                           \
                }                                                                                                     \
                while (i < n && p[i] < 0x80)                                                                          \
                    *out++ = p[i++];                                                                                  \
            } else if (first < 0xe0) {                                                                                \
                *out++ = (type)((first & 0x1f) << 6 | (p[i + 1] & 0x3f));                                             \
                i += 2;                                                                                               \
            } else if (first < 0xf0) {                                                                                \
                *out++ = (type)((first & 0x0f) << 12 | (p[i + 1] & 0x3f) << 6 | (p[i + 2] & 0x3f));                   \
                i += 3;                                                                                               \
            } else {                                                                                                  \
                *out++ = (type)((uint32_t)(first & 0x07) << 18 | (uint32_t)(p[i + 1] & 0x3f) << 12 |                  \
                                (uint32_t)(p[i + 2] & 0x3f) << 6 | (uint32_t)(p[i + 3] & 0x3f));                      \
                i += 4;                                                                                               \
            }                                                                                                         \
        }                                                                                                             \
    }

TW_UTF8_DECODE(tw_utf8_to_latin1, uint8_t)
TW_UTF8_DECODE(tw_utf8_to_ucs2, uint16_t)
TW_UTF8_DECODE(tw_utf8_to_ucs4, uint32_t)
#undef TW_UTF8_DECODE

static inline void tw_utf8_decode(const uint8_t *p, size_t n, uint32_t widest, void *out)
{
    if (widest == 0x7f)
        memcpy(out, p, n);
    else if (widest == 0xff)
        tw_utf8_to_latin1(p, n, (uint8_t *)out);
    else if (widest == 0xffff)
        tw_utf8_to_ucs2(p, n, (uint16_t *)out);
    else
        tw_utf8_to_ucs4(p, n, (uint32_t *)out);
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
