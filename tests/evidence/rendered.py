"""Parses what chat templates render and compares it with the message that was rendered.

    python tests/evidence/rendered.py FOLDER [--only TEXT] [--cuts precut.jsonl]

FOLDER holds one JSON file a template: its `scenarios` map a name to `emitted` (the assistant's turn as the template
writes it), `prompt_tail` (the end of the prompt before it), the `message`, and `how` exactly the two fit together.
Nothing is rendered here. Each text is read whole, by character, by byte and, where the file of cuts knows it, where
real tokens end; all must give the message's content, reasoning and calls, outer whitespace aside. What the template
left out is not expected. Prints a rate a template and every failure.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import toolweir

READABLE = ("exact", "with_header", "common_prefix")
"""Texts that continue the prompt; others lack the call or were not rendered."""

FORMATS = (
    (r"Kimi-K2", "kimi_k2"),
    (r"Kimi-K3", "kimi_k3"),
    (r"DeepSeek-V3\.1$", "deepseek_v31"),
    (r"DeepSeek-V3\.2", "deepseek_v32"),
    (r"DeepSeek-V4", "deepseek_v4"),
    (r"deepseek", "deepseek_v3"),
    (r"DeepSeek-R1", "deepseek_v3"),
    (r"Cohere2MoE|command-r7b|cohere2", "command_a"),
    (r"command-r-plus|trl__cohere", "command_r"),
    (r"Apertus", "apertus"),
    (r"GigaChat", "gigachat3"),
    (r"Nemotron-Nano-v2", "nemotron_deci"),
    (r"(?i)nemotron", "qwen3_coder"),
    (r"granite_20b", "granite_20b_fc"),
    (r"granite-4", "granite4"),
    (r"granite", "granite"),
    (r"Apriel", "apriel"),
    (r"functionary-medium-v3\.1", "functionary_v31"),
    (r"functionary-medium-v3\.2", "functionary_v32"),
    (r"internlm2", "internlm2"),
    (r"phi4_mini", "phi4_mini_json"),
    (r"MiniMax-M1", "minimax_m1"),
    (r"MiniMax-M2", "minimax_m2"),
    (r"MiniMax-M3", "minimax_m3"),
    (r"firefunction", "firefunction_v2"),
    (r"(?i)hermes", "hermes"),
    (r"(?i)mistral|devstral|ministral|magistral", "mistral"),
    (r"(?i)llama.?3.*pythonic|toolace", "pythonic"),
    (r"(?i)llama4.*pythonic", "llama4_pythonic"),
    (r"(?i)llama.?3|llama4_json", "llama3_json"),
    (r"Seed-OSS", "seed_oss"),
    (r"GLM-4\.6|glm4moe|Laguna|Spark", "glm47"),
    (r"GLM", "glm47"),
    (r"ling-3", "ling3"),
    (r"Step-3|StepFun", "qwen3_coder"),
    (r"(?i)qwen3[._]?5|qwen3_6|qwen3_8|qwen38|Qwen3-Coder", "qwen3_coder"),
    (r"(?i)qwen|qwq|MiMo-VL|Bielik|smollm3", "hermes"),
    (r"(?i)gpt-?oss", "harmony"),
    (r"(?i)glimmer", "muse_glimmer"),
    (r"gemma-?4|diffusion_gemma", "gemma4"),
    (r"(?i)lfm2", "lfm2"),
    (r"MiniCPM5", "minicpm5"),
    (r"Hy3", "hy_v3"),
)
"""A template's file name and the format of its model; the first that is found counts."""


def format_of(template: str) -> str | None:
    return next((name for pattern, name in FORMATS if re.search(pattern, template)), None)


def turn_of(scenario: dict[str, Any]) -> tuple[str, str]:
    """The text that the model writes, and the prompt before it."""
    emitted, prompt = scenario["emitted"], scenario["prompt_tail"]
    if scenario["how"] == "with_header":  # the turn's header is rendered again
        for end in reversed([match.end() for match in re.finditer(r"[>:\n]", emitted)]):
            at = prompt.rfind(emitted[:end])
            if at >= 0:
                return emitted[end:], prompt[: at + end]
    return emitted, prompt


def opened(format: str, prompt: str) -> bool:
    """Did the prompt open the thought?"""
    return any(prompt.rstrip().endswith(opener) for opener, _ in toolweir.format_info(format).reasoning_markers)


def cuts_of(text: str, cuts: dict[str, list[int]]) -> Iterator[tuple[str, list[str] | list[bytes]]]:
    yield "whole", [text]
    yield "characters", list(text)
    raw = text.encode()
    yield "bytes", [raw[i : i + 1] for i in range(len(raw))]
    for name, lengths in cuts.items():
        pieces, at = [], 0
        for length in lengths:
            pieces.append(raw[at : at + length])
            at += length
        yield name, [*pieces, raw[at:]]


def read(pieces: list[str] | list[bytes], format: str, tools: Any, started: bool) -> dict[str, Any]:
    parser = toolweir.StreamParser(format, tools=tools, reasoning="started" if started else "auto")
    builder = toolweir.MessageBuilder()
    for event in [event for piece in pieces for event in parser.feed(piece)] + list(parser.finish("stop")):
        builder.add(event)
    message = builder.message
    return {
        "content": (message.content or "").strip(),
        "reasoning": (message.reasoning or "").strip(),
        "calls": [(call.name, json.loads(call.arguments)) for call in message.tool_calls if call.status == "complete"],
    }


def expected(scenario: dict[str, Any]) -> dict[str, Any]:
    def rendered(key: str) -> str:
        text = (scenario["message"].get(key) or "").strip()
        return text if text in scenario["emitted"] else ""

    calls = []
    for call in scenario["message"].get("tool_calls") or ():
        arguments = call["function"]["arguments"]
        calls.append((call["function"]["name"], json.loads(arguments) if isinstance(arguments, str) else arguments))
    return {"content": rendered("content"), "reasoning": rendered("reasoning_content"), "calls": calls}


def differences(scenario: dict[str, Any], format: str, tools: Any, cuts: dict[str, list[int]]) -> Iterator[str]:
    text, prompt = turn_of(scenario)
    if text != scenario["emitted"]:
        cuts = {}
    want = expected(scenario)
    for name, pieces in cuts_of(text, cuts):
        got = read(pieces, format, tools, opened(format, prompt))
        for part, value in got.items():
            if value != want[part]:
                yield f"{name}: {part} {value!r}, expected {want[part]!r}"
                return


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--only", default="", help="templates whose name holds this text")
    arguments.add_argument(
        "--cuts", type=Path, help="a JSONL file: ref, and lists of token lengths in bytes by vocabulary"
    )
    options = arguments.parse_args()
    tools = json.loads((options.folder / "tools.json").read_text("utf-8"))
    cuts = {}
    if options.cuts:
        for line in options.cuts.read_text("utf-8").splitlines():
            row = json.loads(line)
            cuts[row.pop("ref")] = row
    failed = total = 0
    for path in sorted(path for path in options.folder.glob("*.json") if options.only in path.stem):
        format = format_of(path.stem)
        if path.stem == "tools" or format is None or format not in toolweir.formats():
            continue
        scenarios = json.loads(path.read_text("utf-8"))["scenarios"]
        readable = {name: scenario for name, scenario in scenarios.items() if scenario["how"] in READABLE}
        wrong = {}
        for name, scenario in readable.items():
            problem = next(differences(scenario, format, tools, cuts.get(f"{path.stem}#{name}", {})), None)
            if problem:
                wrong[name] = problem
        print(f"{path.stem:60} {format:16} {len(readable) - len(wrong)} / {len(readable)}")
        for name, problem in wrong.items():
            print(f"    {name}: {problem}")
        failed += len(wrong)
        total += len(readable)
    print(f"{total - failed} of {total} texts give their message")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
