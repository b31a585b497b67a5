"""Writes docs/formats/ from the data of the formats: `python docs/generate_formats.py`; with --check it only compares.

Exit status 1 if --check finds a page that is missing, old, or of a format that is gone.
"""

import sys
from pathlib import Path

import toolweir
from toolweir import ArgumentsDelta, FormatInfo

PAGES = Path(__file__).parent / "formats"
BAR = "\\|"

INDEX_HEAD = """# Formats

How models write calls, one page each. `toolweir formats` prints the same from the installed library, and
[adding a format](../adding-a-format.md) tells how to add one.

| format | wire form | models |
|---|---|---|
"""


def page(info: FormatInfo) -> str:
    """The page of one format."""
    lines = [
        f"# {info.name}",
        "",
        words(info.summary),
        "",
        f"    {info.example.replace(chr(10), chr(10) + '    ')}",
        "",
        "is read as",
        "",
        *(f"    {line}" for line in reading(info)),
        "",
        "| | |",
        "|---|---|",
        row("models", info.models, code=False),
        row("other names", info.aliases),
        row("markers of calls", info.markers),
        row("markers of thoughts", [" ... ".join(pair) for pair in info.reasoning_markers]),
        row("special tokens", info.special_tokens),
        row("end of turn", info.end_of_turn),
        f"| engine must keep special tokens | {'yes' if info.keep_special_tokens else 'no'} |",
        f"| calls inside thoughts | {'yes, of declared tools' if info.calls_in_reasoning else 'no'} |",
        "",
    ]
    return "\n".join(lines)


def reading(info: FormatInfo) -> list[str]:
    """What the parser says of the format's example, the arguments in one piece and the minted id left out."""
    tools = [{"name": "get_weather"}]
    message = toolweir.parse(info.example, info.name, tools=tools)
    lines = []
    for call in message.tool_calls:
        lines += [f"ToolCallStart(index={call.index}, name={call.name!r})"]
        lines += [repr(ArgumentsDelta(call.index, call.arguments))] if call.arguments else []
        lines += [f"ToolCallEnd(index={call.index}, status={str(call.status)!r})"]
    return lines


def words(text: str) -> str:
    """Text whose tags are to be seen, not to be taken for HTML; not every Markdown reads a backslash before them."""
    return text.replace("<", "&lt;")


def row(name: str, values: list[str] | tuple[str, ...], *, code: bool = True) -> str:
    """A row of the table; a bar would end its cell."""
    shown = [f"`{value}`" if code else value for value in values]
    return f"| {name} | {', '.join(shown).replace('|', BAR) or 'none'} |"


def pages() -> dict[str, str]:
    """All pages by file name."""
    infos = [toolweir.format_info(name) for name in toolweir.formats()]
    rows = [
        f"| [{info.name}]({info.name}.md) | {words(info.summary).replace('|', BAR)} | {', '.join(info.models)} |\n"
        for info in infos
    ]
    return {"README.md": INDEX_HEAD + "".join(rows)} | {f"{info.name}.md": page(info) for info in infos}


def main() -> int:
    """Write the pages, or compare them."""
    made = pages()
    if "--check" in sys.argv:
        found = {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")}
        wrong = sorted(name for name in made.keys() | found.keys() if made.get(name) != found.get(name))
        print(f"not up to date: {', '.join(wrong)}; run docs/generate_formats.py" if wrong else "up to date")
        return 1 if wrong else 0
    PAGES.mkdir(exist_ok=True)
    for path in PAGES.glob("*.md"):
        path.unlink()
    for name, text in made.items():
        (PAGES / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
