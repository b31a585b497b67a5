"""A server that speaks three APIs and knows one answer: a recording, written at the pace of a model.

    pip install starlette uvicorn
    python examples/server.py [--recording FILE] [--format hermes] [--rate 90] [--port 8000]

Chat Completions, Responses and Messages, streaming and not; any client of OpenAI or Anthropic may be pointed at it.
What belongs to toolweir is `chat`, `responses`, `messages` (the options of a request) and three lines of `write`.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from toolweir import StreamParser, ToolweirError
from toolweir.commands.recording import tokens_of
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream, Usage

Json = dict[str, Any]
Turn = list[ChatCompletionStream] | list[ResponseStream] | list[MessageStream]


@dataclass
class Model:
    """The recorded model: what it writes, how, and how fast (tokens a second)."""

    text: str
    format: str = "hermes"
    rate: float = 90.0
    running: int = 0
    """Generations that are going on."""

    async def tokens(self) -> AsyncIterator[str]:
        """Generate: the tokens, each when it is due."""
        self.running += 1
        try:
            for token in tokens_of(self.text):
                yield token.text
                await asyncio.sleep(1 / self.rate)
        finally:
            self.running -= 1

    def parser(self, body: Json, **options: Any) -> StreamParser:
        """A parser for one choice of a request."""
        return StreamParser(
            self.format, tools=body.get("tools"), tool_choice=body.get("tool_choice", "auto"), **options
        )


def chat(model: Model, body: Json) -> Turn:
    """The streams of a Chat Completions request, one a choice."""

    def parser() -> StreamParser:
        return model.parser(
            body, parallel_tool_calls=body.get("parallel_tool_calls", True), stop=body.get("stop") or ()
        )

    usage = (body.get("stream_options") or {}).get("include_usage", False)
    first = ChatCompletionStream(parser(), model=body["model"], include_usage=usage)
    return [first, *(first.add_choice(parser()) for _ in range((body.get("n") or 1) - 1))]


def responses(model: Model, body: Json) -> Turn:
    """The stream of a Responses request."""
    parallel, most = body.get("parallel_tool_calls", True), body.get("max_tool_calls")
    parser = model.parser(body, parallel_tool_calls=parallel, max_tool_calls=most)
    return [ResponseStream(parser, model=body["model"], request=body)]


def messages(model: Model, body: Json) -> Turn:
    """The stream of a Messages request."""
    parser = model.parser(body, stop=body.get("stop_sequences") or ())
    return [MessageStream(parser, model=body["model"], usage={"input_tokens": count(body)})]


async def write(model: Model, turn: Turn, body: Json) -> AsyncIterator[bytes]:
    """Generate, and say it in the turn's API."""
    written = 0
    try:
        async for token in model.tokens():
            for stream in turn:
                yield stream.feed(token)
            written += 1
    except Exception as error:  # the client must not wait for an end that does not come
        yield turn[0].error(f"the model failed: {error}")
        raise
    for stream in turn:
        yield stream.finish("stop", Usage(count(body), written * len(turn)))


def count(body: Json) -> int:
    """As many tokens as the prompt may have."""
    return len(json.dumps(body.get("messages") or body.get("input"))) // 4


def endpoint(model: Model, begin: Callable[[Model, Json], Turn]) -> Callable[[Request], Any]:
    """Answers the requests of one API."""

    async def answer(request: Request) -> Response:
        body = await request.json()
        try:
            turn = begin(model, body)
        except ToolweirError as error:
            return JSONResponse({"error": {"type": "invalid_request_error", "message": str(error)}}, 400)
        events = write(model, turn, body)
        if body.get("stream"):
            return StreamingResponse(events, media_type="text/event-stream")
        async for _ in events:
            pass
        return JSONResponse(turn[0].body())

    return answer


def make_app(model: Model) -> Starlette:
    """The three endpoints over one model."""
    apis = {"/v1/chat/completions": chat, "/v1/responses": responses, "/v1/messages": messages}
    return Starlette(routes=[Route(path, endpoint(model, begin), methods=["POST"]) for path, begin in apis.items()])


def main() -> None:
    """Serve until interrupted."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--recording", type=Path, default=Path(__file__).with_name("write_file.txt"))
    options.add_argument("--format", default="hermes")
    options.add_argument("--rate", type=float, default=90.0, help="tokens a second")
    options.add_argument("--port", type=int, default=8000)
    given = options.parse_args()
    model = Model(given.recording.read_text(encoding="utf-8"), given.format, given.rate)
    uvicorn.run(make_app(model), port=given.port)


if __name__ == "__main__":
    main()
