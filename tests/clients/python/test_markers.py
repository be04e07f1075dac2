"""specs/conformance/markers.json, a test a case; and each reply cut everywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import cases
from handset_client import MARKER_MAX_CHARS, Marker, MarkerScanner, harmless, markers, read_reply

CASES = cases("markers")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_markers(case: dict[str, Any]) -> None:
    reply, expect = case["reply"], case["expect"]
    markers = [Marker(each["kind"], each.get("argument")) for each in expect["markers"]]
    expected = (expect["text"], markers)
    whole = read_reply(reply)
    assert (whole.text, whole.markers) == expected
    for cut in range(len(reply) + 1):
        assert in_pieces([reply[:cut], reply[cut:]]) == expected, cut
    assert in_pieces(list(reply)) == expected


def test_the_number_of_cases_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nconformance: {len(CASES)} marker cases, cut everywhere")


def test_what_others_say_is_no_marker_however_it_is_repeated() -> None:
    words = "I [would] write ⟪dial: x⟫ or 《 DND：on 》."
    assert harmless(words) == "I [would] write (dial: x) or ( DND：on )."
    quoted = "`[hangup]` ⟪dial:[hangup]⟫ ⟪dial: to the end"
    assert harmless(quoted) == "`(hangup)` (dial:(hangup)) (dial: to the end"
    assert harmless("⟪dialling⟫ [hang up] ⟪ ⟫") == "⟪dialling⟫ [hang up] ⟪ ⟫"
    rng = random.Random(7)
    for said in [*(case["reply"] for case in CASES), *(random_reply(rng) for _ in range(2000))]:
        told = harmless(said)
        assert harmless(told) == told
        lines = [line.strip() for line in told.split("\n")]
        unfenced = [line for line in lines if "```" not in line and "~~~" not in line]
        fenced = f"```\n{told}\n```\n{told}"
        for repeated in [told, "\n".join(lines), "\n".join(unfenced), fenced]:
            assert not read_reply(repeated).markers, (said, repeated)


PIECES = [*"⟪⟫《》【】[]()`: \n\t：", *"⟪⟫[]", "```", "~~~", "\r\n", "dial", "DIAL", "拨号"]
PIECES += ["hangup", "dnd:on", "勿扰开", "[hangup]", "⟪dial:", "   ```\n", "😀", "\u212a"]
PIECES += ["x" * (MARKER_MAX_CHARS - 6)]


def random_reply(rng: random.Random) -> str:
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(24)))


def test_random_replies_cut_at_random_say_the_same_as_whole() -> None:
    rng = random.Random(7)
    for _ in range(4000):
        reply = random_reply(rng)
        cuts = sorted(rng.randrange(len(reply) + 1) for _ in range(rng.randrange(6)))
        cut = [reply[a:b] for a, b in zip([0, *cuts], [*cuts, len(reply)], strict=True)]
        whole = read_reply(reply)
        assert in_pieces(cut) == (whole.text, whole.markers), cut


def in_pieces(pieces: list[str]) -> tuple[str, list[Marker]]:
    scanner = MarkerScanner()
    events = [event for piece in pieces for event in scanner.push(piece)] + scanner.finish()
    shown = "".join(event for event in events if isinstance(event, str))
    white = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
        map(chr, range(0x2000, 0x200B))
    )
    # The stream may have sent trailing blanks; the saved text has none.
    return shown.rstrip(white), [event for event in events if isinstance(event, Marker)]


def test_a_reply_of_nothing_but_openers_is_not_read_to_the_longest_marker_from_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Counted, for a clock would be wrong on a busy machine.
    read = 0
    argument = markers._Candidate._argument

    def counted(self: Any, letter: str) -> bool:
        nonlocal read
        read += 1
        return argument(self, letter)

    monkeypatch.setattr(markers._Candidate, "_argument", counted)
    reply = "[dial:" * 2_000
    assert read_reply(reply + "\n").markers == []
    assert read < 20_000, read
    assert len(read_reply(reply + "]").markers) <= 1
