"""The demo ends by itself, without a terminal too, and says how early the arguments came."""

import re
import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parent.parent / "examples" / "demo.py"


def test_demo_says_how_early_the_first_fragment_came() -> None:
    done = subprocess.run([sys.executable, DEMO, "20000"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    first, last, early = (
        int(number.replace(",", "")) for number in re.findall(r"([\d,]+) characters", done.stdout)[-3:]
    )
    assert last - first == early
    assert first < 400
    assert last > 7000
    assert '"finish_reason": "tool_calls"' in done.stdout
