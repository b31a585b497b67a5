/*
 * Escaping, against a switch; what is escaped says the same again; and unescaping, against a decoder of whole texts.
 */
#include "fuzzing.h"
#include "toolweir/json_escape.h"

static size_t escape_plainly(uint8_t byte, uint8_t *out)
{
    char text[8];
    switch (byte) {
    case '"': strcpy(text, "\\\""); break;
    case '\\': strcpy(text, "\\\\"); break;
    case '\b': strcpy(text, "\\b"); break;
    case '\f': strcpy(text, "\\f"); break;
    case '\n': strcpy(text, "\\n"); break;
    case '\r': strcpy(text, "\\r"); break;
    case '\t': strcpy(text, "\\t"); break;
    default:
        if (byte < 0x20) {
            snprintf(text, sizeof text, "\\u%04x", byte);
        } else {
            out[0] = byte;
            return 1;
        }
    }
    memcpy(out, text, strlen(text));
    return strlen(text);
}

static bool read_hex(const uint8_t *p, size_t n, unsigned *unit)
{
    char digits[5] = {0}, *end;
    size_t i;
    if (n < 6 || p[0] != '\\' || p[1] != 'u')
        return false;
    memcpy(digits, p + 2, 4);
    for (i = 0; i < 4; i++)
        if (digits[i] == 0 || strchr("0123456789abcdefABCDEF", digits[i]) == NULL)
            return false;
    *unit = (unsigned)strtoul(digits, &end, 16);
    return true;
}

/* Decodes a text that is whole; returns the length, or -1 where an escape is none or is cut short. */
static ptrdiff_t unescape_plainly(const uint8_t *p, size_t n, uint8_t *out, bool keep_lone)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    size_t i = 0;
    uint8_t *start = out;
    while (i < n) {
        unsigned unit, low;
        const char *letter;
        if (p[i] != '\\') {
            *out++ = p[i++];
            continue;
        }
        if (read_hex(p + i, n - i, &unit)) {
            if (unit >= 0xd800 && unit < 0xdc00 && read_hex(p + i + 6, n - i - 6, &low) && low >= 0xdc00 &&
                low < 0xe000) {
                out += tw_utf8_put(0x10000 + (unit - 0xd800) * 0x400 + (low - 0xdc00), out);
                i += 12;
                continue;
            }
            if (unit >= 0xd800 && unit < 0xe000 && keep_lone) {
                char text[8];
                snprintf(text, sizeof text, "\\u%04x", unit);
                memcpy(out, text, 6);
                out += 6;
            } else {
                out += tw_utf8_put(unit, out);
            }
            i += 6;
            continue;
        }
        letter = i + 1 < n && p[i + 1] != 0 ? strchr(letters, p[i + 1]) : NULL;
        if (letter == NULL)
            return -1;
        *out++ = (uint8_t)values[letter - letters];
        i += 2;
    }
    return out - start;
}

/* As StreamParser does it: byte by byte, each into room of exactly twelve. */
static ptrdiff_t unescape(const uint8_t *p, size_t n, uint8_t *out, bool keep_lone)
{
    tw_unescape u = {0, 0, 0};
    size_t i, written = 0;
    for (i = 0; i < n; i++) {
        uint8_t *room = exact(out, 0);
        int count;
        room = realloc(room, 12);
        CHECK(room != NULL);
        count = tw_unescape_byte(&u, p[i], room, keep_lone);
        CHECK(count <= 12);
        if (count < 0) {
            free(room);
            return -1;
        }
        memcpy(out + written, room, (size_t)count);
        written += (size_t)count;
        free(room);
    }
    if (u.state != 0)
        return -1;
    written += (size_t)tw_unescape_end(&u, out + written, keep_lone);
    CHECK(!tw_unescape_pending(&u));
    return (ptrdiff_t)written;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tw_input input = take_input(data, size);
    size_t n = input.size, at = 0, length = 0, plain = 0, i;
    uint8_t *whole = exact(NULL, 0), *expected = malloc(6 * n + 12), *back = malloc(6 * n + 12);
    bool keep_lone = pick(&input, 2) == 1;
    ptrdiff_t decoded, reference;
    whole = realloc(whole, 6 * n > 0 ? 6 * n : 1);
    CHECK(whole != NULL && expected != NULL && back != NULL);

    for (i = 0; i < n; i++)
        length += escape_plainly(input.text[i], expected + length);
    CHECK(tw_json_escape(input.text, n, whole) == length);
    CHECK(memcmp(whole, expected, length) == 0);
    while (plain < n && input.text[plain] >= 0x20 && input.text[plain] != '"' && input.text[plain] != '\\')
        plain++;
    CHECK(tw_json_plain(input.text, n) == plain);
    CHECK(unescape(whole, length, back, keep_lone) == (ptrdiff_t)n);
    CHECK(n == 0 || memcmp(back, input.text, n) == 0);

    for (length = 0; at < n; at += i) { /* in pieces, each with room for just six times its bytes */
        uint8_t *piece, *room;
        size_t count;
        i = pick_piece(&input, n - at);
        piece = exact(input.text + at, i);
        room = malloc(6 * i);
        CHECK(room != NULL);
        count = tw_json_escape(piece, i, room);
        CHECK(memcmp(room, expected + length, count) == 0);
        length += count;
        free(piece);
        free(room);
    }

    decoded = unescape(input.text, n, back, keep_lone);
    reference = unescape_plainly(input.text, n, expected, keep_lone);
    CHECK(decoded == reference);
    CHECK(decoded <= 0 || memcmp(back, expected, (size_t)decoded) == 0);
    free(whole);
    free(expected);
    free(back);
    return 0;
}
