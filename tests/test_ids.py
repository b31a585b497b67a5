"""Minted ids: their form, and that no two are alike, in several threads and after a fork too."""

import os
import re
import threading

import pytest

import toolweir
from toolweir.ids import AT_ONCE, mint_id

CALL = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'


def test_ids_are_call_and_24_digits() -> None:
    for _ in range(3 * AT_ONCE):
        assert re.fullmatch("call_[0-9a-f]{24}", mint_id())
    (call,) = toolweir.parse(CALL, "hermes").tool_calls
    assert re.fullmatch("call_[0-9a-f]{24}", call.id)


def test_no_two_are_alike() -> None:
    seen: list[str] = []

    def mint() -> None:
        seen.extend([mint_id() for _ in range(20 * AT_ONCE)])

    threads = [threading.Thread(target=mint) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == len(seen) == 80 * AT_ONCE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_mints_its_own() -> None:
    mint_id()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, " ".join([mint_id() for _ in range(2 * AT_ONCE)]).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        theirs = pipe.read().decode().split()
    assert os.waitpid(child, 0)[1] == 0
    ours = {mint_id() for _ in range(2 * AT_ONCE)}
    assert len(theirs) == 2 * AT_ONCE
    assert ours.isdisjoint(theirs)
