/*
 * wide.h: many bytes at once.
 *
 * What the scanners do most is to skip bytes that mean nothing. How many bytes a step takes depends on the machine:
 *
 *   everywhere   words of eight bytes; a test tells whether any byte stops the run, not which one
 *   SSE2         16 bytes, part of every x86-64
 *   AVX2         32 bytes, where the processor has it (asked once, when the program or module is loaded), and only
 *                after 64 bytes without a stop: short pieces would pay for the call and gain nothing
 *
 * A kind of run is told by its tests, plain inline functions, which the loops below take as constants so that
 * the compiler folds them in. Nothing is read outside p[0..n): where less than a step is left, two reads overlap.
 *
 * With TW_SCALAR_ONLY defined there is but the first kind.
 */
#ifndef TOOLWEIR_WIDE_H
#define TOOLWEIR_WIDE_H

#include "contract.h"

#if !defined TW_SCALAR_ONLY && defined __SSE2__ && defined __GNUC__ && defined __x86_64__
#define TW_SIMD 1
#include <immintrin.h>
#define TW_WITH_AVX2 __attribute__((target("avx2,pclmul")))
#else
#define TW_SIMD 0
#endif

#ifdef __GNUC__
#define TW_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define TW_ALWAYS_INLINE static inline
#endif

#define TW_EVERY_BYTE(value) ((uint64_t)0x0101010101010101 * (uint8_t)(value))

static inline uint64_t tw_load8(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}

/* The four to eight bytes at p as one word; those in the middle may stand in it twice. */
static inline uint64_t tw_load_short(const uint8_t *p, size_t n)
{
    uint32_t head, tail;
    memcpy(&head, p, 4);
    memcpy(&tail, p + n - 4, 4);
    return ((uint64_t)tail << 32) | head;
}

/* memcpy for a few dozen bytes, which is what most runs are. */
static inline void tw_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    while (n > 16) {
        memcpy(to, from, 16);
        to += 16;
        from += 16;
        n -= 16;
    }
    if (n >= 8) {
        uint64_t head = tw_load8(from), tail = tw_load8(from + n - 8);
        memcpy(to, &head, 8);
        memcpy(to + n - 8, &tail, 8);
    } else if (n >= 4) {
        uint64_t both = tw_load_short(from, n);
        uint32_t head = (uint32_t)both, tail = (uint32_t)(both >> 32);
        memcpy(to, &head, 4);
        memcpy(to + n - 4, &tail, 4);
    } else {
        while (n-- > 0)
            *to++ = *from++;
    }
}

static inline bool tw_word_has(uint64_t word, uint8_t byte)
{
    word ^= TW_EVERY_BYTE(byte);
    return ((word - TW_EVERY_BYTE(1)) & ~word & TW_EVERY_BYTE(0x80)) != 0;
}

/* limit <= 128 */
static inline bool tw_word_has_below(uint64_t word, uint8_t limit)
{
    return ((word - TW_EVERY_BYTE(limit)) & ~word & TW_EVERY_BYTE(0x80)) != 0;
}

/* Tests of a run; `context` is handed through. */
typedef bool tw_byte_test(const void *context, uint8_t byte);  /* whether the byte stops the run */
typedef bool tw_word_test(const void *context, uint64_t word); /* whether any of eight does */

#if TW_SIMD

typedef uint32_t tw_sse2_test(const void *context, __m128i bytes); /* a bit for every byte that stops the run */
typedef uint32_t tw_avx2_test(const void *context, __m256i bytes);

static bool tw_avx2;

/* Chooses between SSE2 and, where the processor has it, AVX2, for this translation unit. */
static inline void tw_select(bool avx2)
{
    __builtin_cpu_init();
    tw_avx2 = avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul");
}

__attribute__((constructor)) static void tw_select_at_load(void)
{
    tw_select(true);
}

/* As tw_run_sse2, for n >= 32. */
TW_ALWAYS_INLINE TW_WITH_AVX2 size_t tw_run_avx2(const void *context, const uint8_t *p, size_t n, tw_avx2_test *test)
{
    size_t i;
    for (i = 0;; i = n - i > 64 ? i + 32 : n - 32) {
        uint32_t stops = test(context, _mm256_loadu_si256((const __m256i *)(const void *)(p + i)));
        if (stops != 0)
            return i + (size_t)__builtin_ctz(stops);
        if (i == n - 32)
            return n;
    }
}

/*
 * Length of the prefix of p[0..n) without a byte that stops the run. `longer` is the AVX2 twin, for what is left after
 * 64 bytes if that is as much again.
 */
TW_ALWAYS_INLINE size_t tw_run_sse2(const void *context, const uint8_t *p, size_t n, tw_byte_test *stops_at,
                                    tw_sse2_test *test, size_t (*longer)(const void *, const uint8_t *, size_t))
{
    size_t i;
    uint32_t stops;
    if (n < 4) {
        for (i = 0; i < n && !stops_at(context, p[i]); i++)
            ;
        return i;
    }
    if (n < 8) {
        stops = test(context, _mm_cvtsi64_si128((long long)tw_load_short(p, n))) & 0xff;
        if (stops == 0)
            return n;
        i = (size_t)__builtin_ctz(stops);
        return i < 4 ? i : i + n - 8;
    }
    if (n < 16) {
        stops = test(context, _mm_set_epi64x((long long)tw_load8(p + n - 8), (long long)tw_load8(p)));
        if (stops == 0)
            return n;
        i = (size_t)__builtin_ctz(stops);
        return i < 8 ? i : i + n - 16;
    }
    for (i = 0;; i = n - i > 32 ? i + 16 : n - 16) {
        stops = test(context, _mm_loadu_si128((const __m128i *)(const void *)(p + i)));
        if (stops != 0)
            return i + (size_t)__builtin_ctz(stops);
        if (i == n - 16)
            return n;
        if (i == 48 && tw_avx2 && n >= 128)
            return 64 + longer(context, p + 64, n - 64);
    }
}

#else

static inline void tw_select(bool avx2)
{
    (void)avx2;
}

/* The same without SIMD. */
TW_ALWAYS_INLINE size_t tw_run_words(const void *context, const uint8_t *p, size_t n, tw_byte_test *stops_at,
                                     tw_word_test *test)
{
    size_t i = 0;
    if (n >= 4 && n < 8) {
        if (!test(context, tw_load_short(p, n)))
            return n;
    } else {
        while (n - i >= 8 && !test(context, tw_load8(p + i)))
            i += 8;
    }
    while (i < n && !stops_at(context, p[i]))
        i++;
    return i;
}

#endif

#endif
