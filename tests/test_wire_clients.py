"""What real clients make of the streams: of whole turns, of calls that broke, of bytes that come one at a time.

A broken call must not be run by any client. Three things keep it from that, and the table of `BROKEN` says which client
relies on which: the client raises, it sees that the arguments are no JSON, or it repairs them and the finish reason is
the only sign. With `on_broken_call="error"` every client raises.
"""

import asyncio
import gc
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from wire_reading import BARE_START, CUT_TURN, TOOLS, TURN, calls

from toolweir import StreamParser, parse
from toolweir.wire import ChatCompletionStream, MessageStream, ResponseStream

pytestmark = pytest.mark.filterwarnings("ignore")

ASK = [{"role": "user", "content": "hi"}]
WHOLE = parse(TURN, "hermes", tools=TOOLS)
USAGE = {"input_tokens": 10, "output_tokens": 20}
STREAMS = {"chat": ChatCompletionStream, "responses": ResponseStream, "messages": MessageStream}


def recorded(api: str, text: str, on_broken_call: Any = "length") -> bytes:
    options: dict[str, Any] = {"include_usage": True} if api == "chat" else {}
    parser = StreamParser("hermes", tools=TOOLS, on_broken_call=on_broken_call)
    stream = STREAMS[api](parser, model="m", **options)
    return b"".join(map(stream.feed, text)) + stream.finish("stop", USAGE)


class Replay(ThreadingHTTPServer):
    """Answers every request with `body`, in chunks of `step` bytes."""

    daemon_threads = True
    body = b""
    step = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that raises drops the connection; that is no error here."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Replay

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        body, step = self.server.body, self.server.step
        for at in range(0, len(body), step):
            chunk = body[at : at + step]
            self.wfile.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        self.wfile.write(b"0\r\n\r\n")


@pytest.fixture(scope="module")
def replay() -> Iterator[Replay]:
    server = Replay(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """What a client leaves open is warned of here, where it is ignored, and not in some later test."""
    yield
    gc.collect()


@dataclass
class Made:
    """What a client made of a stream, in one form for all of them."""

    finish: str | None
    calls: list[tuple[str, Any]] = field(default_factory=list)
    """Names, and arguments as the client hands them out: text, or what it parsed."""
    content: str = ""
    reasoning: str | None = None
    usage: tuple[int, int] = (0, 0)


def openai_chat(url: str) -> Made:
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)
    with client.chat.completions.stream(model="m", messages=ASK) as stream:
        for _ in stream:
            pass
        final = stream.get_final_completion()
    message = final.choices[0].message
    return Made(
        final.choices[0].finish_reason,
        [(call.function.name, call.function.arguments) for call in message.tool_calls],
        message.content,
        message.reasoning_content,
        (final.usage.prompt_tokens, final.usage.completion_tokens),
    )


def openai_responses(url: str) -> Made:
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)
    with client.responses.stream(model="m", input="hi") as stream:
        for _ in stream:
            pass
        final = stream.get_final_response()
    return Made(
        final.status,
        [(item.name, item.arguments) for item in final.output if item.type == "function_call"],
        final.output_text,
        final.output[0].summary[0].text,
        (final.usage.input_tokens, final.usage.output_tokens),
    )


def anthropic_messages(url: str) -> Made:
    anthropic = pytest.importorskip("anthropic")
    client = anthropic.Anthropic(base_url=url, api_key="x", max_retries=0)
    with client.messages.stream(model="m", max_tokens=9, messages=ASK) as stream:
        for _ in stream:
            pass
        final = stream.get_final_message()
    return Made(
        final.stop_reason,
        [(block.name, block.input) for block in final.content if block.type == "tool_use"],
        "".join(block.text for block in final.content if block.type == "text"),
        final.content[0].thinking,
        (final.usage.input_tokens, final.usage.output_tokens),
    )


def langchain(model: Any) -> Made:
    whole = None
    for chunk in model.stream("hi"):
        whole = chunk if whole is None else whole + chunk
    assert whole is not None
    assert whole.invalid_tool_calls == []
    metadata = whole.response_metadata
    usage = whole.usage_metadata
    return Made(
        metadata.get("finish_reason") or metadata.get("stop_reason") or metadata.get("status"),
        [(call["name"], call["args"]) for call in whole.tool_calls],
        whole.text if isinstance(whole.text, str) else whole.text(),
        None,
        (usage["input_tokens"], usage["output_tokens"]),
    )


def langchain_chat(url: str) -> Made:
    module = pytest.importorskip("langchain_openai")
    options = {"base_url": f"{url}/v1", "api_key": "x", "model": "m", "max_retries": 0, "stream_usage": True}
    return langchain(module.ChatOpenAI(**options, use_responses_api=False))


def langchain_responses(url: str) -> Made:
    module = pytest.importorskip("langchain_openai")
    options = {"base_url": f"{url}/v1", "api_key": "x", "model": "m", "max_retries": 0}
    return langchain(module.ChatOpenAI(**options, use_responses_api=True))


def langchain_messages(url: str) -> Made:
    module = pytest.importorskip("langchain_anthropic")
    return langchain(module.ChatAnthropic(base_url=url, api_key="x", model="m", max_retries=0, max_tokens=9))


def pydantic_ai(model: Any, client: Any) -> Made:
    from pydantic_ai import ModelRequest
    from pydantic_ai.direct import model_request_stream

    async def read() -> Any:
        async with client, model_request_stream(model, [ModelRequest.user_text_prompt("hi")]) as stream:
            async for _ in stream:
                pass
            return stream.get()

    response = asyncio.run(read())
    parts = response.parts
    return Made(
        response.finish_reason,
        [(part.tool_name, part.args) for part in parts if part.part_kind == "tool-call"],
        "".join(part.content for part in parts if part.part_kind == "text"),
        "".join(part.content for part in parts if part.part_kind == "thinking"),
        (response.usage.input_tokens, response.usage.output_tokens),
    )


def pydantic_ai_chat(url: str) -> Made:
    models = pytest.importorskip("pydantic_ai.models.openai")
    providers = pytest.importorskip("pydantic_ai.providers.openai")
    provider = providers.OpenAIProvider(base_url=f"{url}/v1", api_key="x")
    return pydantic_ai(models.OpenAIChatModel("m", provider=provider), provider.client)


def pydantic_ai_responses(url: str) -> Made:
    models = pytest.importorskip("pydantic_ai.models.openai")
    providers = pytest.importorskip("pydantic_ai.providers.openai")
    provider = providers.OpenAIProvider(base_url=f"{url}/v1", api_key="x")
    return pydantic_ai(models.OpenAIResponsesModel("m", provider=provider), provider.client)


def pydantic_ai_messages(url: str) -> Made:
    anthropic = pytest.importorskip("anthropic")
    models = pytest.importorskip("pydantic_ai.models.anthropic")
    providers = pytest.importorskip("pydantic_ai.providers.anthropic")
    client = anthropic.AsyncAnthropic(base_url=url, api_key="x", max_retries=0)
    provider = providers.AnthropicProvider(anthropic_client=client)
    return pydantic_ai(models.AnthropicModel("m", provider=provider), client)


def ai_sdk(api: str, url: str) -> Made:
    modules = os.environ.get("TOOLWEIR_AI_SDK")
    if modules is None:
        pytest.skip("TOOLWEIR_AI_SDK names a folder where npm installed ai, @ai-sdk/openai, -compatible and -anthropic")
    script = Path(__file__).with_name("wire_ai_sdk.mjs")
    done = subprocess.run(["node", script, modules, api, url], capture_output=True, check=True)
    made = json.loads(done.stdout)
    if made["errors"]:
        raise RuntimeError(made["errors"])
    called = [(name, input if not invalid else str(input)) for name, input, invalid in made["calls"]]
    return Made(made["finish"], called, made["content"], made["reasoning"], tuple(made["usage"]))


def ai_sdk_chat(url: str) -> Made:
    return ai_sdk("chat", url)


def ai_sdk_responses(url: str) -> Made:
    return ai_sdk("responses", url)


def ai_sdk_messages(url: str) -> Made:
    return ai_sdk("messages", url)


Client = Callable[[str], Made]
CLIENTS: list[tuple[str, Client]] = [
    ("chat", openai_chat),
    ("chat", langchain_chat),
    ("chat", pydantic_ai_chat),
    ("chat", ai_sdk_chat),
    ("responses", openai_responses),
    ("responses", langchain_responses),
    ("responses", pydantic_ai_responses),
    ("responses", ai_sdk_responses),
    ("messages", anthropic_messages),
    ("messages", langchain_messages),
    ("messages", pydantic_ai_messages),
    ("messages", ai_sdk_messages),
]
RUN_THEM = {"tool_calls", "tool_call", "tool-calls", "tool_use", "completed", "stop"}
"""Finish words after which a client's loop runs the calls of a turn."""


def as_object(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


@pytest.mark.parametrize("step", [1, 256])
@pytest.mark.parametrize(("api", "client"), CLIENTS)
def test_a_whole_turn_is_what_was_parsed(
    replay: Replay, api: str, client: Client, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay.body = recorded(api, TURN)
    monkeypatch.setattr(replay, "step", step)
    made = client(f"http://127.0.0.1:{replay.server_port}")
    assert [(name, as_object(arguments)) for name, arguments in made.calls] == [
        (name, json.loads(arguments)) for name, arguments in calls(WHOLE)
    ]
    assert made.content == WHOLE.content
    assert made.reasoning in (WHOLE.reasoning, None)
    assert made.finish in RUN_THEM
    assert made.usage == (10, 20)


RAISES, NO_JSON, REPAIRS = "raises", "no JSON", "repairs"
BROKEN: dict[Client, str] = {
    openai_chat: RAISES,
    langchain_chat: REPAIRS,
    pydantic_ai_chat: NO_JSON,
    ai_sdk_chat: NO_JSON,
    openai_responses: RAISES,
    langchain_responses: REPAIRS,
    pydantic_ai_responses: NO_JSON,
    ai_sdk_responses: NO_JSON,
    anthropic_messages: REPAIRS,
    langchain_messages: REPAIRS,
    pydantic_ai_messages: NO_JSON,
    ai_sdk_messages: NO_JSON,
}


@pytest.mark.parametrize("text", [CUT_TURN, BARE_START])
@pytest.mark.parametrize(("api", "client"), CLIENTS)
def test_no_client_runs_a_broken_call(replay: Replay, api: str, client: Client, text: str) -> None:
    replay.body = recorded(api, text)
    url = f"http://127.0.0.1:{replay.server_port}"
    if BROKEN[client] == RAISES:
        with pytest.raises(Exception, match=r"length limit was reached|response\.completed"):
            client(url)
        return
    made = client(url)
    assert made.finish not in RUN_THEM
    ((name, arguments),) = made.calls
    assert name == "get_weather"
    if BROKEN[client] == NO_JSON:
        with pytest.raises(ValueError, match=r"property name|Unterminated"):
            json.loads(arguments)
    else:
        assert isinstance(arguments, dict)


@pytest.mark.parametrize(("api", "client"), CLIENTS)
def test_a_broken_call_as_an_error_reaches_every_client(replay: Replay, api: str, client: Client) -> None:
    replay.body = recorded(api, CUT_TURN, "error")
    url = f"http://127.0.0.1:{replay.server_port}"
    with pytest.raises(Exception, match=r"ended in an error|response\.completed"):
        client(url)


@pytest.mark.parametrize("text", [TURN, CUT_TURN, BARE_START])
@pytest.mark.parametrize("api", list(STREAMS))
def test_every_event_has_the_sdk_s_own_type(api: str, text: str) -> None:
    pydantic = pytest.importorskip("pydantic")
    types: Any = pytest.importorskip("anthropic.types" if api == "messages" else f"openai.types.{api}")
    names = {"chat": "ChatCompletionChunk", "responses": "ResponseStreamEvent", "messages": "RawMessageStreamEvent"}
    adapter = pydantic.TypeAdapter(getattr(types, names[api]))
    checked = 0
    for line in recorded(api, text).split(b"\n"):
        if line.startswith(b"data: {"):
            adapter.validate_python(json.loads(line[6:]), strict=True)
            checked += 1
    assert checked > 40


@pytest.mark.parametrize("api", list(STREAMS))
@pytest.mark.parametrize("text", [TURN, CUT_TURN])
def test_every_body_has_the_sdk_s_own_type(api: str, text: str) -> None:
    pydantic = pytest.importorskip("pydantic")
    types: Any = pytest.importorskip("anthropic.types" if api == "messages" else f"openai.types.{api}")
    names = {"chat": "ChatCompletion", "responses": "Response", "messages": "Message"}
    stream = STREAMS[api](StreamParser("hermes", tools=TOOLS), model="m")
    stream.feed(text)
    stream.finish("stop", USAGE)
    whole = pydantic.TypeAdapter(getattr(types, names[api])).validate_python(stream.body(), strict=True)
    assert whole.id == stream.body()["id"]
