/*
 * marker_matcher.h: finds the first of many markers in a stream.
 *
 * Theory of operation. An Aho-Corasick automaton, all of whose tables lie in memory that the caller owns. A state is
 * the longest tail of the text that begins some marker, so its depth is exactly what a caller must hold back. Failure
 * links are folded into the transitions when the tables are built. Bytes that no marker holds share one class, the
 * others have one each: the table of a format's markers stays within the first-level cache. Most text is far from any
 * marker, in the root state, and is skipped without the automaton.
 */
#ifndef TOOLWEIR_MARKER_MATCHER_H
#define TOOLWEIR_MARKER_MATCHER_H

#include "contract.h"
#include "wide.h"

#define TW_NO_MARKER 0xffff
#define TW_MARKER_STATES 0xffff /* states are numbered in 16 bits */
#define TW_FIRST_BYTES 4        /* up to so many first bytes SSE2 looks for */

typedef struct tw_markers {
    uint32_t count;                      /* states */
    uint32_t shift;                      /* a row of `next` has 1 << shift entries */
    uint32_t first_count;                /* distinct first bytes */
    uint8_t first_bytes[TW_FIRST_BYTES]; /* they, if they are not more; unused places repeat one of them */
    uint8_t first[256];                  /* 1 for a byte that begins a marker */
    uint8_t nibbles[2][16];              /* the same as bits: [high nibble >> 3][low nibble], bit high nibble & 7 */
    uint8_t classes[256];                /* byte to column */
    const uint16_t *next;                /* [state << shift | class] */
    const uint16_t *depths;              /* [state]: length of the tail that it stands for */
    const uint16_t *found;               /* [state]: the longest marker that ends here, or TW_NO_MARKER */
    const uint16_t *lengths;             /* [marker] */
} tw_markers;

typedef struct tw_match {
    uint16_t state;  /* 0 is the root */
    uint16_t marker; /* the marker that was found last */
    uint32_t length; /* its length */
} tw_match;

/* Upper bounds of a set of markers, from which all sizes follow. */
typedef struct tw_markers_shape {
    size_t states;
    uint32_t shift;
} tw_markers_shape;

/* Puts bytes into classes; false if the markers cannot be built. */
static inline bool tw_markers_measure(const uint8_t *const *markers, const size_t *lengths, size_t count,
                                      uint8_t classes[256], tw_markers_shape *shape)
{
    size_t i, j, distinct = 1;
    memset(classes, 0, 256);
    shape->states = 1;
    shape->shift = 0;
    if (count >= TW_NO_MARKER)
        return false;
    for (i = 0; i < count; i++) {
        if (lengths[i] == 0 || lengths[i] > TW_MARKER_STATES - shape->states)
            return false;
        shape->states += lengths[i];
        for (j = 0; j < lengths[i]; j++)
            if (classes[markers[i][j]] == 0 && distinct < 256)
                classes[markers[i][j]] = (uint8_t)distinct++;
    }
    while ((size_t)1 << shape->shift < distinct)
        shape->shift++;
    return true;
}

/*
 * Bytes of memory that tw_markers_build needs; 0 if it would refuse the markers: an empty one, or more than 65534
 * bytes.
 */
static inline size_t tw_markers_size(const uint8_t *const *markers, const size_t *lengths, size_t count)
{
    uint8_t classes[256];
    tw_markers_shape shape;
    if (!tw_markers_measure(markers, lengths, count, classes, &shape))
        return 0;
    /* next, depths, found, lengths, and while building the failure links and a queue */
    return sizeof(tw_markers) + sizeof(uint16_t) * (shape.states * (((size_t)1 << shape.shift) + 4) + count);
}

/*
 * Builds the tables in `memory`, which must be aligned as malloc does it and must not move; NULL if `size` is too
 * small or the markers are refused. The markers themselves need not stay. Of two equal markers the first counts.
 */
static inline tw_markers *tw_markers_build(void *memory, size_t size, const uint8_t *const *markers,
                                           const size_t *lengths, size_t count)
{
    tw_markers *t = (tw_markers *)memory;
    tw_markers_shape shape;
    uint8_t classes[256];
    uint16_t *next, *depths, *found, *sizes, *failure, *queue;
    size_t width, i, j, head = 0, tail = 0;
    if (!tw_markers_measure(markers, lengths, count, classes, &shape) ||
        size < tw_markers_size(markers, lengths, count))
        return NULL;
    width = (size_t)1 << shape.shift;
    memset(memory, 0, tw_markers_size(markers, lengths, count));
    next = (uint16_t *)(void *)(t + 1);
    depths = next + shape.states * width;
    found = depths + shape.states;
    failure = found + shape.states;
    queue = failure + shape.states;
    sizes = queue + shape.states;
    memset(found, 0xff, shape.states * sizeof *found);
    memcpy(t->classes, classes, 256);
    t->shift = shape.shift;
    t->next = next;
    t->depths = depths;
    t->found = found;
    t->lengths = sizes;
    t->count = 1;

    for (i = 0; i < count; i++) {
        uint16_t state = 0;
        uint8_t first = markers[i][0];
        sizes[i] = (uint16_t)lengths[i];
        if (!t->first[first]) {
            t->first[first] = 1;
            t->nibbles[first >> 7][first & 15] |= (uint8_t)(1 << (first >> 4 & 7));
            for (j = t->first_count++; j < TW_FIRST_BYTES; j++)
                t->first_bytes[j] = first;
        }
        for (j = 0; j < lengths[i]; j++) {
            uint16_t *edge = &next[((size_t)state << t->shift) | classes[markers[i][j]]];
            if (*edge == 0) {
                depths[t->count] = (uint16_t)(j + 1);
                *edge = (uint16_t)t->count++;
            }
            state = *edge;
        }
        if (found[state] == TW_NO_MARKER)
            found[state] = (uint16_t)i;
    }

    /* Breadth first: a state's failure link is shallower, so that its row is whole when it is needed. */
    queue[tail++] = 0;
    while (head < tail) {
        uint16_t state = queue[head++];
        for (i = 0; i < width; i++) {
            uint16_t *edge = &next[((size_t)state << t->shift) | i];
            uint16_t fallback = state == 0 ? 0 : next[((size_t)failure[state] << t->shift) | i];
            if (*edge == 0) {
                *edge = fallback;
                continue;
            }
            failure[*edge] = fallback;
            if (found[*edge] == TW_NO_MARKER)
                found[*edge] = found[fallback];
            queue[tail++] = *edge;
        }
    }
    return t;
}

/* Whether a marker begins with this byte. */
static inline bool tw_markers_first(const tw_markers *t, uint8_t byte)
{
    return t->first[byte] != 0;
}

/* Bytes at the end of the text so far that may still become a marker. */
static inline size_t tw_markers_held(const tw_markers *t, const tw_match *m)
{
    return t->depths[m->state];
}

#if TW_SIMD

static inline bool tw_markers_first_byte(const void *markers, uint8_t byte)
{
    return tw_markers_first((const tw_markers *)markers, byte);
}

TW_ALWAYS_INLINE uint32_t tw_markers_first_16(const void *markers, __m128i bytes)
{
    const uint8_t *first = ((const tw_markers *)markers)->first_bytes;
    __m128i zero = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)first[0]));
    __m128i one = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)first[1]));
    __m128i two = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)first[2]));
    __m128i three = _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)first[3]));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(zero, one), _mm_or_si128(two, three)));
}

/*
 * Any set of bytes at once. A shuffle is a table of 16 entries that is asked by low nibble and gives 0 where the top
 * bit of the question is set; two of them give the bits of a low nibble, a third the bit of a high nibble.
 */
TW_ALWAYS_INLINE TW_WITH_AVX2 uint32_t tw_markers_first_32(const void *markers, __m256i bytes)
{
    const tw_markers *t = (const tw_markers *)markers;
    __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->nibbles[0]));
    __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)t->nibbles[1]));
    __m256i bits = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i flipped = _mm256_xor_si256(bytes, _mm256_set1_epi8((char)0x80));
    __m256i columns = _mm256_or_si256(_mm256_shuffle_epi8(low, bytes), _mm256_shuffle_epi8(high, flipped));
    __m256i rows = _mm256_shuffle_epi8(bits, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15)));
    __m256i found = _mm256_cmpeq_epi8(_mm256_and_si256(columns, rows), rows);
    return (uint32_t)_mm256_movemask_epi8(found);
}

TW_WITH_AVX2 static size_t tw_markers_skip_avx2(const void *markers, const uint8_t *p, size_t n)
{
    return tw_run_avx2(markers, p, n, tw_markers_first_32);
}

/* Kept out of line: inlined, it would make every short piece pay for the registers that it needs. */
__attribute__((noinline)) static size_t tw_markers_skip_long(const tw_markers *t, const uint8_t *p, size_t n)
{
    return tw_run_sse2(t, p, n, tw_markers_first_byte, tw_markers_first_16, tw_markers_skip_avx2);
}

#endif

/*
 * Length of the prefix that holds no byte with which a marker begins.
 */
static inline size_t tw_markers_skip(const tw_markers *t, const uint8_t *p, size_t n)
{
    size_t i = 0;
#if TW_SIMD
    if (n >= 16) {
        if (t->first_count <= TW_FIRST_BYTES)
            return tw_markers_skip_long(t, p, n);
        if (n >= 64 && tw_avx2)
            return tw_markers_skip_avx2(t, p, n);
    }
#endif
    while (i < n && !t->first[p[i]])
        i++;
    return i;
}

/*
 * Reads up to the first marker that completes; of several that complete at one byte the longest counts.
 *
 * Returns the offset just past it, with m->marker its number, m->length its length and the state back at the root, so
 * that no part of it is used twice; or TW_MORE.
 */
static inline ptrdiff_t tw_markers_feed(const tw_markers *t, tw_match *m, const uint8_t *p, size_t n)
{
    uint16_t state = m->state;
    size_t i = 0;
    while (i < n) {
        if (state == 0) {
            i += tw_markers_skip(t, p + i, n - i);
            if (i == n)
                break;
        }
        state = t->next[((size_t)state << t->shift) | t->classes[p[i++]]];
        if (t->found[state] != TW_NO_MARKER) {
            m->marker = t->found[state];
            m->length = t->lengths[m->marker];
            m->state = 0;
            return (ptrdiff_t)i;
        }
    }
    m->state = state;
    return TW_MORE;
}

#endif
