"""Draws docs/timeline.svg, the picture of the README: `python docs/draw_timeline.py`; with --check it only compares.

One call, seen by a client twice: as toolweir streams it, and as it comes out of a parser that waits for its end. What
is drawn is measured: the recording examples/write_file.txt goes through the parser token by token, and what was there
after each token is noted. Only the pace is given, RATE, so that the picture is the same on every machine. Exit status 1
if --check finds another picture.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

from toolweir import ArgumentsDelta, ContentDelta, StreamParser, ToolCallEnd, ToolCallStart
from toolweir.commands.reading import read_tools
from toolweir.commands.recording import TOKEN, read_tokens

HERE = Path(__file__).parent
PICTURE = HERE / "timeline.svg"
RECORDING = HERE.parent / "examples"

RATE = 90.0
"""Tokens a second."""

WIDTH, LANE, GAP, LEFT, TOP = 820, 92, 58, 24, 44
"""Sizes in pixels: the picture, the height of a lane, the space between two, the edges."""

STYLE = """
  .paper { fill: #ffffff } .ink { fill: #1f2328 } .dim { fill: #59636e } .line { stroke: #d1d9e0 }
  .content { fill: #8250df } .arguments { fill: #2da44e } .wait { stroke: #cf222e; stroke-dasharray: 3 4 }
  text { font: 13px system-ui, sans-serif } .title { font-weight: 600; font-size: 15px }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 } .ink { fill: #f0f6fc } .dim { fill: #9198a1 } .line { stroke: #3d444d }
    .content { fill: #a371f7 } .arguments { fill: #3fb950 } .wait { stroke: #f85149 }
  }
"""


@dataclass(slots=True)
class Timeline:
    """What a client had, and when: times in seconds at RATE, amounts in characters."""

    content: float = 0.0
    """When the last of the content was there."""
    name: float = 0.0
    end: float = 0.0
    arguments: list[tuple[float, int]] = field(default_factory=list)
    """After each piece of the arguments: when, and how much in all."""


def measure() -> Timeline:
    """The recording's timeline."""
    parser = StreamParser("hermes", tools=read_tools(str(RECORDING / "write_file_tools.json")))
    found = Timeline()
    total = 0
    for token in read_tokens(str(RECORDING / "write_file.txt")):
        for event in parser.feed(token.text):
            now = parser.offset / (TOKEN * RATE)
            match event:
                case ContentDelta():
                    found.content = now
                case ToolCallStart():
                    found.name = now
                case ArgumentsDelta(_, text):
                    total += len(text)
                    found.arguments.append((now, total))
                case ToolCallEnd():
                    found.end = now
    return found


def picture(line: Timeline) -> str:
    """The timeline as SVG."""
    span = line.end * 1.08
    total = line.arguments[-1][1]

    def x(seconds: float) -> float:
        return round(LEFT + seconds / span * (WIDTH - 2 * LEFT), 1)

    def lane(number: int, title: str, name: float, first: float) -> list[str]:
        top = TOP + number * (LANE + GAP)
        base = top + LANE
        said = f'<tspan class="dim">name after {name:.1f} s, first piece of the arguments after {first:.1f} s</tspan>'
        return [
            f'<text class="ink title" x="{LEFT}" y="{top - 12}">{title} {said}</text>',
            f'<line class="line" x1="{LEFT}" y1="{base}" x2="{WIDTH - LEFT}" y2="{base}"/>',
            f'<rect class="content" x="{LEFT}" y="{base - 12}" width="{x(line.content) - LEFT:.1f}" height="12"/>',
        ]

    def area(steps: list[tuple[float, int]], base: int) -> str:
        # One corner for each pixel that the time has moved on: more would not be seen.
        corners = {round(x(when)): amount for when, amount in steps}
        points = [f"{at},{base - round(amount / total * LANE, 1)}" for at, amount in corners.items()]
        points = [f"{round(x(steps[0][0]))},{base}", *points, f"{x(span)},{base - LANE}", f"{x(span)},{base}"]
        return f'<polygon class="arguments" points="{" ".join(points)}"/>'

    first = line.arguments[0][0]
    bases = [TOP + LANE, TOP + 2 * LANE + GAP]
    middle = bases[1] - LANE // 2
    drawn = lane(0, "With toolweir:", line.name, first)
    drawn += [area(line.arguments, bases[0])]
    drawn += lane(1, "A parser that waits for the call:", line.end, line.end)
    drawn += [
        area([(line.end, total)], bases[1]),
        f'<line class="wait" x1="{x(line.content)}" y1="{middle}" x2="{x(line.end)}" y2="{middle}"/>',
        f'<text class="dim" x="{x(line.end / 2)}" y="{middle - 8}" text-anchor="middle">'
        f"nothing to see for {line.end - line.content:.1f} s</text>",
    ]
    foot = bases[1]
    for second in range(0, int(span) + 1, 5):
        drawn += [
            f'<line class="line" x1="{x(second)}" y1="{foot}" x2="{x(second)}" y2="{foot + 5}"/>',
            f'<text class="dim" x="{x(second)}" y="{foot + 20}" text-anchor="middle">{second} s</text>',
        ]
    height = foot + 58
    drawn += [
        f'<rect class="content" x="{LEFT}" y="{height - 23}" width="12" height="12"/>',
        f'<text class="ink" x="{LEFT + 18}" y="{height - 12}">text before the call</text>',
        f'<rect class="arguments" x="{LEFT + 160}" y="{height - 23}" width="12" height="12"/>',
        f'<text class="ink" x="{LEFT + 178}" y="{height - 12}">arguments that the client has, of {total:,} characters'
        f"; the model writes {RATE:g} tokens a second</text>",
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">'
    told = f"With toolweir the arguments begin after {first:.1f} s, without after {line.end:.1f} s."
    body = [f"<title>{told}</title>", f"<style>{STYLE}</style>"]
    body += [f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>', *drawn]
    return "\n".join([head, *body, "</svg>\n"])


def main() -> int:
    """Write the picture, or compare it."""
    drawn = picture(measure())
    if "--check" in sys.argv:
        same = PICTURE.exists() and PICTURE.read_text("utf-8") == drawn
        print("up to date" if same else f"{PICTURE.name} is not up to date; run docs/draw_timeline.py")
        return 0 if same else 1
    PICTURE.write_text(drawn, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
