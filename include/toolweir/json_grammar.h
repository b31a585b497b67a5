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

#define TW_ON_DIGIT(next) [TW_C_ZERO] = next, [TW_C_DIGIT] = next

#define TW_ON_HEX(next) \
    TW_ON_DIGIT(next), [TW_C_A] = next, [TW_C_B] = next, [TW_C_E] = next, [TW_C_F] = next, [TW_C_CAPITAL_E] = next, \
    [TW_C_HEX] = next

#define TW_ON_WHITESPACE(next) [TW_C_SPACE] = next, [TW_C_BREAK] = next

#define TW_ON_VALUE(place) \
    [TW_C_QUOTE] = TW_STATE(STRING, place), [TW_C_OPEN_ARRAY] = TW_A_OPEN_ARRAY, \
    [TW_C_OPEN_OBJECT] = TW_A_OPEN_OBJECT, [TW_C_MINUS] = TW_STATE(MINUS, place), \
    [TW_C_ZERO] = TW_STATE(ZERO, place), [TW_C_DIGIT] = TW_STATE(INTEGER, place), [TW_C_T] = TW_STATE(T, place), \
    [TW_C_F] = TW_STATE(F, place), [TW_C_N] = TW_STATE(N, place)

/* Where a string or a literal leads that has ended. */
#define TW_AFTER_ROOT TW_A_END
#define TW_AFTER_ARRAY TW_STATE(AFTER, ARRAY)
#define TW_AFTER_OBJECT TW_STATE(AFTER, OBJECT)
#define TW_AFTER_KEY TW_STATE(AFTER, KEY)

/* What may follow a value in a container, where no byte of its own ends it. At the root that is decided elsewhere. */
#define TW_ON_END_ROOT [TW_C_CONTROL] = TW_A_INVALID
#define TW_ON_END_ARRAY \
    TW_ON_WHITESPACE(TW_STATE(AFTER, ARRAY)), [TW_C_COMMA] = TW_STATE(VALUE, ARRAY), \
    [TW_C_CLOSE_ARRAY] = TW_A_CLOSE
#define TW_ON_END_OBJECT \
    TW_ON_WHITESPACE(TW_STATE(AFTER, OBJECT)), [TW_C_COMMA] = TW_STATE(VALUE, KEY), \
    [TW_C_CLOSE_OBJECT] = TW_A_CLOSE

#define TW_STRING_ROWS(place) \
    [TW_STATE(STRING, place)] = \
        {[TW_C_SPACE] = TW_STATE(STRING, place), [TW_C_OTHER] = TW_STATE(STRING, place), [TW_C_QUOTE] = TW_AFTER_##place, \
         [TW_C_BACKSLASH] = TW_STATE(ESCAPE, place), [TW_C_SLASH] = TW_STATE(STRING, place), \
         [TW_C_COMMA] = TW_STATE(STRING, place), [TW_C_COLON] = TW_STATE(STRING, place), \
         [TW_C_OPEN_OBJECT] = TW_STATE(STRING, place), [TW_C_CLOSE_OBJECT] = TW_STATE(STRING, place), \
         [TW_C_OPEN_ARRAY] = TW_STATE(STRING, place), [TW_C_CLOSE_ARRAY] = TW_STATE(STRING, place), \
         [TW_C_MINUS] = TW_STATE(STRING, place), [TW_C_PLUS] = TW_STATE(STRING, place), \
         [TW_C_DOT] = TW_STATE(STRING, place), TW_ON_HEX(TW_STATE(STRING, place)), \
         [TW_C_L] = TW_STATE(STRING, place), [TW_C_N] = TW_STATE(STRING, place), [TW_C_R] = TW_STATE(STRING, place), \
         [TW_C_S] = TW_STATE(STRING, place), [TW_C_T] = TW_STATE(STRING, place), [TW_C_U] = TW_STATE(STRING, place)}, \
    [TW_STATE(ESCAPE, place)] = \
        {[TW_C_QUOTE] = TW_STATE(STRING, place), [TW_C_BACKSLASH] = TW_STATE(STRING, place), \
         [TW_C_SLASH] = TW_STATE(STRING, place), [TW_C_B] = TW_STATE(STRING, place), \
         [TW_C_F] = TW_STATE(STRING, place), [TW_C_N] = TW_STATE(STRING, place), [TW_C_R] = TW_STATE(STRING, place), \
         [TW_C_T] = TW_STATE(STRING, place), [TW_C_U] = TW_STATE(HEX4, place)}, \
    [TW_STATE(HEX4, place)] = {TW_ON_HEX(TW_STATE(HEX3, place))}, \
    [TW_STATE(HEX3, place)] = {TW_ON_HEX(TW_STATE(HEX2, place))}, \
    [TW_STATE(HEX2, place)] = {TW_ON_HEX(TW_STATE(HEX1, place))}, \
    [TW_STATE(HEX1, place)] = {TW_ON_HEX(TW_STATE(STRING, place))}

#define TW_NUMBER_ROWS(place) \
    [TW_STATE(MINUS, place)] = {[TW_C_ZERO] = TW_STATE(ZERO, place), [TW_C_DIGIT] = TW_STATE(INTEGER, place)}, \
    [TW_STATE(ZERO, place)] = {TW_ON_END_##place, [TW_C_DOT] = TW_STATE(DOT, place), [TW_C_E] = TW_STATE(EXPONENT, place), \
                               [TW_C_CAPITAL_E] = TW_STATE(EXPONENT, place)}, \
    [TW_STATE(INTEGER, place)] = {TW_ON_END_##place, TW_ON_DIGIT(TW_STATE(INTEGER, place)), [TW_C_DOT] = TW_STATE(DOT, place), \
                                  [TW_C_E] = TW_STATE(EXPONENT, place), \
                                  [TW_C_CAPITAL_E] = TW_STATE(EXPONENT, place)}, \
    [TW_STATE(DOT, place)] = {TW_ON_DIGIT(TW_STATE(FRACTION, place))}, \
    [TW_STATE(FRACTION, place)] = {TW_ON_END_##place, TW_ON_DIGIT(TW_STATE(FRACTION, place)), \
                                   [TW_C_E] = TW_STATE(EXPONENT, place), \
                                   [TW_C_CAPITAL_E] = TW_STATE(EXPONENT, place)}, \
    [TW_STATE(EXPONENT, place)] = {TW_ON_DIGIT(TW_STATE(POWER, place)), [TW_C_PLUS] = TW_STATE(SIGN, place), \
                                   [TW_C_MINUS] = TW_STATE(SIGN, place)}, \
    [TW_STATE(SIGN, place)] = {TW_ON_DIGIT(TW_STATE(POWER, place))}, \
    [TW_STATE(POWER, place)] = {TW_ON_END_##place, TW_ON_DIGIT(TW_STATE(POWER, place))}

#define TW_LITERAL_ROWS(place) \
    [TW_STATE(T, place)] = {[TW_C_R] = TW_STATE(TR, place)}, [TW_STATE(TR, place)] = {[TW_C_U] = TW_STATE(TRU, place)}, \
    [TW_STATE(TRU, place)] = {[TW_C_E] = TW_AFTER_##place}, [TW_STATE(F, place)] = {[TW_C_A] = TW_STATE(FA, place)}, \
    [TW_STATE(FA, place)] = {[TW_C_L] = TW_STATE(FAL, place)}, \
    [TW_STATE(FAL, place)] = {[TW_C_S] = TW_STATE(FALS, place)}, [TW_STATE(FALS, place)] = {[TW_C_E] = TW_AFTER_##place}, \
    [TW_STATE(N, place)] = {[TW_C_U] = TW_STATE(NU, place)}, [TW_STATE(NU, place)] = {[TW_C_L] = TW_STATE(NUL, place)}, \
    [TW_STATE(NUL, place)] = {[TW_C_L] = TW_AFTER_##place}

#define TW_VALUE_ROWS(place) \
    [TW_STATE(VALUE, place)] = {TW_ON_WHITESPACE(TW_STATE(VALUE, place)), TW_ON_VALUE(place)}, \
    TW_STRING_ROWS(place), TW_NUMBER_ROWS(place), TW_LITERAL_ROWS(place)

static const uint8_t tw_json_table[TW_P_COUNT * 4][32] = {
    [TW_STATE(BLANK, ROOT)] = {TW_ON_WHITESPACE(TW_STATE(VALUE, ROOT)), TW_ON_VALUE(ROOT)},
    TW_VALUE_ROWS(ROOT),

    [TW_STATE(FIRST, ARRAY)] = {TW_ON_WHITESPACE(TW_STATE(FIRST, ARRAY)), TW_ON_VALUE(ARRAY),
                                      [TW_C_CLOSE_ARRAY] = TW_A_CLOSE},
    TW_VALUE_ROWS(ARRAY),
    [TW_STATE(AFTER, ARRAY)] = {TW_ON_END_ARRAY},

    [TW_STATE(FIRST, KEY)] = {TW_ON_WHITESPACE(TW_STATE(FIRST, KEY)),
                                    [TW_C_QUOTE] = TW_STATE(STRING, KEY), [TW_C_CLOSE_OBJECT] = TW_A_CLOSE},
    [TW_STATE(VALUE, KEY)] = {TW_ON_WHITESPACE(TW_STATE(VALUE, KEY)),
                                    [TW_C_QUOTE] = TW_STATE(STRING, KEY)},
    TW_STRING_ROWS(KEY),
    [TW_STATE(AFTER, KEY)] = {TW_ON_WHITESPACE(TW_STATE(AFTER, KEY)),
                                    [TW_C_COLON] = TW_STATE(VALUE, OBJECT)},

    TW_VALUE_ROWS(OBJECT),
    [TW_STATE(AFTER, OBJECT)] = {TW_ON_END_OBJECT},
};

#endif
