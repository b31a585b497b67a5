/*
 * The strict scanner and the scanner of edges, against a recursive descent and against one another.
 */
#include "fuzzing.h"
#include "toolweir/json_scanner.h"

/* The reference: the value at `at`, as far as there is text. */
typedef struct reference {
    const uint8_t *text;
    size_t size;
    size_t at; /* where the value ends, or the byte that was refused */
} reference;

static int refuse(const reference *r)
{
    return r->at == r->size ? TW_MORE : TW_INVALID;
}

static bool next_is(const reference *r, uint8_t byte)
{
    return r->at < r->size && r->text[r->at] == byte;
}

static bool next_in(const reference *r, const char *bytes)
{
    return r->at < r->size && r->text[r->at] != 0 && strchr(bytes, r->text[r->at]) != NULL;
}

static void skip_space(reference *r)
{
    while (next_in(r, " \t\n\r"))
        r->at++;
}

static int read_string(reference *r)
{
    int digits;
    r->at++;
    while (!next_is(r, '"')) {
        if (r->at == r->size || r->text[r->at] < 0x20)
            return refuse(r);
        if (r->text[r->at++] != '\\')
            continue;
        if (!next_in(r, "\"\\/bfnrtu"))
            return refuse(r);
        if (r->text[r->at++] == 'u')
            for (digits = 0; digits < 4; digits++, r->at++)
                if (!next_in(r, "0123456789abcdefABCDEF"))
                    return refuse(r);
    }
    r->at++;
    return 0;
}

static int read_digits(reference *r)
{
    if (!next_in(r, "0123456789"))
        return refuse(r);
    while (next_in(r, "0123456789"))
        r->at++;
    return 0;
}

static int read_number(reference *r)
{
    int result;
    if (next_is(r, '-'))
        r->at++;
    if (next_is(r, '0'))
        r->at++;
    else if ((result = read_digits(r)) != 0)
        return result;
    if (next_is(r, '.')) {
        r->at++;
        if ((result = read_digits(r)) != 0)
            return result;
    }
    if (next_in(r, "eE")) {
        r->at++;
        if (next_in(r, "+-"))
            r->at++;
        if ((result = read_digits(r)) != 0)
            return result;
    }
    return r->at == r->size ? TW_MORE : 0; /* it may go on */
}

static int read_word(reference *r, const char *word)
{
    for (; *word != 0; word++, r->at++)
        if (!next_is(r, (uint8_t)*word))
            return refuse(r);
    return 0;
}

static int read_value(reference *r, unsigned depth);

static int read_container(reference *r, unsigned depth)
{
    bool object = next_is(r, '{');
    uint8_t closer = object ? '}' : ']';
    int result;
    if (depth == TW_JSON_DEPTH)
        return TW_DEPTH;
    r->at++;
    skip_space(r);
    if (next_is(r, closer)) {
        r->at++;
        return 0;
    }
    for (;;) {
        skip_space(r);
        if (object) {
            if (!next_is(r, '"'))
                return refuse(r);
            if ((result = read_string(r)) != 0)
                return result;
            skip_space(r);
            if (!next_is(r, ':'))
                return refuse(r);
            r->at++;
        }
        if ((result = read_value(r, depth + 1)) != 0)
            return result;
        skip_space(r);
        if (next_is(r, closer)) {
            r->at++;
            return 0;
        }
        if (!next_is(r, ','))
            return refuse(r);
        r->at++;
    }
}

static int read_value(reference *r, unsigned depth)
{
    skip_space(r);
    if (next_in(r, "{["))
        return read_container(r, depth);
    if (next_is(r, '"'))
        return read_string(r);
    if (next_in(r, "-0123456789"))
        return read_number(r);
    if (next_is(r, 't'))
        return read_word(r, "true");
    if (next_is(r, 'f'))
        return read_word(r, "false");
    if (next_is(r, 'n'))
        return read_word(r, "null");
    return refuse(r);
}

/* The whole text, or pieces of it: what tw_json_feed says of it, with offsets into the text. */
static ptrdiff_t scan(tw_json *scanner, tw_input *input, bool whole, size_t *taken)
{
    size_t at = 0;
    ptrdiff_t found = TW_MORE;
    do {
        size_t n = whole ? input->size : pick_piece(input, input->size - at);
        uint8_t *piece = exact(input->text + at, n);
        size_t read = 0;
        found = tw_json_feed(scanner, piece, n, &read);
        CHECK(read <= n);
        CHECK(found != TW_MORE || read == n);
        CHECK(found < 0 || (size_t)found == read);
        free(piece);
        at += read;
    } while (found == TW_MORE && at < input->size);
    *taken = at;
    return found < 0 ? found : (ptrdiff_t)at;
}

static bool same_state(const tw_json *one, const tw_json *other)
{
    unsigned i;
    for (i = 0; i < one->depth; i++)
        if ((one->objects[i >> 3] ^ other->objects[i >> 3]) >> (i & 7) & 1)
            return false;
    return one->state == other->state && one->depth == other->depth;
}

static void check_edge(const tw_json *scanner, ptrdiff_t found, size_t taken, tw_input *input)
{
    tw_edge whole = {0}, pieces = {0};
    size_t read = 0, at = 0, n;
    ptrdiff_t end = tw_edge_find(&whole, input->text, input->size, &read);
    bool container = tw_json_depth(scanner) > 0 || (found > 0 && (input->text[found - 1] == '}' || input->text[found - 1] == ']'));
    int verdict = TW_EDGE_OPEN;
    tw_edge fed = {0};
    if (container && found >= 0)
        CHECK(end == found);
    if (container && found == TW_MORE && taken == input->size) {
        CHECK(end == TW_MORE);
        CHECK(whole.depth == tw_json_depth(scanner));
        CHECK(whole.in_string == tw_json_in_string(scanner));
    }
    while (at < input->size) {
        uint8_t *piece;
        n = pick_piece(input, input->size - at);
        piece = exact(input->text + at, n);
        verdict = tw_edge_feed(&pieces, piece, n);
        free(piece);
        at += n;
    }
    CHECK(verdict == tw_edge_feed(&fed, input->text, input->size));
    CHECK(pieces.depth == fed.depth && pieces.in_string == fed.in_string && pieces.escape == fed.escape);
    CHECK(pieces.closed == fed.closed && pieces.scalar == fed.scalar && pieces.malformed == fed.malformed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tw_input input = take_input(data, size);
    tw_json whole = {0}, pieces = {0}, again;
    size_t taken = 0, taken_in_pieces = 0, read;
    ptrdiff_t found = scan(&whole, &input, true, &taken);
    reference r = {input.text, input.size, 0};
    int expected = read_value(&r, 0);
    CHECK(expected == 0 ? found == (ptrdiff_t)r.at : found == expected);
    CHECK(found == TW_MORE || taken == r.at);
    CHECK(tw_json_done(&whole) == (found >= 0));

    CHECK(scan(&pieces, &input, false, &taken_in_pieces) == found);
    CHECK(taken == taken_in_pieces && same_state(&whole, &pieces));

    if (found == TW_INVALID || found == TW_DEPTH) { /* the state is what it was before that byte */
        again = whole;
        CHECK(tw_json_feed(&again, input.text + taken, 1, &read) == found && read == 0);
        CHECK(same_state(&again, &whole));
    }
    check_edge(&whole, found, taken, &input);
    return 0;
}
