#!/usr/bin/env python3
"""Writes the table of parameters into README.md, from system/parameters.def. With --check only says whether it fits.

Usage: parameter_table.py PARAMETERS.def README.md [--check]
"""
import re
import sys

BEGIN, END = "<!-- parameters -->\n", "<!-- end of parameters -->\n"


def rows(definitions):
    line = re.compile(r'PARAMETER\("(\w+)", \w+, ([^,]+), ([^,]+), "([^"]*)"\)')
    for name, multirotor, plane, meaning in line.findall(definitions):
        yield f"| `{name}` | {multirotor.rstrip('f')} | {plane.rstrip('f')} | {meaning} |\n"


def main():
    definitions, readme = sys.argv[1:3]
    with open(definitions) as file:
        table = "| name | multirotor | plane | what it is |\n|---|---|---|---|\n" + "".join(rows(file.read()))
    with open(readme) as file:
        before, rest = file.read().split(BEGIN)
    after = rest.split(END)[1]
    text = before + BEGIN + "\n" + table + "\n" + END + after
    if "--check" in sys.argv:
        if rest.split(END)[0] != "\n" + table + "\n":
            sys.exit(f"{readme}: the table of parameters is old: run tools/parameter_table.py")
        return
    with open(readme, "w") as file:
        file.write(text)


main()
