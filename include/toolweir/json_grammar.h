/*
 * json_grammar.h: RFC 8259 as a table, for json_scanner.h.
 *
 * Theory of operation. Three quarters of a JSON text can be read by a finite automaton; only brackets need a stack.
 * So a state says two things: what is being read (a string, the third byte of a literal, ...) and where its value
 * stands: at the root, in an array, in an object, or in an object as a key. The second part spares the automaton a
 * look at the stack at every comma. What is left are four actions, which stand in the table in place of a next state:
 * opening either container, closing one, and ending the root value.
 *
 * Bytes are put into classes first. The class does not depend on the state, so that the processor looks it up ahead
 * of time and a step costs one dependent load.
 */
#ifndef TOOLWEIR_JSON_GRAMMAR_H
#define TOOLWEIR_JSON_GRAMMAR_H

#include "contract.h"

enum tw_json_class {
    TW_C_CONTROL,
    TW_C_BREAK, /* tab, line feed, carriage return: whitespace, but not allowed inside strings */
    TW_C_SPACE,
    TW_C_OTHER, /* no meaning outside strings */
    TW_C_QUOTE,
    TW_C_BACKSLASH,
    TW_C_SLASH,
    TW_C_COMMA,
    TW_C_COLON,
    TW_C_OPEN_OBJECT,
    TW_C_CLOSE_OBJECT,
    TW_C_OPEN_ARRAY,
    TW_C_CLOSE_ARRAY,
    TW_C_MINUS,
    TW_C_PLUS,
    TW_C_DOT,
    TW_C_ZERO,
    TW_C_DIGIT, /* 1 to 9 */
    TW_C_A,     /* the letters that literals, escapes and exponents are made of */
    TW_C_B,
    TW_C_E,
    TW_C_F,
    TW_C_L,
    TW_C_N,
    TW_C_R,
    TW_C_S,
    TW_C_T,
    TW_C_U,
    TW_C_CAPITAL_E,
    TW_C_HEX, /* the other hexadecimal letters */
    TW_C_COUNT
};

/* Where a value stands. */
enum tw_json_place { TW_AT_ROOT, TW_AT_ARRAY, TW_AT_OBJECT, TW_AT_KEY };

/* What is being read there. Strings come first, so that "inside a string" is one comparison. */
enum tw_json_phase {
    TW_P_BLANK, /* only at the root: nothing was read, a zeroed struct */
    TW_P_STRING,
    TW_P_ESCAPE, /* after the backslash */
    TW_P_HEX4,   /* four digits are still due */
    TW_P_HEX3,
    TW_P_HEX2,
    TW_P_HEX1,
    TW_P_FIRST, /* after the opening bracket: a first element or key, or the closing bracket */
    TW_P_VALUE, /* a value (or a key) must come */
    TW_P_AFTER, /* after a value: a comma or the closing bracket; after a key: the colon; at the root: nothing more */
    TW_P_MINUS,
    TW_P_ZERO,
    TW_P_INTEGER,
    TW_P_DOT,
    TW_P_FRACTION,
    TW_P_EXPONENT,
    TW_P_SIGN,
    TW_P_POWER,
    TW_P_T,
    TW_P_TR,
    TW_P_TRU,
    TW_P_F,
    TW_P_FA,
    TW_P_FAL,
    TW_P_FALS,
    TW_P_N,
    TW_P_NU,
    TW_P_NUL,
    TW_P_COUNT
};

#define TW_STATE(phase, place) (TW_P_##phase * 4 + TW_AT_##place)

/* Entries of the table that are no states. No transition leads to the blank state, whose number means "invalid". */
enum tw_json_action { TW_A_INVALID = 0, TW_A_OPEN_ARRAY = 0x80, TW_A_OPEN_OBJECT, TW_A_CLOSE, TW_A_END };

static const uint8_t tw_json_classes[256] = {
#define O TW_C_OTHER
#define C TW_C_CONTROL
#define X TW_C_HEX
#define D TW_C_DIGIT
    C, C, C, C, C, C, C, C, C, TW_C_BREAK, TW_C_BREAK, C, C, TW_C_BREAK, C, C,
    C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
    TW_C_SPACE, O, TW_C_QUOTE, O, O, O, O, O, O, O, O, TW_C_PLUS, TW_C_COMMA, TW_C_MINUS, TW_C_DOT, TW_C_SLASH,
    TW_C_ZERO, D, D, D, D, D, D, D, D, D, TW_C_COLON, O, O, O, O, O,
    O, X, X, X, X, TW_C_CAPITAL_E, X, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, TW_C_OPEN_ARRAY, TW_C_BACKSLASH, TW_C_CLOSE_ARRAY, O, O,
    O, TW_C_A, TW_C_B, X, X, TW_C_E, TW_C_F, O, O, O, O, O, TW_C_L, O, TW_C_N, O,
    O, O, TW_C_R, TW_C_S, TW_C_T, TW_C_U, O, O, O, O, O, TW_C_OPEN_OBJECT, O, TW_C_CLOSE_OBJECT, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
    O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O, O,
#undef O
#undef C
#undef X
#undef D
};

/* Entries: what bytes of a class lead to. Macros whose name ends in ON fill several classes. */
#define TW_GO(class, phase, place) [TW_C_##class] = TW_STATE(phase, place)
#define TW_DO(class, action) [TW_C_##class] = TW_A_##action

#define TW_BLANK_ON(phase, place) TW_GO(SPACE, phase, place), TW_GO(BREAK, phase, place)

#define TW_DIGIT_ON(phase, place) TW_GO(ZERO, phase, place), TW_GO(DIGIT, phase, place)

#define TW_HEX_ON(phase, place) \
    TW_DIGIT_ON(phase, place), TW_GO(A, phase, place), TW_GO(B, phase, place), TW_GO(E, phase, place), \
    TW_GO(F, phase, place), TW_GO(CAPITAL_E, phase, place), TW_GO(HEX, phase, place)

#define TW_VALUE_ON(place) \
    TW_GO(QUOTE, STRING, place), TW_DO(OPEN_ARRAY, OPEN_ARRAY), TW_DO(OPEN_OBJECT, OPEN_OBJECT), \
    TW_GO(MINUS, MINUS, place), TW_GO(ZERO, ZERO, place), TW_GO(DIGIT, INTEGER, place), TW_GO(T, T, place), \
    TW_GO(F, F, place), TW_GO(N, N, place)

#define TW_EXPONENT_ON(place) TW_GO(E, EXPONENT, place), TW_GO(CAPITAL_E, EXPONENT, place)

/*
 * After a value in a container. At the root a number ends before any byte that does not go on with it; that is not in
 * the table, the scanner sees to it where a byte is refused.
 */
#define TW_END_ON_ROOT TW_DO(CONTROL, INVALID)
#define TW_END_ON_ARRAY TW_BLANK_ON(AFTER, ARRAY), TW_GO(COMMA, VALUE, ARRAY), TW_DO(CLOSE_ARRAY, CLOSE)
#define TW_END_ON_OBJECT TW_BLANK_ON(AFTER, OBJECT), TW_GO(COMMA, VALUE, KEY), TW_DO(CLOSE_OBJECT, CLOSE)

/* Where a string or a literal leads with its last byte. */
#define TW_AFTER_ROOT TW_A_END
#define TW_AFTER_ARRAY TW_STATE(AFTER, ARRAY)
#define TW_AFTER_OBJECT TW_STATE(AFTER, OBJECT)
#define TW_AFTER_KEY TW_STATE(AFTER, KEY)

#define TW_ROW(phase, place, ...) [TW_STATE(phase, place)] = {__VA_ARGS__}

#define TW_STRING_ROWS(place) \
    TW_ROW(STRING, place, [TW_C_QUOTE] = TW_AFTER_##place, TW_GO(BACKSLASH, ESCAPE, place), \
           TW_GO(SPACE, STRING, place), TW_GO(OTHER, STRING, place), TW_GO(SLASH, STRING, place), \
           TW_GO(COMMA, STRING, place), TW_GO(COLON, STRING, place), TW_GO(OPEN_OBJECT, STRING, place), \
           TW_GO(CLOSE_OBJECT, STRING, place), TW_GO(OPEN_ARRAY, STRING, place), TW_GO(CLOSE_ARRAY, STRING, place), \
           TW_GO(MINUS, STRING, place), TW_GO(PLUS, STRING, place), TW_GO(DOT, STRING, place), \
           TW_HEX_ON(STRING, place), TW_GO(L, STRING, place), TW_GO(N, STRING, place), TW_GO(R, STRING, place), \
           TW_GO(S, STRING, place), TW_GO(T, STRING, place), TW_GO(U, STRING, place)), \
    TW_ROW(ESCAPE, place, TW_GO(QUOTE, STRING, place), TW_GO(BACKSLASH, STRING, place), TW_GO(SLASH, STRING, place), \
           TW_GO(B, STRING, place), TW_GO(F, STRING, place), TW_GO(N, STRING, place), TW_GO(R, STRING, place), \
           TW_GO(T, STRING, place), TW_GO(U, HEX4, place)), \
    TW_ROW(HEX4, place, TW_HEX_ON(HEX3, place)), \
    TW_ROW(HEX3, place, TW_HEX_ON(HEX2, place)), \
    TW_ROW(HEX2, place, TW_HEX_ON(HEX1, place)), \
    TW_ROW(HEX1, place, TW_HEX_ON(STRING, place))

#define TW_NUMBER_ROWS(place) \
    TW_ROW(MINUS, place, TW_GO(ZERO, ZERO, place), TW_GO(DIGIT, INTEGER, place)), \
    TW_ROW(ZERO, place, TW_END_ON_##place, TW_GO(DOT, DOT, place), TW_EXPONENT_ON(place)), \
    TW_ROW(INTEGER, place, TW_END_ON_##place, TW_DIGIT_ON(INTEGER, place), TW_GO(DOT, DOT, place), \
           TW_EXPONENT_ON(place)), \
    TW_ROW(DOT, place, TW_DIGIT_ON(FRACTION, place)), \
    TW_ROW(FRACTION, place, TW_END_ON_##place, TW_DIGIT_ON(FRACTION, place), TW_EXPONENT_ON(place)), \
    TW_ROW(EXPONENT, place, TW_DIGIT_ON(POWER, place), TW_GO(PLUS, SIGN, place), TW_GO(MINUS, SIGN, place)), \
    TW_ROW(SIGN, place, TW_DIGIT_ON(POWER, place)), \
    TW_ROW(POWER, place, TW_END_ON_##place, TW_DIGIT_ON(POWER, place))

#define TW_LITERAL_ROWS(place) \
    TW_ROW(T, place, TW_GO(R, TR, place)), \
    TW_ROW(TR, place, TW_GO(U, TRU, place)), \
    TW_ROW(TRU, place, [TW_C_E] = TW_AFTER_##place), \
    TW_ROW(F, place, TW_GO(A, FA, place)), \
    TW_ROW(FA, place, TW_GO(L, FAL, place)), \
    TW_ROW(FAL, place, TW_GO(S, FALS, place)), \
    TW_ROW(FALS, place, [TW_C_E] = TW_AFTER_##place), \
    TW_ROW(N, place, TW_GO(U, NU, place)), \
    TW_ROW(NU, place, TW_GO(L, NUL, place)), \
    TW_ROW(NUL, place, [TW_C_L] = TW_AFTER_##place)

#define TW_VALUE_ROWS(place) \
    TW_ROW(VALUE, place, TW_BLANK_ON(VALUE, place), TW_VALUE_ON(place)), \
    TW_STRING_ROWS(place), \
    TW_NUMBER_ROWS(place), \
    TW_LITERAL_ROWS(place)

static const uint8_t tw_json_table[TW_P_COUNT * 4][32] = {
    TW_ROW(BLANK, ROOT, TW_BLANK_ON(VALUE, ROOT), TW_VALUE_ON(ROOT)),
    TW_VALUE_ROWS(ROOT),

    TW_ROW(FIRST, ARRAY, TW_BLANK_ON(FIRST, ARRAY), TW_VALUE_ON(ARRAY), TW_DO(CLOSE_ARRAY, CLOSE)),
    TW_VALUE_ROWS(ARRAY),
    TW_ROW(AFTER, ARRAY, TW_END_ON_ARRAY),

    TW_ROW(FIRST, KEY, TW_BLANK_ON(FIRST, KEY), TW_GO(QUOTE, STRING, KEY), TW_DO(CLOSE_OBJECT, CLOSE)),
    TW_ROW(VALUE, KEY, TW_BLANK_ON(VALUE, KEY), TW_GO(QUOTE, STRING, KEY)),
    TW_STRING_ROWS(KEY),
    TW_ROW(AFTER, KEY, TW_BLANK_ON(AFTER, KEY), TW_GO(COLON, VALUE, OBJECT)),

    TW_VALUE_ROWS(OBJECT),
    TW_ROW(AFTER, OBJECT, TW_END_ON_OBJECT),
};

#endif
