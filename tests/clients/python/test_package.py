"""Settings, and what a newer server sends."""

from __future__ import annotations

import contextlib
import http.client
from typing import Any

import pytest
from handset_client import (
    Handset,
    change_settings,
    default_settings,
    is_known_call,
    read_json,
    read_settings,
)
from handset_client.wire import Card, CardState, Event


def test_settings_are_clamped_as_the_server_clamps_them() -> None:
    own = default_settings()
    read = change_settings(own, {"call": {"ring_interval": 0.5, "extra_rings": 1e300}})
    assert (read.settings["call"]["ring_interval"], read.settings["call"]["extra_rings"]) == (2, 60)
    assert read.clamped[0] == {"path": "call.ring_interval", "given": 0.5, "used": 2, "min": 2, "max": 60}
    low = change_settings(own, {"voice": {"linger_min": 30}}).settings["voice"]
    assert (low["linger_min"], low["linger_max"]) == (20, 20)
    high = change_settings(own, {"voice": {"linger_max": 5}}).settings["voice"]
    assert (high["linger_min"], high["linger_max"]) == (15, 15)
    assert change_settings(own, {"call": {"rings": 1}}).faults[0]["path"] == "call.rings"
    assert change_settings(own, {"escalation": {"from": "25:00"}}).faults[0]["path"] == "escalation.from"
    assert own == default_settings()
    newer = read_settings({"call": {"ring_interval": 100, "new_knob": 1}, "new_section": {}})
    assert newer.settings["call"]["ring_interval"] == 60
    assert newer.ignored == ["call.new_knob", "new_section"]


def test_what_a_newer_server_sends_is_kept() -> None:
    state = CardState("somewhere_new")
    assert (state.value, state.is_known, CardState("done").is_known) == ("somewhere_new", False, True)
    event = Event.from_json("weather", {"rain": True})
    assert (event.is_known, event.data) == (False, {"rain": True})
    assert not is_known_call({"action": "fold_laundry", "summary": "Fold it"})


def test_a_card_is_read_and_written() -> None:
    given = {
        "id": "c", "chat": "a", "turn": "t", "call_id": "1", "part": 0, "device": None, "tool": "phone_action",
        "call": {"action": "torch", "summary": "Light", "on": True}, "summary": "Light", "state": "pending",
        "message": None, "created_at": "2027-01-01T00:00:00Z", "created_at_ms": 1, "deadline": "2027-01-01T00:02:00Z",
        "deadline_ms": 2, "of_a_newer_server": 1,
    }  # fmt: skip
    card = Card.from_json(given)
    assert card.state is CardState.PENDING
    kept = {key: value for key, value in given.items() if value is not None and key != "of_a_newer_server"}
    assert card.to_json() == kept


def test_numbers_of_any_size_are_what_the_server_makes_of_them() -> None:
    own = default_settings()
    large = read_json("99999999999999999999999")
    exact = read_json("99999999999999999999999.5")
    for given in (large, exact, 1e306):
        for knob in ("ring_interval", "extra_rings"):
            change = change_settings(own, {"call": {knob: given}})
            assert (change.settings["call"][knob], change.faults) == (60, []), (knob, given)
    small = change_settings(own, {"call": {"extra_rings": read_json("1e-400")}})
    assert (small.settings["call"]["extra_rings"], small.faults, small.clamped) == (0, [], [])
    for beyond in (10**400, read_json("1e400")):
        assert read_settings({"call": {"ring_interval": beyond}}).ignored == ["call.ring_interval"]
        fault = {"path": "call.ring_interval", "expected": "a number"}
        assert change_settings(own, {"call": {"ring_interval": beyond}}).faults == [fault]
    for change in ([], "call", 1):
        assert change_settings(own, change).faults == [{"path": "", "expected": "an object by section"}]


def test_a_stream_that_breaks_in_an_answer_is_taken_up_and_a_listeners_fault_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("handset_client.client.time.sleep", waits.append)
    lines = [b"id: 1\n", b"event: weather\n", b'data: {"rain":true}\n', b"\n"]
    answers: list[Any] = [http.client.IncompleteRead(b""), OSError(), lines]

    class Server(Handset):
        def _open(self, *given: Any, **named: Any) -> Any:
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return contextlib.nullcontext(answer)

    event = next(Server("http://localhost").events())
    assert (event.event, event.data, len(waits)) == ("weather", {"rain": True}, 2)

    def fails() -> None:
        raise OSError("the listener's own")

    answers.append(lines)
    with pytest.raises(OSError, match="the listener's own"):
        next(Server("http://localhost").events(on_open=fails))


def test_a_companion_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def request(self: Handset, *given: Any) -> Any:
        asked.append(given)
        return {"stopped": True}

    monkeypatch.setattr(Handset, "request", request)
    assert Handset("http://localhost").stop("a/b").stopped
    assert asked == [("POST", "/api/chats/a%2Fb/stop")]
