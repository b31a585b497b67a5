/*
 * json_escape.h: text into the inside of a JSON string, and back.
 */
#ifndef TOOLWEIR_JSON_ESCAPE_H
#define TOOLWEIR_JSON_ESCAPE_H

#include "contract.h"
#include "json_text.h"
#include "utf8.h"

#define TW_HEX_DIGIT(value) ((uint8_t)"0123456789abcdef"[(value) & 15])

/* Length of the prefix that stands in a JSON string as it is. */
static inline size_t tw_json_plain(const uint8_t *p, size_t n)
{
    return tw_json_string_run(p, n);
}

/* Writes the escape of a byte that is not plain, at most six bytes; returns how many. */
static inline size_t tw_json_escape_byte(uint8_t byte, uint8_t *out)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    out[0] = '\\';
    if (byte == '"' || byte == '\\') {
        out[1] = byte;
        return 2;
    }
    if (byte < sizeof letters && letters[byte] != 0) {
        out[1] = (uint8_t)letters[byte];
        return 2;
    }
    out[1] = 'u';
    out[2] = '0';
    out[3] = '0';
    out[4] = TW_HEX_DIGIT(byte >> 4);
    out[5] = TW_HEX_DIGIT(byte);
    return 6;
}

/*
 * Writes p[0..n) escaped to out, which has room for 6 * n bytes; returns the number of bytes written.
 *
 * Quote, backslash and the control bytes below 0x20 are escaped, the latter as \b \f \n \r \t or lowercase \u00xx;
 * nothing else is.
 */
static inline size_t tw_json_escape(const uint8_t *p, size_t n, uint8_t *out)
{
    size_t i = 0, written = 0;
    while (i < n) {
        size_t run = tw_json_plain(p + i, n - i);
        tw_copy(out + written, p + i, run);
        written += run;
        i += run;
        while (i < n && tw_json_is_special(p[i]))
            written += tw_json_escape_byte(p[i++], out + written);
    }
    return written;
}

/*
 * The inside of a JSON string, decoded a byte at a time. Zeroed to start.
 */
typedef struct tw_unescape {
    uint8_t state; /* 0: no escape; 1: after the backslash; 2 to 5: four to one hexadecimal digits are due */
    uint16_t unit; /* the digits so far */
    uint16_t high; /* a high surrogate that waits for its low one, or 0 */
} tw_unescape;

/* Whether an escape has begun, or a high surrogate waits. */
static inline bool tw_unescape_pending(const tw_unescape *u)
{
    return u->state != 0 || u->high != 0;
}

static inline int tw_unescape_put_lone(uint16_t surrogate, uint8_t *out, bool keep_lone)
{
    if (!keep_lone)
        return (int)tw_utf8_put_replacement(out);
    out[0] = '\\';
    out[1] = 'u';
    out[2] = TW_HEX_DIGIT(surrogate >> 12);
    out[3] = TW_HEX_DIGIT(surrogate >> 8);
    out[4] = TW_HEX_DIGIT(surrogate >> 4);
    out[5] = TW_HEX_DIGIT(surrogate);
    return 6;
}

/*
 * At the closing quote: writes the high surrogate that waited in vain, if there is one; returns the number of bytes.
 */
static inline int tw_unescape_end(tw_unescape *u, uint8_t *out, bool keep_lone)
{
    int written = u->high != 0 ? tw_unescape_put_lone(u->high, out, keep_lone) : 0;
    u->high = 0;
    return written;
}

/* A whole \uXXXX: u->unit. */
static inline int tw_unescape_unit(tw_unescape *u, uint8_t *out, bool keep_lone)
{
    uint16_t unit = u->unit;
    int written;
    if (u->high != 0 && (unit & 0xfc00) == 0xdc00) {
        uint32_t code_point = 0x10000 + ((uint32_t)(u->high & 0x3ff) << 10) + (unit & 0x3ff);
        u->high = 0;
        return (int)tw_utf8_put(code_point, out);
    }
    written = tw_unescape_end(u, out, keep_lone);
    if ((unit & 0xfc00) == 0xd800) {
        u->high = unit;
        return written;
    }
    if ((unit & 0xfc00) == 0xdc00)
        return written + tw_unescape_put_lone(unit, out + written, keep_lone);
    return written + (int)tw_utf8_put(unit, out + written);
}

static inline int tw_hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Takes one byte of a string's inside and writes what is decided by it; returns the number of bytes, or TW_INVALID
 * where no escape goes on like this.
 *
 * Escaped surrogate pairs become one character. A lone one becomes U+FFFD or, with keep_lone, its own escape, in
 * lowercase. All bytes outside escapes are handed on as they are.
 */
static inline int tw_unescape_byte(tw_unescape *u, uint8_t c, uint8_t out[12], bool keep_lone)
{
    static const char letters[] = "\"\\/bfnrt";
    static const uint8_t values[] = "\"\\/\b\f\n\r\t";
    const char *letter;
    int digit, written;
    if (u->state == 0) {
        if (c == '\\') {
            u->state = 1;
            return 0;
        }
        written = tw_unescape_end(u, out, keep_lone);
        out[written] = c;
        return written + 1;
    }
    if (u->state == 1) {
        if (c == 'u') {
            u->state = 2;
            u->unit = 0;
            return 0;
        }
        letter = c != 0 ? strchr(letters, c) : NULL;
        if (letter == NULL)
            return TW_INVALID;
        u->state = 0;
        written = tw_unescape_end(u, out, keep_lone);
        out[written] = values[letter - letters];
        return written + 1;
    }
    digit = tw_hex_digit(c);
    if (digit < 0)
        return TW_INVALID;
    u->unit = (uint16_t)(u->unit << 4 | digit);
    if (u->state < 5) {
        u->state++;
        return 0;
    }
    u->state = 0;
    return tw_unescape_unit(u, out, keep_lone);
}

#endif
