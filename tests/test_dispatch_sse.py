"""dispatch_sse: ordinary frames byte for byte, each complete call right before the frame that completes it."""

import asyncio
import contextlib
import io
import json
import logging
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from toolweir.dispatch.command import run
from toolweir.dispatch.dispatcher import ToolCallDispatcher
from toolweir.dispatch.sse import EventSplitter, read_event
from toolweir.dispatch.stream import DispatchFilter, adispatch_sse, dispatch_sse
from toolweir.limits import Limits


def frame(value, end="\n"):
    return f"data: {json.dumps(value, ensure_ascii=False)}{end}{end}".encode()


def chunk(*fragments, finish=None):
    return {"choices": [{"index": 0, "delta": {"tool_calls": list(fragments)}, "finish_reason": finish}]}


def fragment(arguments, name=None, index=0):
    return {"index": index, "function": {"arguments": arguments}} | (
        {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}} if name else {}
    )


def announced(index, name, arguments):
    function = {"name": name, "arguments": arguments}
    call = {"index": index, "id": f"call_{index}", "type": "function", "function": function}
    payload = json.dumps({"choice_index": 0, "tool_call": call}, separators=(",", ":"))
    return f"event: tool_call_dispatch\ndata: {payload}\n\n".encode()


def stream(end="\n"):
    """Frames, and the frames with the two calls in their places."""
    frames = [
        b": keep-alive" + 2 * end.encode(),
        frame(chunk(fragment("", "f"), fragment("{", "g", 1)), end),
        frame(chunk(fragment('{"city":"Zü')), end),
        frame(chunk(fragment('rich 🎉"}')), end),
        frame(chunk(fragment("}", index=1), finish="tool_calls"), end),
        b"data: [DONE]" + 2 * end.encode(),
    ]
    first, second = announced(0, "f", '{"city":"Zürich 🎉"}'), announced(1, "g", "{}")
    return frames, [*frames[:3], first, frames[3], second, *frames[4:]]


def cuts(data, seed):
    rng, at = random.Random(seed), 0
    while at < len(data):
        size = rng.choice((1, 2, 3, 7, 50, 200))
        yield data[at : at + size]
        at += size


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("seed", range(10))
def test_frames_cut_anywhere(end, seed):
    frames, expected = stream(end)
    assert list(dispatch_sse(cuts(b"".join(frames), seed))) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_cut_in_two(end):
    frames, expected = stream(end)
    data = b"".join(frames)
    for at in range(len(data) + 1):
        out = list(dispatch_sse([data[:at], data[at:]]))
        assert b"".join(out) == b"".join(expected)


def test_a_frame_goes_out_as_soon_as_its_last_byte_is_there():
    frames, _ = stream()
    feed = DispatchFilter()
    for each in frames[:3]:
        assert list(feed.feed(each[:-1])) == []
        assert list(feed.feed(each[-1:])) == [each]


@pytest.mark.parametrize("end", ["", "\n"])
def test_lines_of_text(end):
    frames, expected = stream()
    lines = [line + end for line in b"".join(frames).decode().split("\n")[:-1]]
    assert list(dispatch_sse(lines)) == expected


def test_asynchronously():
    frames, expected = stream()

    async def source():
        for piece in cuts(b"".join(frames), 1):
            yield piece

    async def collect():
        return [each async for each in adispatch_sse(source())]

    assert asyncio.run(collect()) == expected


def test_the_last_frame_may_lack_its_empty_line():
    frames, expected = stream()
    data = b"".join(frames[:5])
    assert b"".join(dispatch_sse([data[:-1]])) == b"".join(expected[:-1])[:-1]
    assert b"".join(dispatch_sse([data[:-10]])) == b"".join(expected[:5]) + frames[4][:-10]


def test_what_is_not_a_chunk_passes():
    data = b"\xef\xbb\xbf\n\nevent: x\ndata: {\n\nid: 5\nretry\n\n\r\rdata\n\ndata: [1]\n\n\xff\xfe\n\n"
    assert b"".join(dispatch_sse([data])) == data


def test_data_in_several_lines_is_one_value():
    text = json.dumps(chunk(fragment("{}", "f")), indent=1)
    data = "".join(f"data: {line}\n" for line in text.split("\n")) + "\n"
    assert [b"dispatch" in each for each in dispatch_sse([data.encode()])] == [True, False]


def test_the_dispatcher_can_be_the_caller_s():
    frames, expected = stream()
    dispatcher = ToolCallDispatcher(parallel_tool_calls=False)
    out = list(dispatch_sse(frames, dispatcher))
    assert out == [each for each in expected if b"call_1" not in each or b"choice_index" not in each]
    assert [report.reason for report in dispatcher.reports()] == [None]


def test_a_frame_past_the_limit_passes_unread(caplog):
    frames, _ = stream()
    data = b"".join(frames)
    with caplog.at_level(logging.WARNING, "toolweir"):
        for seed in range(5):
            assert b"".join(dispatch_sse(cuts(data, seed), limits=Limits(sse_event=50))) == data
    assert "passes unread" in caplog.text


@pytest.mark.parametrize("limit", [30, 31, 32, 33])
def test_the_limit_is_inclusive_and_only_concerns_its_frame(limit):
    short, long = b"data: {}\n\n", b"data: " + b"1" * 24 + b"\n\n"
    for step in (1, 5, 100):
        splitter, out = EventSplitter(limit), []
        data = short + long + short
        for at in range(0, len(data), step):
            out += splitter.feed(data[at : at + step])
        out += splitter.finish()
        assert b"".join(part for part, _ in out) == data
        assert [part for part, whole in out if whole] == ([short, long, short] if limit >= 32 else [short, short])


def test_what_is_held_stays_within_the_limit():
    splitter = EventSplitter(100)
    for _ in range(1000):
        assert sum(len(part) for part, _ in splitter.feed(b"x" * 10)) <= 120
        assert len(splitter._held) <= 100 + 4


@pytest.mark.parametrize(
    ("event", "value"),
    [
        (b"data: 1\n\n", 1),
        (b"data:1\r\n\r\n", 1),
        (b"data:  1\r\r", 1),
        (b"\xef\xbb\xbfdata: 1\n\n", 1),
        (b"data: [1,\ndata: 2]\n\n", [1, 2]),
        (b"event: x\nid: 3\ndata: 1\n: comment\n\n", 1),
        (b": comment\n\n", None),
        (b"data: [DONE]\n\n", None),
        (b"data\n\n", None),
        (b"data:\n\n", None),
        (b"database: 1\n\n", None),
        (b'data: "\xe2\x80\xa8\x0b"\n\n'.replace(b"\x0b", b""), "\u2028"),
    ],
)
def test_read_event(event, value):
    assert read_event(event) == value


# Over HTTP


class Server(BaseHTTPRequestHandler):
    """Sends the bytes of `server.data` as chunked HTTP, cut at random."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in cuts(self.server.data, self.server.seed):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *args):
        pass


@contextlib.contextmanager
def serving(data, seed=0):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.data, server.seed = data, seed
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("seed", range(3))
def test_over_http(end, seed):
    httpx = pytest.importorskip("httpx")
    frames, expected = stream(end)
    with serving(b"".join(frames), seed) as url, httpx.Client(trust_env=False) as client:
        with client.stream("POST", url, json={}) as response:
            assert list(dispatch_sse(response.iter_bytes())) == expected
        with client.stream("POST", url, json={}) as response:
            assert b"".join(dispatch_sse(response.iter_raw(5))) == b"".join(expected)
        with client.stream("POST", url, json={}) as response:
            assert b"".join(dispatch_sse(response.iter_lines())) == b"".join(expected).replace(b"\r\n", b"\n")


def test_over_http_asynchronously():
    httpx = pytest.importorskip("httpx")
    frames, expected = stream()

    async def collect(url):
        async with httpx.AsyncClient(trust_env=False) as client, client.stream("POST", url, json={}) as response:
            return [each async for each in adispatch_sse(response.aiter_bytes())]

    with serving(b"".join(frames), 7) as url:
        assert asyncio.run(collect(url)) == expected


# The command


def test_the_command_writes_a_line_for_each_call():
    out, err = io.StringIO(), io.StringIO()
    frames, _ = stream()
    assert run(io.BytesIO(b"".join(frames)), out, err) == 0
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["tool_call"]["function"] for line in lines] == [
        {"name": "f", "arguments": '{"city":"Zürich 🎉"}'},
        {"name": "g", "arguments": "{}"},
    ]
    assert err.getvalue() == ""


def test_the_command_says_what_was_not_dispatched_and_why():
    out, err = io.StringIO(), io.StringIO()
    assert run(io.BytesIO(frame(chunk(fragment("{", "f")))), out, err) == 1
    assert (out.getvalue(), err.getvalue()) == ("", "choice 0, call 0 (f): finish:none\n")
    assert run(io.BytesIO(b""), out) == 0


def test_the_command_writes_while_the_stream_runs():
    frames, _ = stream()
    out = io.StringIO()
    seen = []

    class Pipe:
        def __init__(self):
            self.left = iter(frames)

        def read1(self, size):
            seen.append(len(out.getvalue().splitlines()))
            return next(self.left, b"")

    assert run(Pipe(), out) == 0
    assert seen == [0, 0, 0, 0, 1, 2, 2]
