"""Plans by (format, options): compiled on first use, then shared by all parsers that ask for the same."""

from collections.abc import Callable
from typing import Any

from .errors import OptionError
from .formats import Format
from .readers.channels import ChannelsReader
from .readers.elements import ElementsReader
from .readers.header_json import HeaderJsonReader
from .readers.json_object import JsonObjectReader
from .readers.literals import LiteralsReader
from .readers.plan import Plan
from .readers.tagged import TaggedReader
from .readers.turn import Reader

__all__ = ["READERS", "plan_for"]

READERS: dict[str, Callable[..., Reader]] = {
    "json_object": JsonObjectReader,
    "header_json": HeaderJsonReader,
    "tagged": TaggedReader,
    "literals": LiteralsReader,
    "channels": ChannelsReader,
    "elements": ElementsReader,
}
"""Reader families by the name that a format's openers use."""

MOST_PLANS = 256
"""Plans kept; stop strings and chosen names come from requests and must not pile up."""

_plans: dict[tuple[Any, ...], Plan] = {}


def plan_for(
    format: Format,
    *,
    calls: bool,
    guided: bool,
    chosen: str | None,
    reasoning: str,
    calls_in_reasoning: bool | None,
    ids: str,
    stop: tuple[str, ...],
    value_whitespace: str | None,
    argument_style: str,
    stream_values: bool,
) -> Plan:
    """The plan of these options. Raises OptionError if the stop strings do not fit into one automaton."""
    named = chosen if guided else None
    values: dict[str, Any] = {"argument_style": argument_style, "stream_values": stream_values}
    if value_whitespace is not None:
        values["value_whitespace"] = value_whitespace
    key = (id(format), calls, guided, named, reasoning, calls_in_reasoning, ids, stop, *values.items())
    plan = _plans.get(key)
    if plan is None:
        if len(_plans) >= MOST_PLANS:
            _plans.clear()
        plan = _plans[key] = _compile(format, calls, guided, named, reasoning, calls_in_reasoning, ids, stop, values)
    return plan


def _compile(
    format: Format,
    calls: bool,
    guided: bool,
    named: str | None,
    reasoning: str,
    calls_in_reasoning: bool | None,
    ids: str,
    stop: tuple[str, ...],
    values: dict[str, Any],
) -> Plan:
    readers: list[Reader] = [JsonObjectReader(chosen=named)] if guided else []
    policy = {**values, "calls": calls, "thinking": reasoning != "off"}
    for opener in format.openers:
        if opener.reader not in READERS:
            raise OptionError(f"format {format.name!r}: no reader {opener.reader!r}")
        options = dict(opener.options)
        native = ids == "native" or (ids == "auto" and options.get("native_ids", False))
        readers.append(READERS[opener.reader](**{**options, **policy, "native_ids": native, "marker": opener.marker}))
    try:
        return Plan(
            format,
            tuple(readers),
            calls=calls,
            guided=guided,
            reasoning=reasoning,
            calls_in_reasoning=format.calls_in_reasoning if calls_in_reasoning is None else calls_in_reasoning,
            stop=stop,
        )
    except ValueError as error:
        raise OptionError(f"stop: {error}") from error
