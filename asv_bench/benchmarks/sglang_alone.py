"""SGLang's detectors without the stack around them: its wheel, no torch, no GPU.

`make bench` puts the wheel into a folder of its own, FOLDER, since it wants a hundred others, some of them in another
version. A detector itself needs pydantic, orjson, openai, msgspec and partial-json-parser; only the package's __init__
and a few helpers want more. So the package is entered past its __init__, and what the helpers import, and no detector
calls, is stood in for while they are imported.
"""

import sys
from importlib import import_module
from importlib.metadata import distributions
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

__all__ = ["DETECTORS", "detector", "version"]

FOLDER = Path(sys.prefix) / "peers"

IDLE = ("IPython", "IPython.display", "numpy", "pybase64", "requests", "tqdm")
"""What sglang.utils imports and no detector calls."""

DETECTORS = {
    "apertus": "apertus2509_detector.Apertus2509Detector",
    "command_a": "cohere_command4_detector.CohereCommand4Detector",
    "deepseek_v3": "deepseekv3_detector.DeepSeekV3Detector",
    "deepseek_v31": "deepseekv31_detector.DeepSeekV31Detector",
    "deepseek_v32": "deepseekv32_detector.DeepSeekV32Detector",
    "deepseek_v4": "deepseekv4_detector.DeepSeekV4Detector",
    "deepseek_v41": "deepseekv41_detector.DeepSeekV41Detector",
    "dots": "dots_detector.DotsToolDetector",
    "gemma4": "gemma4_detector.Gemma4Detector",
    "gigachat3": "gigachat3_detector.GigaChat3Detector",
    "glm47": "glm47_moe_detector.Glm47MoeDetector",
    "harmony": "gpt_oss_detector.GptOssDetector",
    "hermes": "hermes_detector.HermesDetector",
    "hy_v3": "hunyuan_detector.HunyuanDetector",
    "iquest": "iquest_q1_detector.IQuestQ1Detector",
    "k2_horizon": "k2_v3_detector.K2V3Detector",
    "kimi_k2": "kimik2_detector.KimiK2Detector",
    "lfm2": "lfm2_detector.Lfm2Detector",
    "ling3": "ling3_detector.Ling3Detector",
    "llama3_json": "llama32_detector.Llama32Detector",
    "llama4_pythonic": "pythonic_detector.PythonicDetector",
    "mimo": "mimo_detector.MiMoDetector",
    "minicpm5": "minicpm5_detector.MiniCPM5Detector",
    "minimax_m2": "minimax_m2.MinimaxM2Detector",
    "minimax_m3": "minimax_m3.MinimaxM3Detector",
    "mistral": "mistral_detector.MistralDetector",
    "qwen3_coder": "qwen3_coder_detector.Qwen3CoderDetector",
}
"""toolweir's name of a format: SGLang 0.5.23's module and class. Those that want xgrammar are not here."""


def enter() -> None:
    """Makes `sglang.srt...` importable. Raises ImportError where the wheel is not installed."""
    if "sglang" in sys.modules:
        return
    if not (FOLDER / "sglang").is_dir():
        raise ImportError(f"no sglang in {FOLDER}")
    package = ModuleType("sglang")
    package.__path__ = [str(FOLDER / "sglang")]
    sys.modules["sglang"] = package
    standing_in = [name for name in IDLE if name not in sys.modules]
    sys.modules.update({name: MagicMock() for name in standing_in})
    try:
        import_module("sglang.utils")
    finally:
        for name in standing_in:
            del sys.modules[name]


def version() -> str | None:
    """The version of the wheel, None where there is none."""
    return next((found.version for found in distributions(name="sglang", path=[str(FOLDER)])), None)


def detector(format: str, tool: dict[str, Any]) -> tuple[Any, Any]:
    """The detector of a format, new, and the tool in SGLang's own words."""
    enter()
    protocol = import_module("sglang.srt.entrypoints.openai.protocol")
    module, name = DETECTORS[format].split(".")
    made = getattr(import_module(f"sglang.srt.function_call.{module}"), name)()
    return made, protocol.Tool(type="function", function=protocol.Function(**tool))
