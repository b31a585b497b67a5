from .literal_string import LiteralStringReader

class LiteralsReader(LiteralStringReader):
    def __init__(
        self,
        *,
        bracketed: bool = False,
        braces: bool = False,
        lead: str = "",
        delimiter: str = "",
        delimiter_text: str = "",
        block_end: str = "",
        json: bool = False,
        argument_style: str = "compact",
    ) -> None: ...
