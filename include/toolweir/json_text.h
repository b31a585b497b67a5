/*
 * json_text.h: the bytes that mean nothing inside a JSON string.
 *
 * Most of what a model writes in a call stands inside strings, so this one test decides the speed of scanning, of
 * escaping and of unescaping alike.
 */
#ifndef TOOLWEIR_JSON_TEXT_H
#define TOOLWEIR_JSON_TEXT_H

#include "contract.h"
#include "wide.h"

/* Whether a byte is a quote, a backslash or a control byte below 0x20. */
static inline bool tw_json_is_special(uint8_t byte)
{
    return byte < 0x20 || byte == '"' || byte == '\\';
}

static inline bool tw_json_special_byte(const void *unused, uint8_t byte)
{
    (void)unused;
    return tw_json_is_special(byte);
}

#if TW_SIMD

TW_ALWAYS_INLINE uint32_t tw_json_special_16(const void *unused, __m128i bytes)
{
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    (void)unused;
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, backslash)));
}

TW_ALWAYS_INLINE TW_WITH_AVX2 uint32_t tw_json_special_32(const void *unused, __m256i bytes)
{
    __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1f)), bytes);
    __m256i quote = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'));
    __m256i backslash = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'));
    (void)unused;
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(control, _mm256_or_si256(quote, backslash)));
}

TW_WITH_AVX2 static size_t tw_json_string_run_avx2(const void *unused, const uint8_t *p, size_t n)
{
    return tw_run_avx2(unused, p, n, tw_json_special_32);
}

#else

static inline bool tw_json_special_word(const void *unused, uint64_t word)
{
    (void)unused;
    return tw_word_has_below(word, 0x20) || tw_word_has(word, '"') || tw_word_has(word, '\\');
}

#endif

/*
 * Length of the prefix of p[0..n) that holds no quote, no backslash and no control byte below 0x20.
 */
static inline size_t tw_json_string_run(const uint8_t *p, size_t n)
{
#if TW_SIMD
    return tw_run_sse2(NULL, p, n, tw_json_special_byte, tw_json_special_16, tw_json_string_run_avx2);
#else
    return tw_run_words(NULL, p, n, tw_json_special_byte, tw_json_special_word);
#endif
}

#endif
