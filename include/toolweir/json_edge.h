/*
 * json_edge.h: finds where a JSON object or array closes, and proves nothing else about it.
 *
 * It knows depth, strings and escapes. Kinds of brackets are not matched, control bytes in strings are not looked at,
 * and a root that opens no container is left alone: only the whole text can tell where a scalar ends.
 *
 * Theory of operation. Short pieces go byte by byte. Long ones go in blocks of 64 bytes, each turned into one word
 * per question, a bit per byte: is it a quote, a backslash, a bracket? Which bytes stand inside strings is then one
 * operation for the whole block: each bit takes the parity of the quotes up to it. Only the brackets that are left
 * are counted one by one, so that text without branches for every token flows through without a mispredicted jump.
 */
#ifndef TOOLWEIR_JSON_EDGE_H
#define TOOLWEIR_JSON_EDGE_H

#include "contract.h"
#include "json_text.h"
#include "wide.h"

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

#if TW_SIMD

/* A block of 64 bytes, a bit per byte, the first one lowest. */
typedef struct tw_edge_block {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
} tw_edge_block;

/* Brackets and braces differ in one bit: 0x5b and 0x7b open, 0x5d and 0x7d close. */
#define TW_EDGE_FOLD 0x20

static inline tw_edge_block tw_edge_load_sse2(const uint8_t *p)
{
    tw_edge_block block = {0, 0, 0, 0};
    unsigned i;
    for (i = 0; i < 64; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(TW_EDGE_FOLD));
#define TW_MASK(vector, byte) ((uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(vector, _mm_set1_epi8(byte))) << i)
        block.quotes |= TW_MASK(bytes, '"');
        block.backslashes |= TW_MASK(bytes, '\\');
        block.opening |= TW_MASK(folded, '{');
        block.closing |= TW_MASK(folded, '}');
#undef TW_MASK
    }
    return block;
}

TW_WITH_AVX2 static inline tw_edge_block tw_edge_load_avx2(const uint8_t *p)
{
    tw_edge_block block = {0, 0, 0, 0};
    unsigned i;
    for (i = 0; i < 64; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(TW_EDGE_FOLD));
#define TW_MASK(vector, byte) \
    ((uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(vector, _mm256_set1_epi8(byte))) << i)
        block.quotes |= TW_MASK(bytes, '"');
        block.backslashes |= TW_MASK(bytes, '\\');
        block.opening |= TW_MASK(folded, '{');
        block.closing |= TW_MASK(folded, '}');
#undef TW_MASK
    }
    return block;
}

/* Each bit: the parity of the bits up to and including it. */
static inline uint64_t tw_edge_parity_sse2(uint64_t bits)
{
    unsigned shift;
    for (shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

TW_WITH_AVX2 static inline uint64_t tw_edge_parity_avx2(uint64_t bits)
{
    __m128i product = _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)bits), _mm_set1_epi8((char)0xff), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

/* The bytes that a backslash before them escapes; *carry: whether the byte before, and then after, the block does. */
static inline uint64_t tw_edge_escaped(uint64_t backslashes, bool *carry)
{
    uint64_t escaped = *carry;
    backslashes &= ~escaped;
    *carry = false;
    while (backslashes != 0) {
        uint64_t lowest = backslashes & (~backslashes + 1);
        escaped |= lowest << 1;
        *carry = lowest >> 63 != 0;
        backslashes &= ~(lowest | lowest << 1);
    }
    return escaped;
}

/*
 * Reads blocks while the root is open; returns how many bytes. It stops before a block with a backslash outside
 * strings, which escapes nothing there, and after the byte that closes the root.
 */
TW_ALWAYS_INLINE size_t tw_edge_blocks(tw_edge *e, const uint8_t *p, size_t n, tw_edge_block (*load)(const uint8_t *),
                                       uint64_t (*parity)(uint64_t))
{
    size_t i;
    for (i = 0; n - i >= 64; i += 64) {
        tw_edge_block block = load(p + i);
        bool escape = e->escape;
        uint64_t quotes = block.quotes & ~tw_edge_escaped(block.backslashes, &escape);
        uint64_t strings = e->in_string ? ~parity(quotes) : parity(quotes);
        uint64_t brackets = (block.opening | block.closing) & ~strings;
        if ((block.backslashes & ~strings) != 0)
            break;
        for (; brackets != 0; brackets &= brackets - 1) {
            if ((block.opening & brackets & (~brackets + 1)) != 0) {
                e->depth++;
            } else if (--e->depth == 0) {
                e->closed = true;
                e->in_string = e->escape = false;
                return i + (size_t)__builtin_ctzll(brackets) + 1;
            }
        }
        e->escape = escape;
        e->in_string = strings >> 63 != 0;
    }
    return i;
}

TW_WITH_AVX2 static size_t tw_edge_blocks_avx2(tw_edge *e, const uint8_t *p, size_t n)
{
    return tw_edge_blocks(e, p, n, tw_edge_load_avx2, tw_edge_parity_avx2);
}

static inline size_t tw_edge_long(tw_edge *e, const uint8_t *p, size_t n)
{
    return tw_avx2 ? tw_edge_blocks_avx2(e, p, n)
                   : tw_edge_blocks(e, p, n, tw_edge_load_sse2, tw_edge_parity_sse2);
}

#else

static inline size_t tw_edge_long(tw_edge *e, const uint8_t *p, size_t n)
{
    (void)e, (void)p, (void)n;
    return 0;
}

#endif

/*
 * Reads up to the bracket that closes the root.
 *
 * Returns the offset just past it (0 if the root had closed before), TW_MORE, or TW_INVALID where a closing bracket
 * comes first. *taken is the number of bytes read; a scalar root takes none.
 */
static inline ptrdiff_t tw_edge_find(tw_edge *e, const uint8_t *p, size_t n, size_t *taken)
{
    size_t i = 0, slow = 0; /* bytes up to slow are read one by one */
    *taken = 0;
    if (e->malformed)
        return TW_INVALID;
    if (e->closed)
        return 0;
    while (i < n && !e->scalar) {
        uint8_t c;
        if (n - i >= 64 && i >= slow && e->depth > 0) {
            i += tw_edge_long(e, p + i, n - i);
            if (e->closed) {
                *taken = i;
                return (ptrdiff_t)i;
            }
            slow = i + 64;
            if (i == n)
                break;
        }
        if (e->in_string && !e->escape) {
            i += tw_json_string_run(p + i, n - i);
            if (i == n)
                break;
        }
        c = p[i++];
        if (e->in_string) {
            e->in_string = c != '"' || e->escape;
            e->escape = c == '\\' && !e->escape;
        } else if (c == '{' || c == '[') {
            e->started = true;
            e->depth++;
        } else if (c == '}' || c == ']') {
            if (e->depth == 0) {
                *taken = i - 1;
                return TW_INVALID;
            }
            if (--e->depth == 0) {
                e->closed = true;
                *taken = i;
                return (ptrdiff_t)i;
            }
        } else if (!e->started) {
            e->scalar = e->started = !tw_edge_is_space(c);
        } else {
            e->in_string = c == '"';
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
        e->started = e->malformed = true;
    else if (e->closed)
        while (taken < n && !e->malformed)
            e->malformed = !tw_edge_is_space(p[taken++]);
    return tw_edge_verdict(e);
}

#endif
