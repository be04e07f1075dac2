"""Real things for made-up requests: without them nearly everything would be "not found"."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.request import Request, urlopen

import schemathesis

ADDRESS = os.environ["HANDSET_ADDRESS"]
TOKEN = os.environ["HANDSET_TOKEN"]

#: A browser's public key and secret (RFC 8291, appendix A), for a push service that nobody runs.
SUBSCRIPTION = {
    "endpoint": f"{os.environ['HANDSET_PUSH_ORIGINS']}/push",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}


def ask(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Asks as the operator."""
    data = None if body is None else json.dumps(body).encode()
    asked = Request(ADDRESS + path, data, {"Authorization": f"Bearer {TOKEN}"}, method=method)
    with urlopen(asked, timeout=30) as answer:
        return json.load(answer)


def chat() -> str:
    chats = ask("GET", "/api/chats")["chats"]
    return (chats[0] if chats else ask("POST", "/api/chats"))["id"]


def card() -> str:
    """A card that waits."""
    said = False
    while True:
        cards = ask("GET", "/api/cards")["cards"]
        if cards:
            return cards[0]["id"]
        if not said:
            body = {"text": "torch on", "capabilities": ["phone_actions"]}
            ask("POST", f"/api/chats/{ask('POST', '/api/chats')['id']}/messages", body)
            said = True


def invite() -> str:
    """An invite that is pending."""
    ringing = ask("GET", "/api/call/invite")
    if ringing["invite"]:
        return ringing["invite"]["id"]
    if ringing["call"]:
        ask("POST", "/api/call/end", {"id": ringing["call"]["id"], "seconds": 1})
    return ask("POST", "/api/call/invite", {"force": True})["invite"]["id"]


def call() -> str:
    """A call that goes on."""
    going = ask("GET", "/api/call/invite")["call"]
    if going:
        return going["id"]
    return ask("POST", "/api/call/answer", {"id": invite(), "action": "accept"})["call"]["id"]


def device() -> str:
    """A device that may be revoked: there is the one that asks besides."""
    name = f"device {len(ask('GET', '/api/devices')['devices'])} {os.urandom(4).hex()}"
    return ask("POST", "/api/devices", {"name": name})["device"]["id"]


def rung() -> str:
    """An invite that has rung."""
    ask("PUT", "/api/push/subscription", SUBSCRIPTION)
    return tested[-1] if tested else tested.append(ask("POST", "/api/push/test", {})["id"]) or tested[-1]


tested: list[str] = []


def person() -> str:
    return ask("GET", "/api/people")["you"]


def link() -> str:
    return ask("POST", f"/api/people/{person()}/links", {})["code"]


def pairing() -> str:
    return ask("POST", "/api/pairings", {})["code"]


def report() -> str:
    return f"v1|test|{rung()}|0|{datetime.now(UTC).isoformat()}"


#: What stands for a place of a path.
PLACES: dict[str, Callable[[], str]] = {
    "chat": chat,
    "card": card,
    "device": device,
    "invite": rung,
    "person": person,
}
#: What stands for members of bodies, by method and path.
MEMBERS: dict[tuple[str, str], dict[str, Callable[[], Any]]] = {
    ("POST", "/api/call/answer"): {"id": invite},
    ("POST", "/api/call/cancel"): {"id": invite},
    ("POST", "/api/call/events"): {"id": call},
    ("POST", "/api/call/end"): {"id": call},
    ("POST", "/api/devices"): {"person": person},
    ("POST", "/api/sign-in"): {"code": link},
    ("POST", "/api/pairings/redeem"): {"code": pairing},
    ("PUT", "/api/push/subscription"): {
        "endpoint": lambda: SUBSCRIPTION["endpoint"],
        "keys": lambda: SUBSCRIPTION["keys"],
    },
}


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """In two of three requests, what they name is there. Which ones is decided by what they say, so that a failure repeats."""
    if case.path == "/api/events" and case.method.upper() == "GET":
        # Without a type it is a stream, which has no end.
        case.query = {**(case.query or {}), "type": "swpush"}
    said = repr((case.path, case.path_parameters, case.query, case.body))
    if zlib.crc32(said.encode(errors="surrogatepass")) % 3 == 0:
        return
    for name, of in PLACES.items():
        if isinstance(case.path_parameters, dict) and name in case.path_parameters:
            case.path_parameters[name] = of()
    members = MEMBERS.get((case.method.upper(), case.path), {})
    if isinstance(case.body, dict):
        for name, of in members.items():
            if name in case.body:
                case.body[name] = of()
    if case.path == "/api/events":
        case.query = {**(case.query or {}), "type": "swpush", "value": report()}
