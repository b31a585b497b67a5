"""What keeps a command from running: the user's mistake, told in one line."""

__all__ = ["Problem"]


class Problem(Exception):
    """Its text names the place and says what was expected."""
