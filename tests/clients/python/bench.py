"""The reader beside fastjsonschema and pydantic, over the same calls, in one run; ratios of medians.

    pip install -r bench-requirements.txt ../../../generated/clients/python
    python bench.py [what `random-calls 2000 7 call` printed]

What is compared: from a value that is parsed already, and from text, to a verdict. fastjsonschema, which writes Python code
for a schema, gives yes or no, or the first error as an exception; pydantic, which is compiled, makes a model object. How
often each judges as the reader does is printed. The reader does more in its time: it cleans every text of the call, makes
the flat call that the phone gets, and says why not in a sentence of the spec's. The lax schemas do not look at texts that
are not checked, as none would that somebody writes by hand."""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastjsonschema
import pydantic
from equivalent import PHONE, SPECS, fastjsonschema_judge, pydantic_adapter
from handset_client import Refusal, read_calls

ROUNDS = 41
CALLS = 2000


def main() -> None:
    assert PHONE
    ordinary = (Path(__file__).parents[1] / "ordinary-calls.jsonl").read_text(encoding="utf-8").splitlines()
    suite = json.loads((SPECS / "conformance" / "phone.json").read_text(encoding="utf-8"))["cases"]
    sets = {
        "ordinary calls": ordinary,
        "cases of the suite that pass": [
            json.dumps(case["call"]) for case in suite if "call" in case and "ok" in case["expect"]
        ],
    }
    if len(sys.argv) > 1:
        lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
        sets["random calls"] = [text for line in lines if is_json(text := json.loads(line)["arguments"])]
    print(
        f"Python {sys.version.split()[0]}, fastjsonschema {fastjsonschema.VERSION}, pydantic {pydantic.VERSION}"
    )
    for name, calls in sets.items():
        contest(name, calls)


def contest(name: str, calls: list[str]) -> None:
    texts = [calls[index % len(calls)] for index in range(CALLS)]
    values = [json.loads(text) for text in texts]
    equivalent, lax = fastjsonschema_judge(lax=False), fastjsonschema_judge(lax=True)
    adapter = pydantic_adapter()

    def by_model(value: Any) -> bool:
        try:
            adapter.validate_python(value)
        except pydantic.ValidationError:
            return False
        return True

    def by_model_from_text(text: str) -> bool:
        try:
            adapter.validate_json(text)
        except pydantic.ValidationError:
            return False
        return True

    judges: dict[str, tuple[Callable[[Any], bool], Callable[[str], bool]]] = {
        "reader": (passes, passes),
        "fastjsonschema": (equivalent, lambda text: equivalent(json.loads(text))),
        "fastjsonschema, lax": (lax, lambda text: lax(json.loads(text))),
        "pydantic": (by_model, by_model_from_text),
    }
    read = [passes(value) for value in values]
    agreed = [
        f"{rival} agrees on {sum(judge(value) == own for value, own in zip(values, read, strict=True))}"
        for rival, (judge, _) in judges.items()
        if rival != "reader"
    ]
    print(f"\n{name}: of {CALLS}, {'; '.join(agreed)}")

    for index, (given, things) in enumerate([("value", values), ("text", texts)]):
        times: dict[str, list[float]] = {rival: [] for rival in judges}
        for _ in range(ROUNDS):
            for rival, judge in judges.items():
                times[rival].append(once(judge[index], things))
        own = statistics.median(times["reader"])
        for rival, taken in times.items():
            median = statistics.median(taken)
            ratio = "" if rival == "reader" else f"; the reader is {median / own:.2f} times as fast"
            print(f"{median * 1e9 / CALLS:7.0f} ns  from {given}: {rival}{ratio}")


def once(judge: Callable[[Any], bool], things: list[Any]) -> float:
    """The processor's time, so that what else the machine does counts for nobody."""
    gc.collect()
    start = time.process_time()
    for thing in things:
        judge(thing)
    return time.process_time() - start


def passes(given: Any) -> bool:
    return not isinstance(read_calls(given)[0], Refusal)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


main()
