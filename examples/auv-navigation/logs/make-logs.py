"""Writes the logs that replayed.toml plays: what another vehicle might have logged.

They are made from a run of logged.toml, whose signals at 1 kHz are picked at times with jitter, at unequal
rates, with a gap, and written the way that `rostopic echo -p` does: times in nanoseconds, axes forward, left,
up, far more columns than are needed. Run it in this folder after

    ironbird run logged.toml
    ironbird export out/logged/recording.mcap --out out/logged/signals.csv
"""

import csv
import random
from pathlib import Path

HERE = Path(__file__).parent
SIGNALS = HERE.parent / "out" / "logged" / "signals.csv"
EPOCH = 1_718_000_000_000_000_000
random.seed(4)


def times(rate, last, jitter, gaps=()):
    """Whole milliseconds at a rate, each off by up to `jitter` ms, but for gaps."""
    step = 1000.0 / rate
    at = [int(k * step) + random.randint(-jitter, jitter) for k in range(1, int(last / step))]
    return [t for t in at if not any(start <= t < end for start, end in gaps)]


with SIGNALS.open() as file:
    rows = list(csv.DictReader(file))
columns = rows[0].keys()


def column(ending):
    return next(name for name in columns if name.endswith(ending))


def vector(name):
    return [column(f"{name}[{axis}]") for axis in range(3)]


rate, velocity, position = vector("angular_velocity"), vector("velocity_body"), vector("adapter.position")
last = len(rows) - 1


def write(name, header, lines):
    with (HERE / name).open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(lines)


def number(text, sign=1):
    return f"{sign * float(text):.7g}"


# Forward, left, up instead of forward, starboard, down.
def flu(row, names):
    return [number(row[names[0]]), number(row[names[1]], -1), number(row[names[2]], -1)]


stamp = ["%time", "field.header.seq", "field.header.frame_id"]
write(
    "imu.csv",
    stamp + [f"field.angular_velocity.{axis}" for axis in "xyz"],
    ([EPOCH + t * 1_000_000, k, "imu"] + flu(rows[t], rate) for k, t in enumerate([0] + times(25, last, 8))),
)
write(
    "dvl.csv",
    stamp + [f"field.twist.linear.{axis}" for axis in "xyz"] + ["field.valid"],
    (
        [EPOCH + t * 1_000_000, k, "dvl"] + flu(rows[t], velocity) + [1]
        for k, t in enumerate([0] + times(8, last, 20, [(60_000, 63_000)]))
    ),
)
write(
    "track.csv",
    stamp + ["field.pose.north", "field.pose.east", "field.pose.depth"],
    ([EPOCH + t * 1_000_000, k, "map"] + [f"{float(rows[t][c]):.4f}" for c in position] for k, t in enumerate([0] + times(2, last, 50) + [last])),
)
