"""The dispatcher's rules once more, as plainly as they can be said: one dict a call, all of it looked at each time.

It is slow on purpose. Tests hold the real one against it.
"""

import json
import re

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SPACE = " \t\n\r"


def strict_json(text):
    def refuse(constant):
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse, parse_int=str, parse_float=str)
    except ValueError:
        return False
    return not text.startswith("\ufeff")


def edge(text):
    """open, closed, malformed or scalar: where the brackets outside strings say that the text stands."""
    depth, in_string, escape, started, closed = 0, False, False, False, False
    for char in text:
        if in_string:
            if escape:
                escape = False
            elif char == "\\":
                escape = True
            elif char == '"':
                in_string = False
            continue
        if char in SPACE:
            continue
        if closed:
            return "malformed"
        if not started and char not in "{}[]":
            return "scalar"
        started = True
        if char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            if depth == 0:
                return "malformed"
            depth -= 1
            closed = depth == 0
    return "closed" if closed else "open"


class Model:
    def __init__(self):
        self.calls = {}  # (choice, index) -> dict
        self.warnings = 0
        self.out = []

    def observe(self, chunk):
        before = len(self.out)
        for choice in chunk["choices"]:
            for fragment in choice["delta"].get("tool_calls") or ():
                self.fragment(choice["index"], fragment)
            if choice.get("finish_reason"):
                self.finish(choice["index"], choice["finish_reason"])
        return self.out[before:]

    def fragment(self, choice, fragment):
        key = (choice, fragment["index"])
        call = self.calls.setdefault(
            key, {"state": "accumulating", "id": None, "type": None, "name": None, "arguments": None}
        )
        function = fragment.get("function") or {}
        said = {"id": fragment.get("id"), "type": fragment.get("type"), "name": function.get("name")}
        arguments = function.get("arguments")
        if call["state"] == "emitted":
            if {**said, "arguments": arguments} != {k: call[k] for k in ("id", "type", "name", "arguments")}:
                self.warnings += 1
            return
        if call["state"] == "invalid":
            return
        conflict = any(value and call[field] and value != call[field] for field, value in said.items())
        for field, value in said.items():
            call[field] = call[field] or value or None
        if arguments is not None:
            call["arguments"] = (call["arguments"] or "") + arguments
        if conflict:
            self.drop(call, "identity_conflict", True)
            return
        where = edge(call["arguments"] or "")
        if where == "malformed":
            self.drop(call, "malformed", True)
        elif where == "closed":
            if not strict_json(call["arguments"]):
                self.drop(call, "not_json", True)
            elif call["id"] and call["name"]:
                self.emit(key, call)

    def finish(self, choice, reason):
        for key in sorted(key for key in self.calls if key[0] == choice):
            call = self.calls[key]
            if call["state"] != "accumulating":
                continue
            text = call["arguments"]
            if reason not in ("tool_calls", "stop"):
                self.drop(call, "finish:" + reason, False)
            elif text and not strict_json(text):
                self.drop(call, "not_json" if edge(text) == "scalar" else "incomplete", True)
            elif not (call["id"] and call["name"]):
                self.drop(call, "no_identity", False)
            else:
                self.emit(key, call)

    def drop(self, call, reason, warn):
        call.update(state="invalid", reason=reason)
        self.warnings += warn

    def emit(self, key, call):
        call["state"] = "emitted"
        self.out.append((*key, call["id"], call["type"], call["name"], call["arguments"]))
