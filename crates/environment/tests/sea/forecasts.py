"""What h5py, numpy and pymap3d make of an S-111 file.

Usage: forecasts.py <file> <origin latitude> <origin longitude> <start, ISO> <folder>

Prints the nodes at all times, and at points between the nodes, one each millisecond from the start on,
the velocity of the water and its change along the way.
"""

import json
import sys
from datetime import datetime, timedelta, timezone

import h5py
import numpy as np
import pymap3d

KNOT = 1852.0 / 3600.0

path, lat0, lon0, start = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
start = datetime.fromisoformat(start.replace("Z", "+00:00"))
file = h5py.File(path)
unit = file["Group_F/SurfaceCurrent"][0]["uom.name"].decode()
factor = KNOT if unit.lower().startswith("kn") else 1.0
grid = file["SurfaceCurrent/SurfaceCurrent.01"]
a = {k: np.float64(v) for k, v in grid.attrs.items() if k.startswith(("grid", "numPoints"))}
latitudes = a["gridOriginLatitude"] + a["gridSpacingLatitudinal"] * np.arange(int(a["numPointsLatitudinal"]))
longitudes = a["gridOriginLongitude"] + a["gridSpacingLongitudinal"] * np.arange(int(a["numPointsLongitudinal"]))

times, norths, easts = [], [], []
for name in sorted(n for n in grid if n.startswith("Group_")):
    text = grid[name].attrs["timePoint"]
    text = text.decode() if isinstance(text, bytes) else text
    times.append(datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc))
    values = grid[name]["values"][()]
    speed = values["surfaceCurrentSpeed"].astype(float)
    direction = values["surfaceCurrentDirection"].astype(float)
    none = (speed == -9999) | (direction == -9999) | np.isnan(speed) | np.isnan(direction)
    speed[none] = np.nan
    norths.append(factor * speed * np.cos(np.radians(direction)))
    easts.append(factor * speed * np.sin(np.radians(direction)))
seconds = np.array([(t - times[0]).total_seconds() for t in times])
flow = np.stack([np.array(norths), np.array(easts)], axis=-1)


def weights(axis, x):
    """Weights of a hat function at every point of an axis."""
    step = axis[1] - axis[0]
    return np.clip(1 - np.abs(axis - x) / step, 0, None)


def velocity(ned, when):
    """In north, east, down of the origin."""
    lat, lon, _ = pymap3d.ned2geodetic(*ned, lat0, lon0, 0.0)
    w = np.einsum("t,y,x->tyx", weights(seconds, when), weights(latitudes, lat), weights(longitudes, lon))
    used = w > 0
    n, e = (w[used][:, None] * flow[used]).sum(axis=0)
    u, v, w = pymap3d.enu2uvw(e, n, 0.0, lat, lon)
    # The same vector in the frame of the origin.
    phi, lam = np.radians(lat0), np.radians(lon0)
    frame = np.array([
        [-np.sin(phi) * np.cos(lam), -np.sin(phi) * np.sin(lam), np.cos(phi)],
        [-np.sin(lam), np.cos(lam), 0],
        [-np.cos(phi) * np.cos(lam), -np.cos(phi) * np.sin(lam), -np.sin(phi)],
    ])
    return frame @ np.array([u, v, w])


random = np.random.default_rng(1)
known = ~np.isnan(flow[..., 0]).any(axis=0)
cells = np.argwhere(known[:-1, :-1] & known[1:, :-1] & known[:-1, 1:] & known[1:, 1:])
points, velocities, expected = [], [], []
if len(cells) and seconds[0] + 1 < (start - times[0]).total_seconds() < seconds[-1] - 2:
    for index in range(200):
        row, column = cells[random.integers(len(cells))]
        y, x = random.uniform(0.05, 0.95, 2)
        lat = latitudes[row] + y * (latitudes[1] - latitudes[0])
        lon = longitudes[column] + x * (longitudes[1] - longitudes[0])
        ned = np.array(pymap3d.geodetic2ned(lat, lon, -5.0, lat0, lon0, 0.0))
        v = np.append(random.uniform(-3, 3, 2), 0.1)
        when = (start - times[0]).total_seconds() + index * 1e-3
        rate = (velocity(ned + 0.5 * v, when + 0.5) - velocity(ned - 0.5 * v, when - 0.5)) / 1.0
        points.append(ned.tolist())
        velocities.append(v.tolist())
        expected.append(velocity(ned, when).tolist() + rate.tolist())

nodes = [None if np.isnan(x) else x for x in flow.reshape(-1).tolist()]
print(json.dumps({
    "shape": list(flow.shape[:3]),
    "nodes": nodes,
    "cells": len(cells),
    "places": [latitudes.tolist(), longitudes.tolist()],
    "points": points,
    "velocities": velocities,
    "expected": expected,
}))
