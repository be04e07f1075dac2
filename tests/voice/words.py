"""Words as they are compared: what is written in one way or another and said the same counts as the same."""

import re

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# What is one word or two, or short and long; and slips of the prompts' list itself.
_SAME = {
    "i'm": "i am", "that's": "that is", "you'd": "you would", "don't": "do not", "can't": "cannot", "can not": "cannot",
    "you've": "you have", "it's": "it is", "we're": "we are", "i'll": "i will", "there's": "there is", "you're": "you are",
    "voice mail": "voicemail", "e mail": "email", "touch tone": "touchtone", "re enter": "reenter", "re entered": "reentered",
    "re record": "rerecord", "un indentified": "unidentified", "witheld": "withheld", "represenatives": "representatives",
    "umute": "unmute", "thru": "through", "okay": "ok", "log in": "login", "mail box": "mailbox", "dialled": "dialed",
    "call forward": "callforward", "un muted": "unmuted", "tele marketers": "telemarketers", "play back": "playback",
}  # fmt: skip


def _number(match):
    digits = match.group()
    number = int(digits)
    if len(digits) > 2 or digits.startswith("0") and len(digits) > 1:
        return " ".join(_UNITS[int(digit)] for digit in digits)
    if number < 20:
        return _UNITS[number]
    return _TENS[number // 10 - 2] + (f" {_UNITS[number % 10]}" if number % 10 else "")


def words(text):
    text = text.lower().replace("’", "'").replace("#", " pound ").replace("*", " star ")
    text = re.sub(r"\d+", _number, re.sub(r"[^a-z0-9' ]+", " ", text))
    text = f" {' '.join(word.strip(chr(39)) for word in text.split())} "
    for other, same in _SAME.items():
        text = text.replace(f" {other} ", f" {same} ")
    return text.split()


def distance(said, heard):
    """How many words were taken for others, left out or added."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1]
