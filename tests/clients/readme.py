"""The examples of a client's README as one file that its language compiles: each a function of a `token`.

    python3 readme.py js|python|kotlin|swift README.md
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

#: What begins and ends a function, how far in its body stands, and what a line begins with that stands before all.
FORMS = {
    "js": ("/** @param {{string}} token */\nexport async function example{}(token) {{", "}", "  ", ("import ",)),
    "python": ("def example_{}(token: str) -> None:", "", "    ", ("import ", "from ")),
    "kotlin": ("fun example{}(token: String) {{", "}", "    ", ("import ",)),
    "swift": ("func example{}(token: String) async throws {{", "}", "  ", ("import ",)),
}


def main(language: str, path: str) -> None:
    begin, end, indent, imports = FORMS[language]
    text = Path(path).read_text(encoding="utf-8")
    examples = re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    # What imports nothing is no program: the line of a package's list.
    programs = [each.splitlines() for each in examples if each.startswith(imports)]
    if len(programs) < 2:
        sys.exit(f"{path} has {len(programs)} examples in {language}: the reader's use and the server's were expected")
    print(*dict.fromkeys(line for each in programs for line in each if line.startswith(imports)), sep="\n")
    for number, each in enumerate(programs, 1):
        body = "\n".join(indent + line if line else "" for line in each if not line.startswith(imports))
        print("", begin.format(number), body.strip("\n"), end, sep="\n")


main(*sys.argv[1:])
