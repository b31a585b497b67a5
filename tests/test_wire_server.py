"""examples/server.py over real HTTP, read by the SDKs that people use."""

import asyncio
import importlib.util
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from wire_reading import TOOLS, TURN, calls

from toolweir import parse

openai: Any = pytest.importorskip("openai")
anthropic: Any = pytest.importorskip("anthropic")
httpx: Any = pytest.importorskip("httpx")
uvicorn: Any = pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

pytestmark = pytest.mark.filterwarnings("ignore")

ANTHROPIC_TOOLS = [{"name": tool["function"]["name"], "input_schema": {"type": "object"}} for tool in TOOLS]
RESPONSES_TOOLS = [{"type": "function", "strict": None, **tool["function"]} for tool in TOOLS]
ASK = [{"role": "user", "content": "What is the weather?"}]
WHOLE = parse(TURN, "hermes", tools=TOOLS)
CALLS = calls(WHOLE)
INPUTS = [(name, json.loads(arguments)) for name, arguments in CALLS]
PATIENCE = 30.0  # seconds until a test that waits gives up


def load_example() -> Any:
    path = Path(__file__).parent.parent / "examples" / "server.py"
    spec = importlib.util.spec_from_file_location("example_server", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


class Served:
    """The example, running in a thread; `model` may be changed between requests."""

    def __init__(self) -> None:
        example = load_example()
        self.model = example.Model(TURN, rate=1e6)
        config = uvicorn.Config(example.make_app(self.model), port=0, log_level="error", lifespan="off")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        self.wait(lambda: self.server.started)
        self.url = f"http://127.0.0.1:{self.server.servers[0].sockets[0].getsockname()[1]}"

    @staticmethod
    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            time.sleep(0.005)

    def openai(self) -> Any:
        return openai.OpenAI(base_url=f"{self.url}/v1", api_key="x", max_retries=0)

    def anthropic(self) -> Any:
        return anthropic.Anthropic(base_url=self.url, api_key="x", max_retries=0)


@pytest.fixture(scope="module")
def running() -> Iterator[Served]:
    served = Served()
    yield served
    served.server.should_exit = True
    served.thread.join(PATIENCE)


@pytest.fixture
def served(running: Served) -> Served:
    running.model.text, running.model.rate = TURN, 1e6
    return running


def functions(message: Any) -> list[tuple[str, str]]:
    return [(call.function.name, call.function.arguments) for call in message.tool_calls]


def test_chat_streaming(served: Served) -> None:
    arguments: dict[str, Any] = {"model": "m", "messages": ASK, "tools": TOOLS, "n": 2}
    with served.openai().chat.completions.stream(**arguments, stream_options={"include_usage": True}) as stream:
        for _ in stream:
            pass
        final = stream.get_final_completion()
    assert len(final.choices) == 2
    for choice in final.choices:
        assert choice.message.content == WHOLE.content
        assert choice.message.reasoning_content == WHOLE.reasoning
        assert functions(choice.message) == CALLS
        assert choice.finish_reason == "tool_calls"
    assert final.usage is not None
    assert final.usage.total_tokens > 20


def test_chat_whole(served: Served) -> None:
    final = served.openai().chat.completions.create(model="m", messages=ASK, tools=TOOLS)
    (choice,) = final.choices
    assert choice.message.content == WHOLE.content
    assert functions(choice.message) == CALLS
    assert choice.finish_reason == "tool_calls"


def check_response(final: Any) -> None:
    text = "".join(part.text for item in final.output if item.type == "message" for part in item.content)
    assert text == WHOLE.content
    assert [(item.name, item.arguments) for item in final.output if item.type == "function_call"] == CALLS
    assert final.output[0].summary[0].text == WHOLE.reasoning
    assert final.status == "completed"


def test_responses_streaming(served: Served) -> None:
    with served.openai().responses.stream(model="m", input="hi", tools=RESPONSES_TOOLS) as stream:
        for _ in stream:
            pass
        check_response(stream.get_final_response())


def test_responses_whole(served: Served) -> None:
    check_response(served.openai().responses.create(model="m", input="hi", tools=RESPONSES_TOOLS))


def check_message(final: Any) -> None:
    text = "".join(block.text for block in final.content if block.type == "text")
    assert text == WHOLE.content
    assert final.content[0].thinking == WHOLE.reasoning
    assert [(block.name, block.input) for block in final.content if block.type == "tool_use"] == INPUTS
    assert final.stop_reason == "tool_use"
    assert final.usage.output_tokens > 20


def test_messages_streaming(served: Served) -> None:
    arguments: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": ASK, "tools": ANTHROPIC_TOOLS}
    with served.anthropic().messages.stream(**arguments) as stream:
        for _ in stream:
            pass
        check_message(stream.get_final_message())


def test_messages_whole(served: Served) -> None:
    arguments: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": ASK, "tools": ANTHROPIC_TOOLS}
    check_message(served.anthropic().messages.create(**arguments))


def test_a_wrong_request_is_refused(served: Served) -> None:
    with pytest.raises(openai.BadRequestError, match="not among the declared tools"):
        served.openai().chat.completions.create(
            model="m", messages=ASK, tools=TOOLS, tool_choice={"type": "function", "function": {"name": "nobody"}}
        )


def test_a_model_that_fails_is_told(served: Served) -> None:
    served.model.rate = 0
    with pytest.raises(openai.APIError, match="the model failed"):
        for _ in served.openai().chat.completions.create(model="m", messages=ASK, stream=True):
            pass


BODIES = {
    "/v1/chat/completions": {"model": "m", "messages": ASK, "tools": TOOLS, "stream": True},
    "/v1/responses": {"model": "m", "input": "hi", "tools": RESPONSES_TOOLS, "stream": True},
    "/v1/messages": {"model": "m", "max_tokens": 9, "messages": ASK, "tools": ANTHROPIC_TOOLS, "stream": True},
}


@pytest.mark.parametrize("path", list(BODIES))
def test_a_client_that_goes_away_in_the_middle_of_a_call(served: Served, path: str) -> None:
    served.model.rate = 500
    served.model.text = TURN.replace("rich", "rich " * 20_000)
    with httpx.Client() as client, client.stream("POST", served.url + path, json=BODIES[path]) as answer:
        seen = ""
        for text in answer.iter_text():
            seen += text
            running = served.model.running
            if seen.count("rich") > 3:
                break
    assert "get_weather" in seen
    assert running == 1
    served.wait(lambda: served.model.running == 0)
    served.model.text, served.model.rate = TURN, 1e6
    test_chat_whole(served)


def test_a_hundred_clients_at_once(served: Served) -> None:
    served.model.rate = 200

    async def one(client: Any, path: str) -> str:
        answer = await client.post(served.url + path, json=BODIES[path])
        assert answer.status_code == 200
        return answer.text

    async def all_of_them() -> list[str]:
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(limits=limits, timeout=PATIENCE) as client:
            paths = [list(BODIES)[number % len(BODIES)] for number in range(100)]
            return await asyncio.gather(*(one(client, path) for path in paths))

    answers = asyncio.run(all_of_them())
    assert len(answers) == 100
    ends = ("data: [DONE]\n\n", "event: response.completed\n", "event: message_stop\n")
    for number, answer in enumerate(answers):
        assert ends[number % 3] in answer
        assert answer.count("get_weather") >= 1
    assert served.model.running == 0
