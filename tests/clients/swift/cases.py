"""The conformance cases and random calls as lines that a test in another language holds itself against, with every
sentence rendered from loop.json and every value in a form that says it exactly: `cases.py RANDOM_CALLS > CASES`.

A value is written so that equal values are equal texts: a text with its length in bytes, a number by its digits and its
power of ten, the members of an object by their keys.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

from conftest import LOOP, Written, cases, text  # noqa: E402


def exact(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f"s{len(value.encode())}:{value}"
    if isinstance(value, (int, Decimal)):
        sign, digits, power = Decimal(value).as_tuple()
        plain = "".join(map(str, digits)).lstrip("0")
        short = plain.rstrip("0")
        if not short:
            return "n0"
        return f"n{'-' if sign else ''}{short}e{int(power) + len(plain) - len(short)}"
    if isinstance(value, list):
        return "[" + "".join(map(exact, value)) + "]"
    members = sorted(value.items(), key=lambda member: member[0].encode())
    return "{" + "".join(exact(key) + exact(member) for key, member in members) + "}"


def written(value: Any) -> str:
    """JSON with every number as the case has it."""
    if isinstance(value, Written):
        return value.text
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)


def verdict(expect: dict[str, Any]) -> dict[str, Any]:
    if "ok" in expect:
        return {"ok": exact(expect["ok"])}
    holes = dict(expect["refused"])
    key, section = holes.pop("text"), holes.pop("section", "phone")
    if section == "tools":
        before, _, after = text(section, key, at="\0").partition("\0")
        return {"key": key, "starts": before, "ends": after}
    holes.setdefault("what", LOOP["phone"]["what"].get(holes.get("field"), ""))
    holes.setdefault("actions", ", ".join(LOOP["phone"]["actions"]))
    return {"key": key, "refused": text(section, key, **holes)}


def phone(case: dict[str, Any]) -> dict[str, Any] | None:
    expect, name = case["expect"], case["name"]
    if "answer" in case:
        result = text("phone", expect["result"]["text"])
        if "message" in expect["result"]:
            result += "\n\n" + text("phone", "says", message=expect["result"]["message"])
        answer = case["answer"]
        given = None if answer is None else written(answer)
        return {"suite": "answer", "name": name, "answer": given, "result": result}
    if "call" not in case and "arguments" not in case:
        return None
    given = written(case["call"]) if "call" in case else case["arguments"]
    verdicts = [verdict(each) for each in expect.get("calls", [expect])]
    parsed = "call" in case
    return {"suite": "phone", "name": name, "arguments": given, "parsed": parsed, "verdicts": verdicts}


def random(line: str, number: int) -> dict[str, Any]:
    entry = json.loads(line, parse_float=Written)
    verdicts = [{"ok": exact(each["ok"])} if "ok" in each else each for each in entry["verdicts"]]
    name = f"random arguments {number}"
    return {"suite": "random", "name": name, "arguments": entry["arguments"], "parsed": False, "verdicts": verdicts}


def marker(case: dict[str, Any]) -> dict[str, Any]:
    return {"suite": "markers", "name": case["name"], "reply": case["reply"], **case["expect"]}


def main(random_calls: str) -> None:
    lines = [phone(case) for case in cases("phone")]
    lines += [marker(case) for case in cases("markers")]
    read = Path(random_calls).read_text(encoding="utf-8").split("\n")
    lines += [random(line, number) for number, line in enumerate(read, 1) if line]
    for line in lines:
        if line is not None:
            print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
