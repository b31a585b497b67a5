from .readers.turn import Turn

AFTER_END_OF_TURN_WARNING: str

class Text(Turn): ...
