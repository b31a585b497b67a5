/*
 * The UTF-8 gate, against a table of well-formed sequences (Unicode, table 3-7), and the encoders of code point arrays.
 */
#include "fuzzing.h"
#include "toolweir/utf8.h"

typedef struct sequence {
    uint8_t length;
    uint8_t low[4], high[4];
} sequence;

static const sequence SEQUENCES[] = {
    {1, {0x00}, {0x7f}},
    {2, {0xc2, 0x80}, {0xdf, 0xbf}},
    {3, {0xe0, 0xa0, 0x80}, {0xe0, 0xbf, 0xbf}},
    {3, {0xe1, 0x80, 0x80}, {0xec, 0xbf, 0xbf}},
    {3, {0xed, 0x80, 0x80}, {0xed, 0x9f, 0xbf}},
    {3, {0xee, 0x80, 0x80}, {0xef, 0xbf, 0xbf}},
    {4, {0xf0, 0x90, 0x80, 0x80}, {0xf0, 0xbf, 0xbf, 0xbf}},
    {4, {0xf1, 0x80, 0x80, 0x80}, {0xf3, 0xbf, 0xbf, 0xbf}},
    {4, {0xf4, 0x80, 0x80, 0x80}, {0xf4, 0x8f, 0xbf, 0xbf}},
};

/* Bytes at p that are the beginning of one character, and whether it is whole. */
static size_t longest_part(const uint8_t *p, size_t n, bool *whole)
{
    size_t best = 0, i, j;
    *whole = false;
    for (i = 0; i < sizeof SEQUENCES / sizeof *SEQUENCES; i++) {
        const sequence *s = &SEQUENCES[i];
        for (j = 0; j < s->length && j < n && p[j] >= s->low[j] && p[j] <= s->high[j]; j++)
            continue;
        if (j > best)
            best = j;
        if (j == s->length)
            *whole = true;
    }
    return best;
}

static size_t decode_plainly(const uint8_t *p, size_t n, uint8_t *out, size_t *characters, size_t *valid)
{
    size_t i = 0, written = 0;
    *characters = 0;
    *valid = n;
    while (i < n) {
        bool whole;
        size_t part = longest_part(p + i, n - i, &whole);
        if (whole) {
            memcpy(out + written, p + i, part);
            written += part;
        } else {
            if (*valid == n)
                *valid = i;
            written += tw_utf8_put_replacement(out + written);
        }
        i += part > 0 ? part : 1;
        ++*characters;
    }
    return written;
}

static void check_code_points(tw_input *input)
{
    size_t n = input->size / 4, i, written = 0, count;
    uint32_t *points = malloc(4 * n + 1);
    uint16_t *units = malloc(2 * n + 1);
    uint8_t *expected = malloc(4 * n + 1), *out = malloc(4 * n + 1), *narrow = malloc(3 * n + 1);
    CHECK(points != NULL && units != NULL && expected != NULL && out != NULL && narrow != NULL);
    for (i = 0; i < n; i++) {
        memcpy(points + i, input->text + 4 * i, 4);
        points[i] %= i % 2 ? 0x110000 : 0x10000;
        units[i] = (uint16_t)points[i];
        written += tw_utf8_put(points[i], expected + written);
    }
    CHECK(tw_utf8_from_ucs4(points, n, out) == written && memcmp(out, expected, written) == 0);
    CHECK(tw_utf8_valid(out, written) == written);
    CHECK(tw_utf8_count(out, written) == n);
    count = tw_utf8_from_ucs2(units, n, narrow);
    CHECK(count <= 3 * n && tw_utf8_valid(narrow, count) == count && tw_utf8_count(narrow, count) == n);
    count = tw_utf8_from_latin1(input->text, n, out);
    CHECK(count <= 2 * n && tw_utf8_valid(out, count) == count && tw_utf8_count(out, count) == n);
    free(points);
    free(units);
    free(expected);
    free(out);
    free(narrow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tw_input input = take_input(data, size);
    size_t n = input.size, at = 0, written = 0, characters, valid, i;
    uint8_t *expected = malloc(3 * n + 9), *out = malloc(3 * n + 9);
    size_t length;
    tw_utf8 gate = {{0}, 0};
    CHECK(expected != NULL && out != NULL);
    length = decode_plainly(input.text, n, expected, &characters, &valid);
    CHECK(tw_utf8_valid(input.text, n) == valid);
    for (; at < n; at += i) {
        uint8_t *piece, *room;
        size_t count;
        i = pick_piece(&input, n - at);
        piece = exact(input.text + at, i);
        room = malloc(3 * (i + 3));
        CHECK(room != NULL);
        count = tw_utf8_feed(&gate, piece, i, room);
        CHECK(count <= 3 * (i + 3) && gate.count < 4);
        CHECK(tw_utf8_valid(room, count) == count);
        CHECK(written + count <= length);
        memcpy(out + written, room, count);
        written += count;
        free(piece);
        free(room);
    }
    written += tw_utf8_finish(&gate, out + written);
    CHECK(written == length && memcmp(out, expected, length) == 0);
    CHECK(tw_utf8_count(out, written) == characters);
    check_code_points(&input);
    free(expected);
    free(out);
    return 0;
}
