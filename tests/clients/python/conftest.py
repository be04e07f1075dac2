"""The conformance cases and the texts of the spec, read by the platform alone."""

from __future__ import annotations

import json
import os
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

SPECS = Path(__file__).parents[3] / "specs"
LOOP = json.loads((SPECS / "loop.json").read_text(encoding="utf-8"))


def cases(suite: str) -> list[dict[str, Any]]:
    """The cases of a suite, every number exact."""
    text = (SPECS / "conformance" / f"{suite}.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text, parse_float=Written)["cases"]
    assert found, f"{suite} has no cases"
    return found


class Written(Decimal):
    """A number with a point or an exponent, as it is written."""

    def __new__(cls, text: str) -> "Written":
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str


def text(section: str, key: str, **holes: str) -> str:
    """A text with its holes filled, rendered from loop.json."""
    template = LOOP[section]["texts"][key]
    return re.sub(r"\{\{(\w+)\}\}", lambda hole: holes.get(hole[1], ""), template)


def random_calls() -> list[str]:
    """What `random-calls` printed, where HANDSET_RANDOM_CALLS names it."""
    path = os.environ.get("HANDSET_RANDOM_CALLS")
    return Path(path).read_text(encoding="utf-8").splitlines() if path else []
