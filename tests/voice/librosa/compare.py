"""The figures of a voice beside librosa's: the pitch of every voiced frame, the loudness, the pauses; and the CPU time of both.

    compare.py TOOL [--write] [--untimed]

TOOL is the example `tone` of the tests' crate. With librosa in this Python both are measured now, and both are held against
values.json, which holds librosa's figures of the same clips; without it, ours are held against those alone. `--write` writes them
anew. What is out of its bounds ends the program with 1; times are printed, but for `--untimed`, and never fail anything.
"""

import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import wave
from pathlib import Path

# One thread each: what is compared is work, not how many share it.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
try:
    import time

    import librosa
    import numpy
except ImportError:
    librosa = None

HERE = Path(__file__).resolve().parent
VALUES = HERE / "values.json"
OWN = HERE.parent.parent / "fixtures" / "audio"
# Human speech, from Debian's package pocketsphinx-testdata.
SPOKEN = Path(os.environ.get("POCKETSPHINX_TESTDATA", "/usr/share/pocketsphinx/test/data"))
READ = "librivox/sense_and_sensibility_01_austen_64kb-"
CLIPS = [
    *(SPOKEN / f"cards/00{number}.wav" for number in range(1, 6)),
    *(SPOKEN / f"{READ}{number}.wav" for number in ("0870", "0880", "0890", "0920", "0930")),
    OWN / "speech.wav",
]
RATE, FRAME, HOP, LOWEST, HIGHEST = 16_000, 1_024, 512, 60, 500
# What is promised: Hz on every voiced frame, and four digits.
PITCH, DIGITS = 0.01, 4
ROUNDS = 40


def samples(path):
    with wave.open(str(path)) as sound:
        found = (sound.getframerate(), sound.getnchannels(), sound.getsampwidth())
        assert found == (RATE, 1, 2), f"{path} is not 16-bit mono at {RATE}: {found}"
        return numpy.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(numpy.float32) / 32_768


def theirs(y):
    """librosa's figures, as its own `load` gives samples: in single precision."""
    f0 = librosa.yin(y, fmin=LOWEST, fmax=HIGHEST, sr=RATE, frame_length=FRAME, hop_length=HOP)
    rms = librosa.feature.rms(y=y, frame_length=FRAME, hop_length=HOP)[0]
    quiet = 1.5 * numpy.percentile(rms, 20)
    return {
        "f0": [round(float(hz), 6) for hz in f0],
        "energy": round(float(rms.mean(dtype=numpy.float64)), 8),
        "pause": round(float((rms < quiet).mean()), 8),
    }


def ours(tool, paths):
    lines = subprocess.run([tool, *map(str, paths)], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def same(one, other):
    """Whether two numbers are the same to four significant digits."""
    return abs(one - other) <= 0.5 * 10**-DIGITS * max(abs(one), abs(other), 10**-DIGITS)


def held(name, mine, other, against):
    """Holds our figures of a clip against librosa's; gives how far the pitch is off, and what is out of its bounds."""
    faults = []
    if len(mine["f0"]) != len(other["f0"]):
        return 0.0, [f"{name}: {len(mine['f0'])} frames, and {against} has {len(other['f0'])}"]
    off = [abs(a - b) for a, b, voiced in zip(mine["f0"], other["f0"], mine["voiced"]) if voiced]
    worst = max(off, default=0.0)
    if not off:
        faults.append(f"{name}: no frame is voiced")
    if worst > PITCH:
        faults.append(f"{name}: the pitch of a voiced frame is {worst:.6f} Hz off {against}")
    for figure in ("energy", "pause"):
        if not same(mine[figure], other[figure]):
            faults.append(f"{name}: {figure} is {mine[figure]:.8f}, and {against} has {other[figure]:.8f}")
    return worst, faults


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def ours_cpu(tool, paths, rounds, *how):
    """CPU seconds of decoding (unless how is --decoded) and measuring each of the files once; a start and its end are taken away."""

    def spent(repeat):
        before = cpu(resource.RUSAGE_CHILDREN)
        command = [tool, "--repeat", str(repeat), *how, *map(str, paths)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return cpu(resource.RUSAGE_CHILDREN) - before

    # The quickest, as of the other: the rest is the machine.
    return min((spent(2 + rounds) - spent(2)) / rounds for _ in range(7))


def theirs_cpu(waves, rounds):
    spent = []
    for _ in range(rounds):
        before = time.process_time()
        for y in waves:
            theirs(y)
        spent.append(time.process_time() - before)
    # The quickest: the rest is the machine.
    return min(spent)


def write(clips):
    told = {
        "librosa": librosa.__version__,
        "numpy": numpy.__version__,
        "clips": [
            {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), **theirs(samples(path))}
            for path in clips
        ],
    }
    lines = ",\n".join(json.dumps(clip, separators=(",", ":")) for clip in told["clips"])
    head = f'{{"librosa":"{told["librosa"]}","numpy":"{told["numpy"]}","clips":[\n'
    VALUES.write_text(f"{head}{lines}\n]}}\n")


def ten_seconds(folder):
    """Speech of ten seconds, as a wav and, where there is an encoder, as browsers and telephones record it."""
    frames, parts = b"", CLIPS[5:10]
    for path in parts:
        with wave.open(str(path)) as sound:
            frames += sound.readframes(sound.getnframes())
    path = Path(folder) / "ten.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(frames[: RATE * 2 * 10])
    made = [path]
    for name, how in (("ten.webm", ["-c:a", "libopus", "-ar", "48000"]), ("ten.m4a", ["-c:a", "aac", "-ar", "48000"])):
        try:
            command = ["ffmpeg", "-loglevel", "error", "-i", str(path), *how, str(Path(folder) / name)]
            subprocess.run(command, check=True)
        except (FileNotFoundError, subprocess.CalledProcessError):
            print(f"  {name} is not tried: ffmpeg is missing, or writes none")
            continue
        made.append(Path(folder) / name)
    return made


def times(tool):
    seconds = sum(mine["seconds"] for mine in ours(tool, CLIPS))
    mine, both = ours_cpu(tool, CLIPS, 4 * ROUNDS, "--decoded"), ours_cpu(tool, CLIPS, ROUNDS)
    print(f"ours: {mine / seconds * 1e3:.3f} ms of CPU a second of sound; decoded as well, {both / seconds * 1e3:.3f} ms")
    if librosa:
        waves = [samples(path) for path in CLIPS]
        theirs_cpu(waves, 1)  # its functions are compiled at their first call
        other = theirs_cpu(waves, 10)
        print(f"librosa: {other / seconds * 1e3:.3f} ms, without decoding; ours is {other / mine:.1f} times as quick, and with its "
              f"decoding {other / both:.1f} times")
    with tempfile.TemporaryDirectory() as folder:
        for path in ten_seconds(folder):
            print(f"decoding and figures of ten seconds of {path.suffix[1:]}: {ours_cpu(tool, [path], 20) * 1e3:.1f} ms of CPU")


def main():
    tool = sys.argv[1]
    missing = [str(path) for path in CLIPS if not path.exists()]
    if missing:
        sys.exit(f"{missing[0]} is missing: install Debian's package pocketsphinx-testdata, or name its folder test/data as "
                 "POCKETSPHINX_TESTDATA")
    if "--write" in sys.argv:
        write(CLIPS)
    values = json.loads(VALUES.read_text())
    known = {clip["file"]: clip for clip in values["clips"]}
    faults = []
    print(f"kept: librosa {values['librosa']}; now: {librosa.__version__ if librosa else 'not installed here'}")
    print(f"{'clip':<44} {'s':>5} {'voiced':>7} {'off kept':>9} {'off single':>10} {'off double':>10}")
    for path, mine in zip(CLIPS, ours(tool, CLIPS)):
        name = path.name
        if hashlib.sha256(path.read_bytes()).hexdigest() != known[name]["sha256"]:
            faults.append(f"{name} is another clip than the one of values.json")
            continue
        kept, found = held(name, mine, known[name], "values.json")
        faults += found
        now = ""
        if librosa:
            y = samples(path)
            for kind in (numpy.float32, numpy.float64):
                worst, found = held(name, mine, theirs(y.astype(kind)), f"librosa ({kind.__name__})")
                faults += found
                now += f" {worst:>10.6f}"
        print(f"{name:<44} {mine['seconds']:>5.1f} {sum(mine['voiced']):>7} {kept:>9.6f}{now}")
    print(f"bounds: {PITCH} Hz on voiced frames; energy and pause to {DIGITS} digits")

    if "--untimed" not in sys.argv:
        times(tool)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
