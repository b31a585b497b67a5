"""Every case file, under every cut, with the time of every event (case_files.py tells how to read and write them)."""

from typing import Any

import pytest
from case_files import Case, all_cases, by_character, due, joined, result_of, simple, times
from support import check_contract, check_counts, check_coverage, cuts, splits, steps, stream

from toolweir import StreamParser

CASES = all_cases()
each = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.format} {case.name}")


def test_titles_are_unique():
    assert len({(case.format, case.name) for case in CASES}) == len(CASES)


@each
def test_every_cut_gives_the_log(case: Case):
    expected = joined([line.step for line in case.lines])
    for name, pieces in [*cuts(case.text), *splits(case.text)]:
        events, result = stream(pieces, case.format, case.finish, **case.options)
        check_contract(events, case.text)
        assert [simple(step) for step in steps(events)] == expected, f"cut by {name}"
        assert result_of(result) == case.result, f"cut by {name}"


@each
def test_the_text_may_end_anywhere(case: Case):
    """What the end finds undecided is neither lost nor told twice, and no text comes from anywhere else."""
    parser = StreamParser(case.format, **case.options)
    sent: list[Any] = []
    for at, character in enumerate(case.text, 1):
        sent += parser.feed(character)
        ended = parser.copy()
        events = [*sent, *ended.finish(case.finish)]
        stopped = ended.result.stop_sequence is not None or "text_after_end_of_turn" in ended.result.warnings
        check_contract(events, case.text[:at])
        check_counts(events, ended.result)
        check_coverage(case.text[:at], events, case.format, stopped)


@each
def test_nothing_waits_longer_than_the_log_says(case: Case):
    happened, _ = by_character(case)
    assert joined([item.step for item in happened]) == joined([line.step for line in case.lines])
    assert times(happened) == [time for line in case.lines for time in due(case, line)]


@each
def test_every_wait_has_its_reason(case: Case):
    for line in case.lines:
        if line.when is not None and "text_ended" not in line.step:
            assert line.reason.strip("?"), f"{line.step}: why does it wait?"
