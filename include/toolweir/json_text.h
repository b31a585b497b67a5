/*
 * json_text.h: the bytes that mean nothing inside a JSON string.
 *
 * Most of what a model writes in a call stands inside strings, so this one test decides the speed of scanning, of
 * escaping and of unescaping alike.
 */
#ifndef TOOLWEIR_JSON_TEXT_H
#define TOOLWEIR_JSON_TEXT_H

#include "contract.h"

static inline bool tw_json_is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte != '"' && byte != '\\';
}

static inline bool tw_json_word_is_plain(uint64_t word)
{
    return !(tw_word_has_below(word, 0x20) || tw_word_has(word, '"') || tw_word_has(word, '\\'));
}

/*
 * Length of the prefix of p[0..n) that holds no quote, no backslash and no control byte below 0x20.
 */
static inline size_t tw_json_string_run(const uint8_t *p, size_t n)
{
    size_t i = 0;
    if (n >= 4 && n < 8) {
        if (tw_json_word_is_plain(tw_load_short(p, n)))
            return n;
    } else {
        while (n - i >= 8 && tw_json_word_is_plain(tw_load8(p + i)))
            i += 8;
    }
    while (i < n && tw_json_is_plain(p[i]))
        i++;
    return i;
}

#endif
