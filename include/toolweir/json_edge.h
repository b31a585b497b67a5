/*
 * json_edge.h: finds where a JSON object or array closes, and proves nothing else about it.
 *
 * It knows depth, strings and escapes. Kinds of brackets are not matched, control bytes in strings are not looked at,
 * and a root that opens no container is left alone: only the whole text can tell where a scalar ends.
 */
#ifndef TOOLWEIR_JSON_EDGE_H
#define TOOLWEIR_JSON_EDGE_H

#include "contract.h"

enum tw_edge_verdict {
    TW_EDGE_OPEN,     /* the root has not closed, or is a scalar */
    TW_EDGE_CLOSED,   /* the root has closed, and nothing but whitespace came after it */
    TW_EDGE_MALFORMED /* too many closing brackets, or something after the root; this stays */
};

typedef struct tw_edge {
    size_t depth; /* open containers */
    bool in_string;
    bool escape; /* in a string, after a backslash */
    bool started;
    bool scalar;
    bool closed;
    bool malformed;
} tw_edge;

static inline bool tw_edge_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static inline int tw_edge_verdict(const tw_edge *e)
{
    return e->malformed ? TW_EDGE_MALFORMED : e->closed ? TW_EDGE_CLOSED : TW_EDGE_OPEN;
}

/*
 * Reads up to the bracket that closes the root.
 *
 * Returns the offset just past it (0 if the root had closed before), TW_MORE, or TW_INVALID where a closing bracket
 * comes first. *taken is the number of bytes read; a scalar root takes none.
 */
static inline ptrdiff_t tw_edge_find(tw_edge *e, const uint8_t *p, size_t n, size_t *taken)
{
    size_t i;
    *taken = 0;
    if (e->malformed)
        return TW_INVALID;
    if (e->closed)
        return 0;
    for (i = 0; i < n && !e->scalar; i++) {
        uint8_t c = p[i];
        if (e->in_string) {
            if (e->escape)
                e->escape = false;
            else if (c == '\\')
                e->escape = true;
            else if (c == '"')
                e->in_string = false;
        } else if (c == '{' || c == '[') {
            e->started = true;
            e->depth++;
        } else if (c == '}' || c == ']') {
            if (e->depth == 0) {
                *taken = i;
                return TW_INVALID;
            }
            if (--e->depth == 0) {
                e->closed = true;
                *taken = i + 1;
                return (ptrdiff_t)*taken;
            }
        } else if (!e->started) {
            e->scalar = e->started = !tw_edge_is_space(c);
        } else if (c == '"') {
            e->in_string = true;
        }
    }
    *taken = i;
    return TW_MORE;
}

/*
 * Reads the whole piece, then tells how things stand.
 */
static inline int tw_edge_feed(tw_edge *e, const uint8_t *p, size_t n)
{
    size_t taken;
    ptrdiff_t end = tw_edge_find(e, p, n, &taken);
    if (end == TW_INVALID)
        e->malformed = true;
    else if (e->closed)
        while (taken < n && !e->malformed)
            e->malformed = !tw_edge_is_space(p[taken++]);
    return tw_edge_verdict(e);
}

#endif
