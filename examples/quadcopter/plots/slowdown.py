#!/usr/bin/env python3
"""Measures and draws how slow 1, 2, 4, 8 and 16 drones are, and for whom their chips wait.

    plots/slowdown.py FIGURE.svg [IRONBIRD] [TOGETHER] [APART]

Each number of drones flies in one process for TOGETHER simulated seconds, and with every part in a process of its own
for APART (30 and 1 unless given). Prints a table, too. Slowdown is seconds on the wall for a simulated second. IRONBIRD
is the program.
"""

import json
import subprocess
import sys
import tempfile
from math import ceil, floor, log10
from pathlib import Path

NUMBERS = [1, 2, 4, 8, 16]
EXAMPLES = Path(__file__).parent.parent
WIDTH, HEIGHT = 760, 260  # of one chart, with its axes
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 34, 44
BLUE, RED, GREY = "#2171b5", "#d7301f", "#969696"


def run(ironbird, experiment, seconds, *options):
    """The one run of an experiment, as JSON. Its requirements need the whole flight, so their verdict does not count."""
    with tempfile.TemporaryDirectory() as out:
        command = [ironbird, "run", str(EXAMPLES / experiment), "--json", "--out", out, "--set", f'duration="{seconds} s"']
        done = subprocess.run(command + list(options), capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["runs"][0]


def slowdown(run):
    return run["wall_s"] / (run["end_ps"] * 1e-12)


def waits_of_chips(run):
    """Shares of the waiting of all chips: for computers, for the world."""
    parts, for_computers, for_world = run["profile"], 0, 0
    first = [part["components"][0]["path"] if part["components"] else "" for part in parts]
    for own, part in zip(first, parts):
        if not own.endswith(".barometer"):
            continue
        for other, waited in zip(first, part["waited"]):
            for_computers += waited if other.endswith(".computer") else 0
            for_world += waited if other == "world" else 0
    both = for_computers + for_world
    return for_computers / both, for_world / both


def axes(top, title, marks, y, label):
    right, bottom = WIDTH - RIGHT, top + HEIGHT - BOTTOM
    out = [f'<text x="{LEFT}" y="{top + 18}" font-weight="bold">{title}</text>']
    for mark in marks:
        out.append(f'<line x1="{LEFT}" y1="{y(mark):.1f}" x2="{right}" y2="{y(mark):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{label(mark)}</text>')
    for place, number in enumerate(NUMBERS):
        out.append(f'<text x="{column(place):.1f}" y="{bottom + 18}" text-anchor="middle">{number}</text>')
    out.append(f'<text x="{(LEFT + right) / 2}" y="{bottom + 34}" text-anchor="middle">drones</text>')
    return out


def column(place):
    return LEFT + (WIDTH - RIGHT - LEFT) * (place + 0.5) / len(NUMBERS)


def legend(top, rows):
    out = []
    for row, (colour, label) in enumerate(rows):
        x, y = WIDTH - RIGHT + 14, top + TOP + 10 + 20 * row
        out.append(f'<rect x="{x}" y="{y - 6}" width="14" height="10" fill="{colour}"/>')
        out.append(f'<text x="{x + 20}" y="{y + 3}">{label}</text>')
    return out


def slowdown_chart(top, together, apart):
    low, high = floor(log10(min(together))), ceil(log10(max(apart)))
    bottom = top + HEIGHT - BOTTOM

    def y(value):
        return bottom - (bottom - top - TOP) * (log10(value) - low) / (high - low)

    powers = [10.0**power for power in range(low, high + 1)]
    out = axes(top, "Slowdown: seconds on the wall for a simulated second", powers, y, lambda mark: f"{mark:g}")
    for values, colour in [(together, BLUE), (apart, RED)]:
        points = [(column(place), y(value)) for place, value in enumerate(values)]
        out.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for (a, b), value in zip(points, values):
            out.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>')
            out.append(f'<text x="{a:.1f}" y="{b - 8:.1f}" text-anchor="middle" fill="{colour}">{value:.2g}</text>')
    return out + legend(top, [(BLUE, "in one process, one core"), (RED, "every part in its own")])


def waits_chart(top, shares):
    bottom = top + HEIGHT - BOTTOM

    def y(share):
        return bottom - (bottom - top - TOP) * share

    out = axes(top, "For whom the chips wait, every part in a process of its own", [0, 0.25, 0.5, 0.75, 1], y, lambda mark: f"{mark:.0%}")
    for place, (computers, world) in enumerate(shares):
        x, width = column(place) - 22, 44
        out.append(f'<rect x="{x:.1f}" y="{y(computers):.1f}" width="{width}" height="{bottom - y(computers):.1f}" fill="{BLUE}"/>')
        out.append(f'<rect x="{x:.1f}" y="{y(1):.1f}" width="{width}" height="{y(computers) - y(1):.1f}" fill="{GREY}"/>')
        out.append(f'<text x="{column(place):.1f}" y="{y(computers / 2) + 4:.1f}" text-anchor="middle" fill="white">{computers:.0%}</text>')
    return out + legend(top, [(GREY, "the world"), (BLUE, "their computer")])


def main():
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    figure = Path(sys.argv[1])
    ironbird = sys.argv[2] if len(sys.argv) > 2 else "ironbird"
    seconds = [*sys.argv[3:], *["30", "1"][len(sys.argv[3:]):]]
    together, apart, shares = [], [], []
    print("| drones | in one process | every part in its own | chips wait for computers | for the world |\n|---|---|---|---|---|")
    for number in NUMBERS:
        name = "flight.toml" if number == 1 else f"flight-{number}.toml"
        together.append(slowdown(run(ironbird, name, seconds[0])))
        split = run(ironbird, f"processes-{number}.toml", seconds[1], "--profile")
        apart.append(slowdown(split))
        shares.append(waits_of_chips(split))
        print(f"| {number} | {together[-1]:.3f} | {apart[-1]:.1f} | {shares[-1][0]:.0%} | {shares[-1][1]:.0%} |", flush=True)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {2 * HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{2 * HEIGHT}" fill="white"/>',
        *slowdown_chart(0, together, apart),
        *waits_chart(HEIGHT, shares),
        "</svg>",
    ]
    figure.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
