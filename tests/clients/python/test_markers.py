"""specs/conformance/markers.json, a test a case; and each reply cut everywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest
from conftest import cases
from handset_client import MARKER_MAX_CHARS, Marker, MarkerScanner, read_reply

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


def test_random_replies_cut_at_random_say_the_same_as_whole() -> None:
    rng = random.Random(7)
    pieces = [*"⟪⟫《》【】[]()`: \n\t：", *"⟪⟫[]", "```", "~~~", "\r\n", "dial", "DIAL", "拨号"]
    pieces += ["hangup", "dnd:on", "勿扰开", "[hangup]", "⟪dial:", "   ```\n", "😀", "\u212a"]
    pieces += ["x" * (MARKER_MAX_CHARS - 6)]
    for _ in range(4000):
        reply = "".join(rng.choice(pieces) for _ in range(rng.randrange(24)))
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
