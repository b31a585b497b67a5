/*
 * The C layer as a C program sees it, without Python. test_c_layer.py builds and runs it with and without SIMD, and under
 * the sanitizers. Every piece lies in memory of exactly its size, so that a read past an end is seen.
 *
 * The functions that take many bytes at a time are held against the plainest byte loops that do the same.
 */
#include <stdio.h>
#include <stdlib.h>

#include "toolweir/json_escape.h"
#include "toolweir/json_scanner.h"
#include "toolweir/marker_matcher.h"
#include "toolweir/utf8.h"

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static uint64_t seed = 88172645463325252u;

static size_t pick(size_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed % below);
}

static uint8_t *exact(const void *bytes, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    CHECK(copy != NULL);
    if (n > 0)
        memcpy(copy, bytes, n);
    return copy;
}

/* n bytes of an alphabet. */
static uint8_t *soup(const char *alphabet, size_t n)
{
    uint8_t *bytes = exact("", 0);
    size_t i, letters = strlen(alphabet);
    bytes = realloc(bytes, n > 0 ? n : 1);
    CHECK(bytes != NULL);
    for (i = 0; i < n; i++)
        bytes[i] = (uint8_t)alphabet[pick(letters)];
    return bytes;
}

/* Runs. */

static tw_markers *build(const char *const *markers, size_t count)
{
    const uint8_t *texts[16];
    size_t lengths[16], i, size;
    void *memory;
    tw_markers *t;
    CHECK(count <= 16);
    for (i = 0; i < count; i++) {
        texts[i] = (const uint8_t *)markers[i];
        lengths[i] = strlen(markers[i]);
    }
    size = tw_markers_size(texts, lengths, count);
    memory = malloc(size);
    CHECK(size > 0 && memory != NULL);
    CHECK(tw_markers_build(memory, size - 1, texts, lengths, count) == NULL);
    t = tw_markers_build(memory, size, texts, lengths, count);
    CHECK(t != NULL);
    return t;
}

static const char *const FEW[] = {"<a", "[b", "{c", "\xef\xbc"};
static const char *const MANY[] = {"<a", "[b", "{c", "\xef\xbc", "~d", "\x80 ", "A+", "O1", "_f"};

static void test_runs(void)
{
    static const uint8_t stops[] = {'"', '\\', 0x00, 0x1f, '\n', '<', '[', '{', 0xef, 0x80, '~', '_', 'A', 'O'};
    static const uint8_t plain[] = {' ', 'x', 0x7f, 0xff, '/', '^', 'o', 'n', 0xce, 0x30, '@', 0x21};
    tw_markers *few = build(FEW, 4), *many = build(MANY, 9);
    size_t n, at, i;
    for (n = 0; n < 200; n++) {
        for (at = 0; at <= n; at++) {
            uint8_t *p = soup("x", n);
            for (i = 0; i < n; i++)
                p[i] = plain[pick(sizeof plain)];
            if (at < n) {
                p[at] = stops[pick(sizeof stops)];
                if (pick(2))
                    p[at + pick(n - at)] = stops[pick(sizeof stops)];
            }
            for (i = 0; i < n && p[i] >= 0x20 && p[i] != '"' && p[i] != '\\'; i++)
                ;
            CHECK(tw_json_string_run(p, n) == i && tw_json_plain(p, n) == i);
            for (i = 0; i < n && p[i] != '<' && p[i] != '[' && p[i] != '{' && p[i] != 0xef; i++)
                ;
            CHECK(tw_markers_skip(few, p, n) == i);
            for (i = 0; i < n && !tw_markers_first(many, p[i]); i++)
                ;
            CHECK(tw_markers_skip(many, p, n) == i);
            free(p);
        }
    }
    for (i = 0; i < 256; i++) {
        uint8_t all[64];
        bool first = i != 0 && strchr("<[{\xef~\x80" "AO_", (int)i) != NULL;
        CHECK(tw_markers_first(many, (uint8_t)i) == first);
        memset(all, (int)i, sizeof all);
        CHECK(tw_markers_skip(many, all, sizeof all) == (first ? 0 : sizeof all));
    }
    free(few);
    free(many);
}

/* Markers: the first that ends; of several that end there the longest. */

static ptrdiff_t search(const char *const *markers, size_t count, const uint8_t *p, size_t n, size_t *marker)
{
    size_t end, i, longest;
    for (end = 1; end <= n; end++) {
        for (i = longest = 0; i < count; i++) {
            size_t length = strlen(markers[i]);
            if (length > longest && length <= end && memcmp(p + end - length, markers[i], length) == 0) {
                longest = length;
                *marker = i;
            }
        }
        if (longest > 0)
            return (ptrdiff_t)end;
    }
    return TW_MORE;
}

static void test_markers(void)
{
    static const char *const markers[] = {"<<>", "<a>b", "a>", "bab", "><<<", "ab", "b"};
    int round;
    for (round = 0; round < 20000; round++) {
        size_t count = 1 + pick(7), n = pick(pick(2) ? 16 : 150), cut = pick(n + 1), expected_marker = 0, read;
        tw_markers *t = build(markers, count);
        uint8_t *text = soup(round % 3 ? "<>ab" : "..................<>ab", n);
        uint8_t *head = exact(text, cut), *tail = exact(text + cut, n - cut);
        ptrdiff_t expected = search(markers, count, text, n, &expected_marker), end;
        tw_match match = {0, 0, 0};
        end = tw_markers_feed(t, &match, head, cut);
        read = cut;
        if (end == TW_MORE) {
            CHECK(tw_markers_held(t, &match) <= cut);
            end = tw_markers_feed(t, &match, tail, n - cut);
            end = end == TW_MORE ? end : end + (ptrdiff_t)read;
        }
        CHECK(end == expected);
        if (expected != TW_MORE) {
            CHECK(match.marker == expected_marker && match.length == strlen(markers[expected_marker]));
            CHECK(match.state == 0 && tw_markers_held(t, &match) == 0);
        }
        free(text);
        free(head);
        free(tail);
        free(t);
    }
}

static void test_refused_markers(void)
{
    const uint8_t *texts[2] = {(const uint8_t *)"a", (const uint8_t *)""};
    size_t lengths[2] = {1, 0};
    uint64_t memory[512];
    CHECK(tw_markers_size(texts, lengths, 2) == 0);
    CHECK(tw_markers_build(memory, sizeof memory, texts, lengths, 2) == NULL);
    CHECK(tw_markers_size(texts, lengths, 1) > 0);
    CHECK(tw_markers_build(memory, sizeof memory, texts, lengths, 1) != NULL);
}

/* JSON: pieces do not matter, nor does a refused byte. */

static ptrdiff_t scan(tw_json *s, const uint8_t *p, size_t n, size_t at, size_t *offset)
{
    uint8_t *head = exact(p, at), *tail = exact(p + at, n - at);
    size_t taken;
    ptrdiff_t result = tw_json_feed(s, head, at, &taken);
    *offset = taken;
    if (result == TW_MORE) {
        CHECK(taken == at);
        result = tw_json_feed(s, tail, n - at, &taken);
        *offset += taken;
        if (result >= 0)
            result += (ptrdiff_t)at;
    }
    free(head);
    free(tail);
    return result;
}

static bool same(const tw_json *a, const tw_json *b)
{
    return a->state == b->state && a->depth == b->depth;
}

static void test_json(void)
{
    static const char document[] =
        " {\"a\": [1, -2.5e+3, true, false, null, {}, []], \"b\\n\\u00e9\": \"a long string without any escape, longer "
        "than two words of a vector unit, so that all paths are taken, and then \\\"some\\\" of them\"} ";
    size_t n = sizeof document - 1, at, offset;
    int round;
    for (at = 0; at <= n; at++) {
        tw_json s = {0};
        CHECK(scan(&s, (const uint8_t *)document, n, at, &offset) == (ptrdiff_t)n - 1);
        CHECK(offset == n - 1 && tw_json_done(&s) && tw_json_end(&s) == 0 && tw_json_depth(&s) == 0);
    }
    for (round = 0; round < 50000; round++) {
        size_t length = pick(round % 5 ? 12 : 90), other;
        uint8_t *p = soup(round % 2 ? "[]{}\",:1 \\" : "[[{\"\"\":,10.e-truefalsn u\\ \n", length);
        tw_json whole = {0}, cut = {0};
        ptrdiff_t result = scan(&whole, p, length, length, &offset);
        CHECK(scan(&cut, p, length, pick(length + 1), &other) == result);
        CHECK(offset == other && same(&whole, &cut) && offset <= length);
        if (result == TW_INVALID) {
            tw_json before = {0};
            size_t taken;
            CHECK(tw_json_feed(&before, p, offset, &taken) == TW_MORE);
            CHECK(same(&before, &whole));
            CHECK(tw_json_feed(&before, p + offset, 1, &taken) == TW_INVALID && taken == 0);
        }
        free(p);
    }
}

static void test_json_depth(void)
{
    tw_json s = {0};
    size_t taken, i;
    CHECK(sizeof s <= 176);
    for (i = 0; i < TW_JSON_DEPTH; i++)
        CHECK(tw_json_feed(&s, (const uint8_t *)"[", 1, &taken) == TW_MORE);
    CHECK(tw_json_feed(&s, (const uint8_t *)" {", 2, &taken) == TW_DEPTH && taken == 1);
    CHECK(tw_json_depth(&s) == TW_JSON_DEPTH);
    for (i = 1; i < TW_JSON_DEPTH; i++)
        CHECK(tw_json_feed(&s, (const uint8_t *)"]", 1, &taken) == TW_MORE);
    CHECK(tw_json_feed(&s, (const uint8_t *)"]", 1, &taken) == 1);
    CHECK(tw_json_feed(&s, (const uint8_t *)"]", 1, &taken) == 0 && taken == 0);
}

/* Every state and every byte: what the table holds can be reached, and nothing leaves the table. */
static void test_json_table(void)
{
    bool reached[TW_P_COUNT * 4] = {true};
    unsigned state, byte, round;
    for (round = 0; round < TW_P_COUNT; round++) {
        for (state = 0; state < TW_P_COUNT * 4; state++) {
            for (byte = 0; byte < 256 && reached[state]; byte++) {
                uint8_t c = (uint8_t)byte, containers;
                for (containers = 0; containers < 2; containers++) {
                    tw_json s = {0}, before;
                    size_t taken;
                    ptrdiff_t result;
                    s.depth = state % 4 == TW_AT_ROOT ? 0 : (uint16_t)(1 + containers);
                    s.objects[0] = (uint8_t)((state % 4 != TW_AT_ARRAY) << containers);
                    s.state = (uint8_t)state;
                    before = s;
                    result = tw_json_feed(&s, &c, 1, &taken);
                    CHECK(result == TW_MORE || result == TW_INVALID || result == 0 || result == 1);
                    CHECK(result != TW_INVALID || same(&s, &before));
                    CHECK(s.state < TW_P_COUNT * 4);
                    CHECK(tw_json_in_escape(&s) <= tw_json_in_string(&s));
                    CHECK((result >= 0) == tw_json_done(&s));
                    reached[s.state] = true;
                }
            }
        }
    }
    for (state = 0; state < TW_P_COUNT * 4; state++) {
        bool used = false;
        for (byte = 0; byte < 32; byte++)
            used |= tw_json_table[state][byte] != TW_A_INVALID;
        CHECK(used == (reached[state] && state != TW_STATE(AFTER, ROOT)));
    }
}

/* The edge: one byte at a time, without the shortcuts. */

static int plain_edge(tw_edge *e, const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n && !e->malformed && !e->scalar; i++) {
        if (e->in_string) {
            if (e->escape)
                e->escape = false;
            else if (p[i] == '\\')
                e->escape = true;
            else if (p[i] == '"')
                e->in_string = false;
        } else if (strchr(" \t\n\r", p[i]) == NULL || p[i] == 0) {
            if (e->closed)
                e->malformed = true;
            else if (p[i] == '{' || p[i] == '[')
                e->depth++;
            else if (p[i] == '}' || p[i] == ']')
                (void)(e->depth == 0 ? (e->malformed = true) : (e->closed = --e->depth == 0));
            else if (!e->started)
                e->scalar = true;
            else
                e->in_string = p[i] == '"';
            e->started = true;
        }
    }
    return tw_edge_verdict(e);
}

static void test_edge(void)
{
    static const char *const alphabets[] = {"{}[]\"\\ a,", "{{[\"xxxxxxxxxx\"\\\\ }", "{[ \"\"aaaaaaaaaaaaaaa]\n", "[\"\\"};
    int round;
    for (round = 0; round < 40000; round++) {
        size_t n = pick(round % 3 ? 400 : 20), cut;
        uint8_t *p = soup(alphabets[pick(4)], n), *head, *tail;
        tw_edge plain = {0}, fast = {0};
        size_t i;
        for (i = 0; i < n && i < 8; i++)
            p[i] = '[';
        if (n > 0 && pick(4) == 0)
            p[0] = (uint8_t)" {}\"a"[pick(5)];
        cut = pick(n + 1);
        head = exact(p, cut);
        tail = exact(p + cut, n - cut);
        CHECK(tw_edge_feed(&fast, head, cut) == plain_edge(&plain, head, cut));
        CHECK(tw_edge_feed(&fast, tail, n - cut) == plain_edge(&plain, tail, n - cut));
        CHECK(fast.depth == plain.depth && fast.in_string == plain.in_string && fast.escape == plain.escape);
        CHECK(fast.started == plain.started && fast.scalar == plain.scalar);
        CHECK(fast.closed == plain.closed && fast.malformed == plain.malformed);
        free(p);
        free(head);
        free(tail);
    }
}

/* Escaping there and back. */

static void test_escape(void)
{
    int round;
    for (round = 0; round < 20000; round++) {
        size_t n = pick(round % 3 ? 20 : 150), i, size, back = 0;
        uint8_t *p = soup(round % 2 ? "abcdefghijklmnopqrstuvwxyz \n\"" : "\"\\\b\f\n\r\t\x01\x1f\x7f\xc3\xa9xyz", n);
        uint8_t *escaped = soup("", 0), *decoded = soup("", 0);
        tw_unescape u = {0, 0, 0};
        escaped = realloc(escaped, 6 * n + 1);
        decoded = realloc(decoded, 6 * n + 12);
        CHECK(escaped != NULL && decoded != NULL);
        size = tw_json_escape(p, n, escaped);
        CHECK(size <= 6 * n);
        for (i = 0; i < size; i++) {
            int written = tw_unescape_byte(&u, escaped[i], decoded + back, false);
            CHECK(written >= 0 && escaped[i] >= 0x20);
            back += (size_t)written;
        }
        CHECK(!tw_unescape_pending(&u) && tw_unescape_end(&u, decoded + back, false) == 0);
        CHECK(back == n && memcmp(decoded, p, n) == 0);
        free(p);
        free(escaped);
        free(decoded);
    }
}

static void test_unescape_faults_leave_no_trace(void)
{
    static const char *const prefixes[] = {"\\", "\\u", "\\u0", "\\u00", "\\u004", "\\ud83d\\", "\\ud83d\\u"};
    size_t i, j;
    unsigned byte;
    for (i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        for (byte = 0; byte < 256; byte++) {
            tw_unescape u = {0, 0, 0}, before;
            uint8_t out[12];
            for (j = 0; prefixes[i][j] != 0; j++)
                CHECK(tw_unescape_byte(&u, (uint8_t)prefixes[i][j], out, true) == 0);
            CHECK(tw_unescape_pending(&u));
            before = u;
            if (tw_unescape_byte(&u, (uint8_t)byte, out, true) == TW_INVALID)
                CHECK(u.state == before.state && u.unit == before.unit && u.high == before.high);
        }
    }
}

/* UTF-8. */

static void test_utf8(void)
{
    static const char *const alphabets[] = {"ab\xc3\xa9\xe2\x82\xac", "\xf0\x9f\x98\x80\xed\xa0\xe0\x80\xf4\x90", "a\x80\xff"};
    int round;
    for (round = 0; round < 40000; round++) {
        size_t n = pick(round % 3 ? 10 : 100), cut = pick(n + 1), i, size, plain_size = 0, valid, count = 0;
        uint8_t *p = soup(alphabets[pick(3)], n), *head = exact(p, cut), *tail = exact(p + cut, n - cut);
        uint8_t *fast = soup("", 0), *plain = soup("", 0);
        tw_utf8 at_once = {{0}, 0}, one_by_one = {{0}, 0};
        fast = realloc(fast, 3 * (n + 6));
        plain = realloc(plain, 3 * (n + 6));
        CHECK(fast != NULL && plain != NULL);
        size = tw_utf8_feed(&at_once, head, cut, fast);
        size += tw_utf8_feed(&at_once, tail, n - cut, fast + size);
        for (i = 0; i < n; i++)
            plain_size += tw_utf8_feed(&one_by_one, p + i, 1, plain + plain_size);
        CHECK(at_once.count == one_by_one.count);
        size += tw_utf8_finish(&at_once, fast + size);
        plain_size += tw_utf8_finish(&one_by_one, plain + plain_size);
        CHECK(size == plain_size && memcmp(fast, plain, size) == 0 && size <= 3 * n);
        valid = tw_utf8_valid(p, n);
        CHECK(valid <= n && memcmp(fast, p, valid) == 0);
        CHECK(tw_utf8_valid(fast, size) == size);
        for (i = 0; i < size; i++)
            count += fast[i] < 0x80 || fast[i] >= 0xc0;
        CHECK(tw_utf8_count(fast, size) == count);
        free(p);
        free(head);
        free(tail);
        free(fast);
        free(plain);
    }
}

static void test_utf8_from_code_points(void)
{
    uint32_t code_point;
    for (code_point = 0; code_point < 0x110000; code_point++) {
        uint8_t out[8] = {0}, narrow[8] = {0};
        uint16_t unit = (uint16_t)code_point;
        uint8_t byte = (uint8_t)code_point;
        size_t size = tw_utf8_from_ucs4(&code_point, 1, out);
        CHECK(tw_utf8_valid(out, size) == size && tw_utf8_count(out, size) == 1);
        CHECK((code_point >= 0xd800 && code_point < 0xe000) <= (memcmp(out, "\xef\xbf\xbd", 3) == 0));
        if (code_point < 0x10000)
            CHECK(tw_utf8_from_ucs2(&unit, 1, narrow) == size && memcmp(out, narrow, size) == 0);
        if (code_point < 0x100)
            CHECK(tw_utf8_from_latin1(&byte, 1, narrow) == size && memcmp(out, narrow, size) == 0);
    }
}

int main(void)
{
    int avx2;
    for (avx2 = 0; avx2 < 2; avx2++) {
        tw_select(avx2 != 0);
        test_runs();
        test_markers();
        test_refused_markers();
        test_json();
        test_json_depth();
        test_json_table();
        test_edge();
        test_escape();
        test_unescape_faults_leave_no_trace();
        test_utf8();
        test_utf8_from_code_points();
    }
    return 0;
}
