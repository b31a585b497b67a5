from typing import Any

from typing_extensions import Buffer

from .formats import Format
from .message import Message
from .parser import StreamParser

__all__ = ["parse", "read_whole"]

def parse(text: str | Buffer, format: str | Format, *, finish: str | None = "stop", **options: Any) -> Message: ...
def read_whole(parser: StreamParser, text: str | Buffer, finish: str | None, /) -> Message: ...
