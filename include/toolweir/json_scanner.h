/*
 * json_scanner.h: a strict, incremental JSON validator that finds where a value ends.
 *
 *   tw_json scanner = {0};
 *   size_t taken;
 *   ptrdiff_t end = tw_json_feed(&scanner, piece, length, &taken);     // contract.h tells what comes back
 *
 * It accepts RFC 8259 and nothing else: exactly four whitespace bytes, no byte order mark, no bytes above 0x7f
 * outside strings. Inside strings it does not look at UTF-8 (utf8.h does), escaped surrogates need not pair, and
 * numbers may have any size. The grammar is in json_grammar.h; json_edge.h is the lenient scanner that only finds the
 * end.
 */
#ifndef TOOLWEIR_JSON_SCANNER_H
#define TOOLWEIR_JSON_SCANNER_H

#include "contract.h"
#include "json_edge.h"
#include "json_grammar.h"
#include "json_text.h"

/* Containers that may be open at once. */
#ifndef TW_JSON_DEPTH
#define TW_JSON_DEPTH 1023
#endif

typedef struct tw_json {
    uint8_t state;                              /* a row of tw_json_table */
    uint16_t depth;                             /* open containers */
    uint8_t objects[(TW_JSON_DEPTH + 7) / 8]; /* bit i: whether open container i, outermost first, is an object */
} tw_json;

/* Whether a byte other than whitespace was read. */
static inline bool tw_json_started(const tw_json *s)
{
    return s->state != TW_STATE(BLANK, ROOT) && s->state != TW_STATE(VALUE, ROOT);
}

/* Whether the value has ended; nothing more is read then. */
static inline bool tw_json_done(const tw_json *s)
{
    return s->state == TW_STATE(AFTER, ROOT);
}

/* Whether the next byte stands inside a string (a key is one), escapes included. */
static inline bool tw_json_in_string(const tw_json *s)
{
    return (unsigned)s->state - TW_STATE(STRING, ROOT) < TW_STATE(FIRST, ROOT) - TW_STATE(STRING, ROOT);
}

/* Whether the next byte belongs to an escape that has begun. */
static inline bool tw_json_in_escape(const tw_json *s)
{
    return (unsigned)s->state - TW_STATE(ESCAPE, ROOT) < TW_STATE(FIRST, ROOT) - TW_STATE(ESCAPE, ROOT);
}

/* Number of open containers. */
static inline unsigned tw_json_depth(const tw_json *s)
{
    return s->depth;
}

static inline bool tw_json_is_whole_number(uint8_t state)
{
    return state == TW_STATE(INTEGER, ROOT) || state == TW_STATE(ZERO, ROOT) ||
           state == TW_STATE(FRACTION, ROOT) || state == TW_STATE(POWER, ROOT);
}

/*
 * At the end of the text: 0 if the value is whole, TW_MORE if not. Only a number at the root can end like this, since
 * no byte of its own tells that it is over.
 */
static inline int tw_json_end(const tw_json *s)
{
    return tw_json_done(s) || tw_json_is_whole_number(s->state) ? 0 : TW_MORE;
}

static inline bool tw_json_push(tw_json *s, bool object)
{
    uint8_t bit = (uint8_t)(1 << (s->depth & 7));
    uint8_t *bits = &s->objects[s->depth >> 3];
    if (s->depth == TW_JSON_DEPTH)
        return false;
    *bits = (uint8_t)(object ? *bits | bit : *bits & ~bit);
    s->depth++;
    return true;
}

/* The state after the innermost container has closed. */
static inline uint8_t tw_json_pop(tw_json *s)
{
    unsigned outer = (unsigned)--s->depth - 1;
    if (s->depth == 0)
        return TW_STATE(AFTER, ROOT);
    return s->objects[outer >> 3] >> (outer & 7) & 1 ? TW_STATE(AFTER, OBJECT) : TW_STATE(AFTER, ARRAY);
}

/*
 * Reads one JSON value, whitespace before it included.
 *
 * Returns the offset just past the byte that ends the value (for a number at the root: of the first byte that is no
 * part of it, which stays unread), TW_MORE, TW_INVALID or TW_DEPTH. *taken is the number of bytes read; where a byte
 * was refused, its offset. Once the value has ended, every call returns 0.
 */
static inline ptrdiff_t tw_json_feed(tw_json *s, const uint8_t *p, size_t n, size_t *taken)
{
    uint8_t state = s->state;
    ptrdiff_t result = TW_MORE;
    size_t i = 0;
    if (state == TW_STATE(AFTER, ROOT)) {
        *taken = 0;
        return 0;
    }
    while (i < n) {
        uint8_t next;
        if ((unsigned)state - TW_STATE(STRING, ROOT) < 4) {
            i += tw_json_string_run(p + i, n - i);
            if (i == n)
                break;
        }
        next = tw_json_table[state][tw_json_classes[p[i]]];
        if (next == TW_A_INVALID) {
            if (tw_json_is_whole_number(state)) {
                state = TW_STATE(AFTER, ROOT);
                result = (ptrdiff_t)i;
            } else {
                result = TW_INVALID;
            }
            break;
        }
        if (next >= TW_A_OPEN_ARRAY) {
            if (next == TW_A_CLOSE) {
                next = tw_json_pop(s);
            } else if (next == TW_A_END) {
                next = TW_STATE(AFTER, ROOT);
            } else if (!tw_json_push(s, next == TW_A_OPEN_OBJECT)) {
                result = TW_DEPTH;
                break;
            } else {
                next = next == TW_A_OPEN_OBJECT ? TW_STATE(FIRST, KEY) : TW_STATE(FIRST, ARRAY);
            }
        }
        state = next;
        i++;
        if (state == TW_STATE(AFTER, ROOT)) {
            result = (ptrdiff_t)i;
            break;
        }
    }
    s->state = state;
    *taken = i;
    return result;
}

#endif
