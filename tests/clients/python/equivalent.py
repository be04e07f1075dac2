"""The checks of the spec in the rivals' own terms, each in the form that it is quickest with: a schema an action for
fastjsonschema, chosen by a dictionary; a union of models, told apart by ``action``, for pydantic.

The schemas judge as the reader does, as far as a schema can: blanks round a value do not count, what is blank or empty is
absent, and no text that is read, at any depth, holds half of a surrogate pair. The lax ones leave the last out, and so
never look at texts that are not checked. Models strip texts by themselves, and know nothing of a blank that is absent."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union

import fastjsonschema
import pydantic
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

SPECS = Path(__file__).parents[3] / "specs"
PHONE = json.loads((SPECS / "loop.json").read_text(encoding="utf-8"))["phone"]
TOOL = json.loads((SPECS / "tools" / "phone_action.json").read_text(encoding="utf-8"))
WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

# What is taken off the ends of a text: control characters, and White_Space.
_W = "\\x00-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
_HALF = "\\ud800-\\udfff"
_PATTERNS = {
    "clock_time": "([01][0-9]|2[0-3]):[0-5][0-9]",
    "date_or_datetime": "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?",
    "http_url": f"[hH][tT][tT][pP][sS]?://[^{_HALF}]+",
}
_LARGEST = 1.7976931348623157e308


def fastjsonschema_judge(lax: bool) -> Callable[[Any], bool]:
    """Whether a call passes, by fastjsonschema."""
    readers = {action: fastjsonschema.compile(_schema(action, lax)) for action in PHONE["actions"]}

    def judge(value: Any) -> bool:
        action = value.get("action") if isinstance(value, dict) else None
        reader = readers.get(action) if isinstance(action, str) else None
        if reader is None:
            return False
        try:
            reader(value)
        except fastjsonschema.JsonSchemaValueException:
            return False
        return True

    return judge


def _schema(action: str, lax: bool) -> dict[str, Any]:
    sound = {} if lax else {"pattern": f"^[^{_HALF}]*$"}
    anything: dict[str, Any] = {} if lax else {"$ref": "#/definitions/any"}
    definitions = {
        "any": {
            **sound,
            "minimum": -_LARGEST,
            "maximum": _LARGEST,
            "items": {"$ref": "#/definitions/any"},
            "additionalProperties": {"$ref": "#/definitions/any"},
        }
    }
    absent = [
        {"type": "null"},
        {"type": "string", "pattern": f"^[{_W}]*$"},
        {"type": "array", "maxItems": 0},
        {"type": "object", "maxProperties": 0},
    ]
    text = {"type": "string", "pattern": f"^[^{_HALF}]*[^{_W}{_HALF}][^{_HALF}]*$"}
    if lax:
        text["pattern"] = f"[^{_W}]"

    def matching(pattern: str) -> dict[str, Any]:
        return {"type": "string", "pattern": f"^[{_W}]*(?:{pattern})[{_W}]*$"}

    def of_check(check: dict[str, Any]) -> dict[str, Any]:
        place = {
            **anything,
            "type": "object",
            "anyOf": [
                {
                    "required": ["lat", "lon"],
                    "properties": {
                        "lat": {"type": "number", "minimum": -90, "maximum": 90},
                        "lon": {"type": "number", "minimum": -180, "maximum": 180},
                    },
                },
                {"required": ["query"], "properties": {"query": text}},
                {"required": ["name"], "properties": {"name": text}},
            ],
        }
        if not lax:
            # Beside a reference nothing else is read.
            place = {"allOf": [anything, {key: place[key] for key in ("type", "anyOf")}]}
        digits = check.get("min_digits")
        return {
            "weekdays": lambda: {"type": "array", "items": matching("|".join(WEEKDAYS))},
            "integer": lambda: {"type": "integer", "minimum": check["min"], "maximum": check["max"]},
            "non_empty_strings": lambda: {"type": "array", "items": text},
            "phone_number": lambda: matching(f"[ +()\\-./#*]*([0-9][ +()\\-./#*]*){{{digits},}}"),
            "place": lambda: place,
            "places": lambda: {"type": "array", "items": place},
            "schema_enum": lambda: matching("|".join(_values(check["field"]))),
            "boolean": lambda: {"type": "boolean"},
            "string_map": lambda: {"type": "object", "additionalProperties": {"type": "string", **sound}},
        }.get(check["is"], lambda: matching(_PATTERNS[check["is"]]))()

    entries = PHONE["required"].get(action, [])
    single = [entry for entry in entries if isinstance(entry, str)]
    properties: dict[str, Any] = {field: anything for field in PHONE["fields"][action]}
    properties["summary"] = sound
    for field in single:
        present = {"not": {"anyOf": absent}}
        properties[field] = present if lax else {"allOf": [anything, present]}
    for check in PHONE["check"]:
        if (field := check["field"]) in PHONE["fields"][action]:
            own = of_check(check)
            properties[field] = own if field in single else {"anyOf": [own, *absent]}

    def there(field: str) -> dict[str, Any]:
        return {"required": [field], "properties": {field: {"not": {"anyOf": absent}}}}

    schema = {"definitions": definitions, "type": "object", "required": single, "properties": properties}
    groups = [entry for entry in entries if isinstance(entry, list)]
    if groups:
        schema["allOf"] = [{"anyOf": [there(field) for field in group]} for group in groups]
    return schema


def _values(field: str) -> list[str]:
    values: list[str] = TOOL["parameters"]["properties"][field]["enum"]
    return values


def pydantic_adapter() -> TypeAdapter[Any]:
    """The models of all calls. pydantic's patterns are Rust's, which keep no state and have no lookaround."""
    models = []
    for action in PHONE["actions"]:
        entries = PHONE["required"].get(action, [])
        checks = {check["field"]: check for check in PHONE["check"]}
        fields: dict[str, Any] = {"action": (Literal[action], ...), "summary": (Any, None)}
        for field in PHONE["fields"][action]:
            kind = _type(checks[field]) if field in checks else Any
            fields[field] = (kind, ...) if field in entries else (Optional[kind], None)
        models.append(pydantic.create_model(action, **fields))
    return TypeAdapter(Annotated[Union[tuple(models)], Field(discriminator="action")])


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Place(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Coordinates(_Place):
    lat: float = Field(ge=-90, le=90, strict=True)
    lon: float = Field(ge=-180, le=180, strict=True)


class _Query(_Place):
    query: _Text


class _Name(_Place):
    name: _Text


def _type(check: dict[str, Any]) -> Any:
    def matching(pattern: str) -> Any:
        return Annotated[str, StringConstraints(strip_whitespace=True, pattern=f"^(?:{pattern})$")]

    place = Annotated[Union[_Coordinates, _Query, _Name], Field(union_mode="left_to_right")]
    digits = check.get("min_digits")
    return {
        "clock_time": lambda: matching(_PATTERNS["clock_time"]),
        "weekdays": lambda: list[Literal[tuple(WEEKDAYS)]],
        "integer": lambda: Annotated[int, Field(ge=check["min"], le=check["max"], strict=True)],
        "date_or_datetime": lambda: matching(_PATTERNS["date_or_datetime"]),
        "non_empty_strings": lambda: list[_Text],
        "phone_number": lambda: matching(f"[ +()\\-./#*]*([0-9][ +()\\-./#*]*){{{digits},}}"),
        "place": lambda: place,
        "places": lambda: list[place],
        "schema_enum": lambda: Literal[tuple(_values(check["field"]))],
        "http_url": lambda: matching("(?i)https?://(?s:.)+"),
        "boolean": lambda: Annotated[bool, Field(strict=True)],
        "string_map": lambda: dict[str, str],
    }[check["is"]]()
