"""specs/conformance/phone.json, a test a case."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from conftest import LOOP, Written, cases, random_calls, text
from handset_client import Exact, Refusal, read_calls, read_json, result_of, write_json

CASES = cases("phone")
READ = [case for case in CASES if "call" in case or "arguments" in case]
ANSWERED = [case for case in CASES if "answer" in case]


def by_name(case: dict[str, Any]) -> str:
    return str(case["name"])


@pytest.mark.parametrize("case", READ, ids=by_name)
def test_read(case: dict[str, Any]) -> None:
    expect = case["expect"]
    given = written(case["call"]) if "call" in case else case["arguments"]
    verdicts = read_calls(given)
    expected = expect.get("calls", [expect])
    assert len(verdicts) == len(expected)
    for verdict, each in zip(verdicts, expected, strict=True):
        same(verdict, each)
    if "call" in case:
        # As it is parsed already, it says the same.
        (verdict,) = read_calls(read_json(given))
        same(verdict, expected[0])


@pytest.mark.parametrize("case", ANSWERED, ids=by_name)
def test_answer(case: dict[str, Any]) -> None:
    result = case["expect"]["result"]
    expected = text("phone", result["text"])
    if "message" in result:
        expected += "\n\n" + text("phone", "says", message=result["message"])
    assert result_of(case["answer"]) == expected


def test_the_number_of_cases_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nconformance: {len(READ) + len(ANSWERED)} phone cases")
    assert READ and ANSWERED


def test_random_calls(capsys: pytest.CaptureFixture[str]) -> None:
    lines = random_calls()
    if not lines:
        pytest.skip("HANDSET_RANDOM_CALLS is not set")
    for line in lines:
        entry = read_json(line)
        verdicts = read_calls(entry["arguments"])
        assert len(verdicts) == len(entry["verdicts"]), line
        for verdict, expected in zip(verdicts, entry["verdicts"], strict=True):
            if isinstance(verdict, Refusal):
                assert verdict.text == expected.get("refused"), line
            else:
                assert plain(read_json(write_json(verdict))) == plain(expected.get("ok")), line
    with capsys.disabled():
        print(f"\n{len(lines)} random arguments")


def test_no_depth_is_too_deep() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    (call,) = read_calls(f'{{"action":"alarm","time":"07:30","label":{deep}}}')
    assert write_json(call) == f'{{"action":"alarm","summary":"alarm","time":"07:30","label":{deep}}}'


def same(verdict: Any, expect: dict[str, Any]) -> None:
    if "ok" in expect:
        assert not isinstance(verdict, Refusal), verdict
        assert plain(verdict) == plain(expect["ok"])
        assert plain(read_json(write_json(verdict))) == plain(expect["ok"])
        return
    assert isinstance(verdict, Refusal), verdict
    holes = dict(expect["refused"])
    key, section = holes.pop("text"), holes.pop("section", "phone")
    assert verdict.key == key
    if section == "tools":
        before, _, after = text(section, key, at="\0").partition("\0")
        assert verdict.text.startswith(before) and verdict.text.endswith(after)
        return
    holes.setdefault("what", LOOP["phone"]["what"].get(holes.get("field"), ""))
    holes.setdefault("actions", ", ".join(LOOP["phone"]["actions"]))
    assert verdict.text == text(section, key, **holes)


def plain(value: Any) -> Any:
    """A value whose numbers are compared exactly, and whose booleans are no numbers."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return (type(value).__name__, value)
    if isinstance(value, Exact):
        return ("number", Decimal(value.text))
    if isinstance(value, float):
        return ("number", Decimal(repr(value)))
    if isinstance(value, (int, Decimal)):
        return ("number", Decimal(value))
    if isinstance(value, list):
        # Not by recursion alone: some values are deep.
        return [plain(each) for each in value]
    return {key: plain(member) for key, member in value.items()}


def written(value: Any) -> str:
    """JSON with every number as the case has it."""
    if isinstance(value, Written):
        return value.text
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(each)}" for key, each in value.items()) + "}"
    return json.dumps(value)


def test_a_parsed_value_is_read_whatever_its_depth_and_one_in_itself_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(20_000):
        deep = [deep]
    (call,) = read_calls({"action": "alarm", "time": "07:30", "label": deep})
    assert write_json(call).count("[") == 20_001
    cyclic: list[Any] = [1]
    cyclic.append({"again": cyclic})
    with pytest.raises(ValueError, match="stands in itself"):
        read_calls({"action": "alarm", "time": "07:30", "label": cyclic})
    with pytest.raises(ValueError, match="stands in itself"):
        write_json(cyclic)
    # The same value at two places is no cycle.
    twice = [1]
    assert write_json([twice, {"b": twice}]) == '[[1],{"b":[1]}]'


def test_what_no_float_is_near_to_is_kept_or_refused_and_never_another_number() -> None:
    for numeral in ("1e400", "1" * 5000, "-1e99999999999999999999", "1e-99999999999999", "1e-400"):
        value = read_json(numeral)
        assert isinstance(value, Exact) and value.text == numeral
        assert write_json([value]) == f"[{numeral}]"
    assert read_json("0e99999999999999999999") == 0
    for label in ([10**400], 10**400):
        (refusal,) = read_calls({"action": "alarm", "time": "07:30", "label": label})
        assert isinstance(refusal, Refusal) and refusal.key == "number_too_large"


def test_what_json_has_no_words_for_is_written_as_json_all_the_same() -> None:
    written = write_json({"a\udc00": [float("nan"), float("-inf"), "\ud800x"]})
    assert written == '{"a\\udc00":[null,null,"\\ud800x"]}'
    assert written.encode()


@pytest.mark.parametrize("wrap", [lambda value: [value, value], lambda value: {"a": value, "b": (value,)}])
def test_what_stands_over_and_over_is_cleaned_once_and_not_written_without_end(wrap: Any) -> None:
    shared = wrap(" x ")
    for _ in range(60):
        shared = wrap(shared)
    (call,) = read_calls({"action": "alarm", "time": "07:30", "label": shared})
    assert not isinstance(call, Refusal)
    for value in (shared, call):
        with pytest.raises(ValueError, match="over and over"):
            write_json(value)
    first: Any = dict(call)["label"]
    while not isinstance(first, str):
        first = first["a"] if isinstance(first, dict) else first[0]
    assert first == "x"


def test_what_is_long_by_itself_is_written() -> None:
    long = [[1] for _ in range(150_000)]
    assert len(write_json([long, long])) == 2 * 150_000 * 4 + 5
    assert len(write_json([["x" * 1_000] * 10_000, {}, "end"])) == 10_000 * 1_003 + 12


def test_a_key_that_is_no_text_is_told() -> None:
    for key in (1, None, True, 0.5, ("a",)):
        with pytest.raises(TypeError, match="a key in JSON is a text"):
            write_json([{"a": {key: 1}}])
