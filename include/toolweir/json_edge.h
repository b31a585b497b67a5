/*
 * json_edge.h: finds where a JSON object or array closes, and proves nothing else about it.
 *
 * It knows depth, strings and escapes. Kinds of brackets are not matched, control bytes in strings are not looked at, and a
 * root that opens no container is left alone: only the whole text can tell where a scalar ends.
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

static inline int tw_edge_verdict(const tw_edge *e)
{
    return e->malformed ? TW_EDGE_MALFORMED : e->closed ? TW_EDGE_CLOSED : TW_EDGE_OPEN;
}

/*
 * Reads the whole piece, then tells how things stand.
 */
static inline int tw_edge_feed(tw_edge *e, const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n && !e->malformed && !e->scalar; i++) {
        uint8_t c = p[i];
        if (e->in_string) {
            if (e->escape)
                e->escape = false;
            else if (c == '\\')
                e->escape = true;
            else if (c == '"')
                e->in_string = false;
            continue;
        }
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        if (e->closed) {
            e->malformed = true;
            break;
        }
        if (!e->started) {
            e->started = true;
            if (c != '{' && c != '[' && c != '}' && c != ']') {
                e->scalar = true;
                break;
            }
        }
        if (c == '"') {
            e->in_string = true;
        } else if (c == '{' || c == '[') {
            e->depth++;
        } else if (c == '}' || c == ']') {
            if (e->depth == 0)
                e->malformed = true;
            else if (--e->depth == 0)
                e->closed = true;
        }
    }
    return tw_edge_verdict(e);
}

#endif
