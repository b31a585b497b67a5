from collections.abc import Iterable

from .parameter import ParameterReader

class TaggedReader(ParameterReader):
    def __init__(
        self,
        *,
        marker: str,
        wrapped: bool,
        function: str,
        function_end: str,
        parameter: str,
        parameter_end: str,
        wrapper_ends: Iterable[str] = (),
        markup: Iterable[str] = (),
        bare_names: bool = False,
        tag_end: str = ">",
        key_end: str = "",
        type_opener: str = "",
        type_end: str = "",
        value_opener: str = "",
        quoted_value: tuple[str, str] = ("", ""),
        verbatim_attribute: str = "",
        verbatim_value: str = "true",
        function_closer_needed: bool = False,
        value_whitespace: str = "keep",
        prefer: str = "typed",
        integers: str = "written",
        argument_style: str = "compact",
        stream_values: bool = False,
    ) -> None: ...
