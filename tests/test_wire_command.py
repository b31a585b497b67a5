"""`toolweir stream --as`: the view that writes server-sent events."""

from pathlib import Path
from typing import Any

import pytest
from wire_reading import TURN, add_up_chat, add_up_messages, add_up_response, frames

from toolweir import StreamParser
from toolweir.cli import main
from toolweir.commands.stream import APIS as WORDS
from toolweir.wire.command import APIS, WireView

ADD_UP = {"chat": add_up_chat, "responses": add_up_response, "messages": add_up_messages}


@pytest.mark.parametrize("api", list(APIS))
def test_the_view_writes_what_a_server_sends(api: str, capfdbinary: Any) -> None:
    parser = StreamParser("hermes")
    view = WireView(api, "m")
    for character in TURN:
        view.show(character, parser.feed(character), parser)
    view.show("", parser.finish("stop"), parser)
    view.close(parser)
    message = ADD_UP[api](frames(capfdbinary.readouterr().out))
    assert message["model"] == "m"
    assert "get_weather" in str(message)


def test_what_is_broken_off_has_no_end(capfdbinary: Any) -> None:
    parser = StreamParser("hermes")
    view = WireView("chat")
    view.show("Hello", parser.feed("Hello"), parser)
    view.close(parser)
    assert b"[DONE]" not in capfdbinary.readouterr().out


@pytest.mark.parametrize("api", list(APIS))
def test_the_command(api: str, tmp_path: Path, capfdbinary: Any) -> None:
    file = tmp_path / "turn.txt"
    file.write_text(TURN, encoding="utf-8")
    assert main(["stream", str(file), "--format", "hermes", "--as", api]) == 0
    assert "get_weather" in str(ADD_UP[api](frames(capfdbinary.readouterr().out)))


def test_the_command_knows_every_api() -> None:
    assert set(WORDS) == set(APIS)
