"""The fuzz targets of tests/fuzzing: what they found before they hold now, and they do see what they are made to see."""

import random
import sys
from pathlib import Path

import pytest

import toolweir
from toolweir import StreamParser

sys.path.append(str(Path(__file__).parent / "fuzzing"))

from targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_target(name: str) -> None:
    target = TARGETS[name]
    for seed in range(25):
        rng = random.Random(f"{name} {seed}")
        target(bytes(rng.choice((rng.randrange(256), rng.randrange(0x80, 0x100))) for _ in range(rng.randrange(60))))


@pytest.mark.parametrize("name", ["json_object", "header_json", "tagged", "literals", "channels", "wire"])
def test_a_reader_that_loses_text_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(StreamParser):
        """Loses what a piece of one character decides."""

        def feed(self, piece: str | bytes, /) -> tuple[toolweir.Event, ...]:
            events = super().feed(piece)
            return () if len(piece) == 1 else events

    monkeypatch.setattr("support.StreamParser", Forgetful)
    monkeypatch.setattr("targets.StreamParser", Forgetful)
    with pytest.raises(AssertionError):
        TARGETS[name](bytes(12) + b" some words of text")


def test_empty_inputs_and_empty_texts() -> None:
    for target in TARGETS.values():
        target(b"")
    assert StreamParser("hermes").finish() == ()
