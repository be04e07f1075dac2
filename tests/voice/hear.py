"""Sixty human prompts through POST /api/transcribe, each in one of five containers: how many words are heard wrongly, and
what it costs.

    python hear.py ADDRESS TOKEN PROCESS WORK

Ends with 1 where six words of a hundred or more are wrong. What it costs is told and not judged: that is the machine's matter.
"""

import array
import gzip
import io
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
import wave
from pathlib import Path

from words import distance, words

SOUNDS = Path("/usr/share/asterisk/sounds/en_US_f_Allison")
TEXTS = Path("/usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz")
COUNT = 60
# Each by its name, with what makes it: as WebM comes from a browser, Ogg from a messenger, M4A from a phone.
CONTAINERS = {
    "wav": ["-c:a", "pcm_s16le"],
    "flac": ["-c:a", "flac"],
    "mp3": ["-c:a", "libmp3lame", "-b:a", "64k"],
    "ogg": ["-c:a", "libopus", "-b:a", "24k"],
    "webm": ["-ar", "48000", "-c:a", "libopus", "-b:a", "32k"],
}
# What must be found again whoever was asked: a server that answers something else for silence makes words up.
SILENCES = {"silence": "anullsrc=r=16000:cl=mono", "noise": "anoisesrc=r=16000:a=0.003:c=pink", "hum": "sine=f=120:r=16000"}
LIMIT = 0.06
# Syllables of one speaker's, put together: "the weather is very nice today, we take a walk in the park", in either script.
SYLLABLES = Path("/usr/share/gcin-voice/ogg")
MANDARIN = "ㄐㄧㄣ ㄊㄧㄢ ㄊㄧㄢ ㄑㄧ4 ㄏㄣ3 ㄏㄠ3 ㄨㄛ3 ㄇㄣ2 ㄑㄩ4 ㄍㄨㄥ ㄩㄢ2 ㄙㄢ4 ㄅㄨ4".split()
CHARACTERS = "今天天气很好我们去公园散步"
SIMPLE = str.maketrans("氣們園", "气们园")


def prompts():
    """The prompts that are whole sentences, without what can be read in several ways; sixty of them, evenly."""
    chosen = []
    for line in gzip.open(TEXTS, "rt", encoding="utf-8"):
        name, _, text = line.partition(": ")
        text = text.strip()
        said = words(text)
        strange = "..." in text or re.search(r"[][()*#]|\d\d", text)
        if line.startswith(";") or strange or not 7 <= len(said) <= 40:
            continue
        if (SOUNDS / f"{name}.g722").exists():
            chosen.append((name, said))
    step = len(chosen) / COUNT
    return [chosen[int(n * step)] for n in range(COUNT)]


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)], check=True)


def mandarin():
    """A recording of the syllables, each without the silence around it."""
    samples = array.array("h")
    for syllable in MANDARIN:
        sound = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", SYLLABLES / syllable / "3.ogg"]
        raw = subprocess.run([*sound, "-ar", "16000", "-ac", "1", "-f", "s16le", "-"], check=True, stdout=subprocess.PIPE)
        heard = array.array("h", raw.stdout)
        loud = [n for n, sample in enumerate(heard) if abs(sample) > 327]
        samples += heard[loud[0] : loud[-1] + 1]
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setparams((1, 2, 16000, 0, "NONE", ""))
        written.writeframes(samples.tobytes())
    return file.getvalue()


def ask(address, token, recording):
    request = urllib.request.Request(
        f"{address}/api/transcribe", recording, {"Authorization": f"Bearer {token}", "Content-Type": "application/octet-stream"}
    )
    with urllib.request.urlopen(request, timeout=120) as response:
        return json.load(response)


def spent(process):
    """Seconds of processor time so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process):
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


def main():
    address, token, process, work = sys.argv[1:]
    work = Path(work)
    work.mkdir(parents=True, exist_ok=True)
    clips = []
    for number, (name, said) in enumerate(prompts()):
        container = list(CONTAINERS)[number % len(CONTAINERS)]
        sound, clip = SOUNDS / f"{name}.g722", work / f"{number}.{container}"
        plain = work / f"{number}.plain.wav"
        ffmpeg("-f", "g722", "-i", sound, "-ar", "16000", "-ac", "1", plain)
        ffmpeg("-i", plain, *CONTAINERS[container], clip)
        with wave.open(str(plain)) as opened:
            seconds = opened.getnframes() / opened.getframerate()
        clips.append((name, said, container, seconds, clip.read_bytes()))

    idle = resident(process)
    for name, source in SILENCES.items():
        silence = work / f"{name}.wav"
        ffmpeg("-f", "lavfi", "-i", source, "-t", "4", silence)
        heard = ask(address, token, silence.read_bytes())["text"]
        if heard:
            raise SystemExit(f"{name} was heard as {heard!r}")
    unheard = resident(process)
    before, begun = spent(process), time.monotonic()
    ask(address, token, clips[0][4])
    load, load_wall = spent(process) - before, time.monotonic() - begun

    totals = {container: [0, 0] for container in CONTAINERS}
    before, begun = spent(process), time.monotonic()
    for name, said, container, _, recording in clips:
        heard = words(ask(address, token, recording)["text"])
        wrong = distance(said, heard)
        totals[container][0] += wrong
        totals[container][1] += len(said)
        if wrong:
            print(f"  {wrong} of {len(said)} {name} ({container})\n      said  {' '.join(said)}\n      heard {' '.join(heard)}")
    wall, cpu = time.monotonic() - begun, spent(process) - before
    seconds = sum(clip[3] for clip in clips)
    wrong, count = (sum(total[n] for total in totals.values()) for n in (0, 1))
    for container, (wrong_here, count_here) in totals.items():
        print(f"{container:<5} {wrong_here:>3} of {count_here:>3} words wrong, {wrong_here / count_here:.1%}")
    print(f"all   {wrong:>3} of {count:>3} words wrong, {wrong / count:.1%} (less than {LIMIT:.0%} is wanted)")
    print(f"{seconds:.0f} s of sound: {cpu / seconds:.3f} CPU seconds and {wall / seconds:.3f} seconds by the clock a second of it")
    print(f"memory: {idle} MB at rest, {unheard} MB after silence, {resident(process)} MB with the model; the first words cost "
          f"{load:.2f} CPU seconds ({load_wall:.2f} s), the model's loading with them")  # fmt: skip
    told = ask(address, token, mandarin())
    heard = "".join(c for c in told["text"].translate(SIMPLE) if c.isalnum())
    wrong_here = distance(CHARACTERS, heard)
    print(f"Mandarin: {wrong_here} of {len(CHARACTERS)} characters wrong: {told['text']} ({told['language']})")
    if wrong_here > 2 or told["language"] != "zh":
        raise SystemExit("Mandarin is heard wrongly")
    if wrong / count >= LIMIT:
        raise SystemExit("too many words are heard wrongly")


if __name__ == "__main__":
    main()
