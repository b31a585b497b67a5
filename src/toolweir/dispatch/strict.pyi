__all__ = ["is_json"]

def is_json(text: str) -> bool:
    """Whether `text` is one JSON value, with or without whitespace around it. Lone surrogates are plain text."""
