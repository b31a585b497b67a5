"""Memory: of a parser, and what 100 MB of prose leave behind.

Growth is asked three ways, each in a fresh interpreter after a first 4 MB: pages that are resident, bytes that malloc
has given out (glibc's mallinfo2), and blocks that Python has. The file that tells the pages is opened before, since
opening it takes memory too.
"""

import sys

from toolweir import ContentDelta, StreamParser

from .measure import in_child
from .texts import prose

__all__ = ["Growth", "Objects"]

METERS = """
import ctypes, gc, os, sys
import toolweir

class Usage(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Usage
statm = os.open("/proc/self/statm", os.O_RDONLY)

def resident():
    return int(os.pread(statm, 100, 0).split()[1]) * os.sysconf("SC_PAGE_SIZE")

def allocated():
    usage = mallinfo2()
    return usage.uordblks + usage.hblkhd

def blocks():
    gc.collect()
    return sys.getallocatedblocks()
"""

PARSERS = """
tools = toolweir.Tools([{"name": "f"}])
kept = [toolweir.StreamParser("hermes", tools=tools) for _ in range(100)]
before = resident()
kept += [toolweir.StreamParser("hermes", tools=tools) for _ in range(20_000)]
print((resident() - before) / 20_000)
"""

PROSE = """
text, size = {text!r}, {size}
feed = toolweir.StreamParser("hermes").feed

def run(megabytes):
    for at in range(0, megabytes << 20, size):
        feed(text[at % 4096 : at % 4096 + size])

for _ in range(2):
    run(4)
    before = {meter}()
run(100)
print({meter}() - before)
"""


class Objects:
    """What a parser and an event take, in bytes."""

    unit = "bytes"

    def track_parser_resident(self) -> float:
        return in_child(METERS + PARSERS)

    def track_parser_object(self) -> float:
        return sys.getsizeof(StreamParser("hermes"))

    def track_event_object(self) -> float:
        return sys.getsizeof(ContentDelta("a"))


class Growth:
    """What 100 MB of prose in pieces of 1 KB leave behind."""

    params = (["resident", "allocated", "blocks"],)
    param_names = ("meter",)
    unit = "bytes or blocks"

    def track_growth(self, meter: str) -> float:
        return in_child(METERS + PROSE.format(text=prose("english", 8192), size=1024, meter=meter))

    def peakmem_prose(self, meter: str) -> None:
        text, feed = prose("english", 8192), StreamParser("hermes").feed
        for at in range(0, 100 << 20, 1024):
            feed(text[at % 4096 : at % 4096 + 1024])
