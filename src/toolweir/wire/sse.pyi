from typing import Any

__all__ = ["encode"]

def encode(frame: dict[str, Any], named: bool) -> bytes: ...
