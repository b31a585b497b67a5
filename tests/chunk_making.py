"""Chunks of a Chat Completions stream for the tests of the dispatcher, and what becomes of them."""

from toolweir.dispatch.dispatcher import ToolCallDispatcher


def chunk(*fragments, finish=None, choice=0):
    delta = {"tool_calls": list(fragments)} if fragments else {}
    return {"object": "chat.completion.chunk", "choices": [{"index": choice, "delta": delta, "finish_reason": finish}]}


def fragment(arguments=None, name=None, id=None, index=0, type=None):
    entry = {"index": index}
    if id is not None:
        entry |= {"id": id, "type": "function"}
    if type is not None:
        entry["type"] = type
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return entry | ({"function": function} if function else {})


def opener(arguments=None, index=0):
    return fragment(arguments, "f", f"call_{index}", index)


def run(*chunks, **options):
    """(chunk number, index, arguments) of every call that came out, and the dispatcher."""
    dispatcher, out = ToolCallDispatcher(**options), []
    for number, each in enumerate(chunks):
        out += [(number, call.index, call.arguments) for call in dispatcher.observe(each)]
    return out, dispatcher


def reason(dispatcher, index=0, choice=0):
    return dispatcher.report(choice, index).reason
