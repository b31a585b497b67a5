"""Finish reasons: the words engines use, what they mean, and what a turn ends with."""

__all__ = ["ENGINE_WORDS", "engine_reason", "finish_reason"]

ENGINE_WORDS: dict[str, str] = {
    **dict.fromkeys(
        ("", "stop", "stopped", "eos", "eos_token", "eos_token_id", "end_turn", "end", "stop_str", "stop_string",
         "stop_token", "stop_sequence", "complete", "completed", "finished", "tool_calls", "tool_call", "tool_use",
         "function_call"),
        "stop",
    ),
    **dict.fromkeys(
        ("length", "limit", "max_length", "max_tokens", "max_new_tokens", "max_output_tokens", "token_limit",
         "model_length", "model_context_window_exceeded", "abort", "aborted", "cancel", "cancelled", "canceled",
         "timeout"),
        "length",
    ),
    **dict.fromkeys(("content_filter", "content_filtered", "refusal", "safety"), "content_filter"),
    **dict.fromkeys(("error", "failed"), "error"),
}  # fmt: skip
"""An aborted generation was cut off like one at its token limit: its calls are not to be run."""


def engine_reason(word: str | None) -> str:
    """The OpenAI word for an engine's finish reason; a word that is not known stays."""
    if word is None:
        return "stop"
    plain = word.strip().lower()
    return ENGINE_WORDS.get(plain, word)


def finish_reason(word: str | None, *, sent: int, broken: int, stopped: bool, on_broken_call: str) -> str:
    """What the turn ends with.

    `sent` and `broken` count started calls and those of them that are not complete; `stopped` tells that the text
    itself ended the turn (a stop string, an end of turn), whatever made the engine cease.
    """
    reason = "stop" if stopped else engine_reason(word)
    if reason != "stop":
        return reason
    if broken:
        return on_broken_call
    return "tool_calls" if sent else "stop"
