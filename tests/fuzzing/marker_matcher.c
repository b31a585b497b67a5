/*
 * The marker matcher, against a search that tries every marker at every byte.
 *
 * The input's text begins with the markers: a byte that says how many, then the length and the bytes of each. Half of
 * the inputs are folded to four letters, so that markers overlap and are met.
 */
#include "fuzzing.h"
#include "toolweir/marker_matcher.h"

enum { MOST = 8 };

typedef struct markers {
    const uint8_t *texts[MOST];
    size_t lengths[MOST];
    size_t count;
} markers;

/* Of the markers that end at `end` and begin at or after `start`: the longest, the first of equal ones; -1 for none. */
static int ends_here(const markers *m, const uint8_t *text, size_t start, size_t end)
{
    int best = -1;
    size_t i;
    for (i = 0; i < m->count; i++) {
        size_t n = m->lengths[i];
        if (n <= end - start && memcmp(text + end - n, m->texts[i], n) == 0)
            if (best < 0 || n > m->lengths[best])
                best = (int)i;
    }
    return best;
}

/* Length of the longest tail of text[start..end) that some marker begins with. */
static size_t held_here(const markers *m, const uint8_t *text, size_t start, size_t end)
{
    size_t n, i;
    for (n = end - start; n > 0; n--)
        for (i = 0; i < m->count; i++)
            if (n <= m->lengths[i] && memcmp(text + end - n, m->texts[i], n) == 0)
                return n;
    return 0;
}

static bool is_first(const markers *m, uint8_t byte)
{
    size_t i;
    for (i = 0; i < m->count; i++)
        if (m->texts[i][0] == byte)
            return true;
    return false;
}

static void check_skip(const tw_markers *t, const markers *m, const uint8_t *text, size_t n)
{
    size_t run = 0;
    uint8_t *piece = exact(text, n);
    while (run < n && !is_first(m, piece[run]))
        run++;
    CHECK(tw_markers_skip(t, piece, n) == run);
    free(piece);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tw_input input = take_input(data, size);
    uint8_t *memory, *text;
    markers m = {{NULL}, {0}, 0};
    size_t used = 1, count, start = 0, at = 0, end, needed;
    tw_markers *t;
    tw_match match = {0, 0, 0};
    if (input.size < 3)
        return 0;
    text = exact(input.text, input.size);
    if (text[0] & 1)
        for (at = 1; at < input.size; at++)
            text[at] = (uint8_t)"<|a\xc3"[text[at] & 3];
    for (count = text[0] / 2 % MOST + 1; count > 0 && used < input.size; count--) {
        size_t length = (text[0] & 1 ? input.text[used] : text[used]) % 12 + 1;
        used++;
        if (length > input.size - used)
            break;
        m.texts[m.count] = text + used;
        m.lengths[m.count++] = length;
        used += length;
    }
    needed = tw_markers_size(m.texts, m.lengths, m.count);
    CHECK(needed > 0);
    memory = malloc(needed);
    CHECK(memory != NULL);
    CHECK(tw_markers_build(memory, needed - 1, m.texts, m.lengths, m.count) == NULL);
    t = tw_markers_build(memory, needed, m.texts, m.lengths, m.count);
    CHECK(t != NULL);

    start = at = used;
    while (at < input.size) {
        size_t n = pick_piece(&input, input.size - at), offset = 0;
        uint8_t *piece = exact(text + at, n);
        check_skip(t, &m, text + at, n);
        while (offset < n) {
            ptrdiff_t found = tw_markers_feed(t, &match, piece + offset, n - offset);
            size_t stop = found < 0 ? n : offset + (size_t)found;
            for (end = at + offset + 1; end <= at + stop; end++) {
                int expected = ends_here(&m, text, start, end);
                if (found < 0 || end < at + stop) {
                    CHECK(expected < 0);
                } else {
                    CHECK(expected >= 0 && match.length == m.lengths[expected]);
                    CHECK(memcmp(m.texts[match.marker], m.texts[expected], match.length) == 0);
                    CHECK(match.marker == (uint16_t)expected);
                    start = end;
                }
            }
            offset = stop;
            CHECK(tw_markers_held(t, &match) == held_here(&m, text, start, at + offset));
        }
        free(piece);
        at += n;
    }
    free(memory);
    free(text);
    return 0;
}
