"""Where no Swift compiler can be had: is what the client is made of Swift at all?

    python grammar.py FOLDER…

Parses every .swift file below the folders and tells each place that the grammar does not know.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_swift
from tree_sitter import Language, Node, Parser


def faults(node: Node) -> Iterator[Node]:
    if node.type == "ERROR" or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from faults(child)


def main() -> int:
    parser = Parser(Language(tree_sitter_swift.language()))
    files = sorted(file for folder in sys.argv[1:] for file in Path(folder).rglob("*.swift"))
    found = 0
    for file in files:
        for fault in faults(parser.parse(file.read_bytes()).root_node):
            line, column = fault.start_point
            print(f"{file}:{line + 1}:{column + 1}: no Swift", file=sys.stderr)
            found += 1
    print(f"{len(files)} files of Swift parsed, {found} faults")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
