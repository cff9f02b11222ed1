#!/usr/bin/env python3
"""Draws loop rate and altitude over time, a line for every clock.

    plots/figure-7.py FOLDER FIGURE.svg [IRONBIRD]

FOLDER is where `ironbird run figure-7.toml` has put its recordings. IRONBIRD is the program, to read them with.
"""

import csv
import io
import subprocess
import sys
from pathlib import Path

STEP = 0.2  # s between points of a line
WIDTH, HEIGHT = 760, 250  # of one chart, with its axes
LEFT, RIGHT, TOP, BOTTOM = 60, 100, 30, 40
UNTIL = 60.0  # s
# From fast to slow: dark blue to red.
COLOURS = ["#08306b", "#2171b5", "#6baed6", "#41ab5d", "#c0a000", "#f16913", "#d7301f", "#7f0000"]


def read(ironbird, recording, signal, column, sign):
    """The points (time, value) of one number of a signal, thinned out to STEP."""
    command = [ironbird, "export", str(recording), "--signal", signal, "--format", "csv"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    points, due = [], 0.0
    for row in list(csv.reader(io.StringIO(text)))[1:]:
        time = float(row[0])
        if time >= due - 1e-9:
            points.append((time, sign * float(row[column])))
            due += STEP
    return points


def megahertz(folder):
    return float(folder.name.removesuffix("-mhz").replace("_", "."))


def chart(top, title, unit, low, high, marks, lines):
    """One chart as SVG elements; `lines` are (label, colour, points)."""
    right, bottom = WIDTH - RIGHT, top + HEIGHT - BOTTOM

    def x(time):
        return LEFT + (right - LEFT) * time / UNTIL

    def y(value):
        return bottom - (bottom - top - TOP) * (value - low) / (high - low)

    out = [f'<text x="{LEFT}" y="{top + 18}" font-weight="bold">{title}</text>']
    for mark in marks:
        out.append(f'<line x1="{LEFT}" y1="{y(mark):.1f}" x2="{right}" y2="{y(mark):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:g} {unit}</text>')
    for time in range(0, int(UNTIL) + 1, 10):
        out.append(f'<text x="{x(time):.1f}" y="{bottom + 18}" text-anchor="middle">{time} s</text>')
    for label, colour, points in lines:
        path = " ".join(f"{x(t):.1f},{y(v):.1f}" for t, v in points if low <= v <= high)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
    for row, (label, colour, _) in enumerate(lines):
        level = top + TOP + 10 + 20 * row
        out.append(f'<line x1="{right + 12}" y1="{level}" x2="{right + 30}" y2="{level}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{right + 36}" y="{level + 4}">{label}</text>')
    return out


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    folder, figure = Path(sys.argv[1]), Path(sys.argv[2])
    ironbird = sys.argv[3] if len(sys.argv) == 4 else "ironbird"
    runs = sorted(folder.glob("*-mhz"), key=megahertz, reverse=True)
    if not runs:
        sys.exit(f"{folder}: no folders like 168-mhz; run figure-7.toml first")
    rates, altitudes = [], []
    for run, colour in zip(runs, COLOURS):
        label, recording = f"{megahertz(run):g} MHz", run / "recording.mcap"
        rates.append((label, colour, read(ironbird, recording, "station.vehicle.loop_rate", 1, 1.0)))
        altitudes.append((label, colour, read(ironbird, recording, "world.drone[0].position", 3, -1.0)))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {3 * HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{3 * HEIGHT}" fill="white"/>',
    ]
    out += chart(0, "Loop rate, as the firmware reports it", "Hz", 0, 420, (0, 100, 200, 300, 360, 400), rates)
    out += chart(HEIGHT, "Altitude", "m", 0, 12, (0, 2, 4, 6, 8, 10, 12), altitudes)
    out += chart(2 * HEIGHT, "Altitude, enlarged", "m", 9, 12, (9, 9.5, 10, 10.5, 11, 11.5, 12), altitudes)
    figure.write_text("\n".join(out + ["</svg>", ""]))


if __name__ == "__main__":
    main()
