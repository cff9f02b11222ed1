"""Writes S-111 files with h5py: forms that must be read alike, and forms that must be refused.

Usage: write_forecasts.py <folder>. Prints the names of the good ones, and what the bad ones must say.
"""

import json
import sys
from pathlib import Path

import h5py
import numpy as np

folder = Path(sys.argv[1])
KNOT = 1852.0 / 3600.0
ROWS, COLUMNS = 4, 5
random = np.random.default_rng(3)
SPEED = random.uniform(0.1, 2.0, (3, ROWS, COLUMNS))
DIRECTION = random.uniform(0, 360, (3, ROWS, COLUMNS))


def write(name, *, libver=None, real="<f4", unit=b"knots", texts="S50", fill=-9999.0, filters=None,
          edit=None, datum="horizontalDatumValue", instances=1):
    path = folder / f"{name}.h5"
    file = h5py.File(path, "w", libver=libver)
    file.attrs[datum] = np.int32(4326)
    text = texts if isinstance(texts, str) else h5py.string_dtype()
    fields = ["code", "name", "uom.name", "fillValue", "datatype", "lower", "upper", "closure"]
    rows = [
        ("surfaceCurrentSpeed", "Surface current speed", unit.decode(), "-9999.0", "H5T_FLOAT", "0.0", "", "geSemiInterval"),
        ("surfaceCurrentDirection", "Surface current direction", "arc-degrees", "-9999.0", "H5T_FLOAT", "0.0", "360", "geLtInterval"),
    ]
    table = np.array([tuple(r) for r in rows], dtype=[(f, text) for f in fields])
    file.create_dataset("Group_F/SurfaceCurrent", data=table)
    feature = file.create_group("SurfaceCurrent")
    feature.attrs["dataCodingFormat"] = np.uint8(2)
    feature.attrs["sequencingRule.scanDirection"] = "longitude,latitude"
    for number in range(1, instances + 1):
        grid = feature.create_group(f"SurfaceCurrent.{number:02}")
        grid.attrs["gridOriginLatitude"] = 48.0
        grid.attrs["gridOriginLongitude"] = -4.5
        grid.attrs["gridSpacingLatitudinal"] = 0.01
        grid.attrs["gridSpacingLongitudinal"] = 0.02
        grid.attrs["numPointsLatitudinal"] = np.int32(ROWS)
        grid.attrs["numPointsLongitudinal"] = np.int32(COLUMNS)
        grid.attrs["startSequence"] = "0,0"
        for k in range(3):
            record = grid.create_group(f"Group_{k + 1:03}")
            record.attrs["timePoint"] = f"20260320T{19 + k}0000Z"
            values = np.zeros((ROWS, COLUMNS), dtype=[("surfaceCurrentSpeed", real), ("surfaceCurrentDirection", real)])
            scale = 1.0 if unit.lower().startswith(b"kn") else KNOT
            values["surfaceCurrentSpeed"] = SPEED[k] * scale
            values["surfaceCurrentDirection"] = DIRECTION[k]
            values[3, 4] = (fill, fill)
            record.create_dataset("values", data=values, **(filters or {}))
    if edit:
        edit(file)
    file.close()
    return name


def attribute(path, name, value):
    def edit(file):
        if value is None:
            del file[path].attrs[name]
        else:
            file[path].attrs[name] = value
    return edit


GRID = "SurfaceCurrent/SurfaceCurrent.01"


def reshape(file):
    path = f"{GRID}/Group_002/values"
    values = file[path][:3]
    del file[path]
    file[path] = values


def other_member(file):
    path = f"{GRID}/Group_002/values"
    values = file[path][()]
    del file[path]
    file[path] = values.astype([("speed", "<f4"), ("surfaceCurrentDirection", "<f4")])


def whole_numbers(file):
    path = f"{GRID}/Group_002/values"
    values = file[path][()]
    del file[path]
    file[path] = values.astype([("surfaceCurrentSpeed", "<i4"), ("surfaceCurrentDirection", "<i4")])


def huge(file):
    file[GRID].attrs["numPointsLatitudinal"] = np.int64(60_000)
    file[GRID].attrs["numPointsLongitudinal"] = np.int64(60_000)
    file[GRID].attrs["gridSpacingLatitudinal"] = 1e-6
    file[GRID].attrs["gridSpacingLongitudinal"] = 1e-6


def negative(file):
    values = file[f"{GRID}/Group_001/values"]
    data = values[()]
    data["surfaceCurrentSpeed"][1, 2] = -1.0
    values[...] = data


good = [
    write("plain"),
    write("f64", real="<f8"),
    write("big-endian", real=">f4"),
    write("metres-per-second", real="<f8", unit=b"m/s"),
    write("variable-texts", texts=None),
    write("new-format", libver=("v110", "v112"), filters={"compression": "gzip", "chunks": (3, 2)}),
    write("shuffled", filters={"compression": "gzip", "shuffle": True, "fletcher32": True, "chunks": (2, 5)}),
    write("not-a-number", fill=np.nan),
    write("edition-2", datum="horizontalCRS", unit=b"knot"),
]
bad = {
    write("stations", edit=attribute("SurfaceCurrent", "dataCodingFormat", np.uint8(1))): "its dataCodingFormat is 1 (time series at fixed stations), and only 2 (a regular grid) is read",
    write("ungeorectified", edit=attribute("SurfaceCurrent", "dataCodingFormat", np.uint8(3))): "its dataCodingFormat is 3 (an ungeorectified grid)",
    write("no-format", edit=attribute("SurfaceCurrent", "dataCodingFormat", None)): "/SurfaceCurrent has no attribute dataCodingFormat",
    write("no-origin", edit=attribute(GRID, "gridOriginLatitude", None)): "has no attribute gridOriginLatitude",
    write("text-origin", edit=attribute(GRID, "gridOriginLatitude", "here")): "and not a finite number",
    write("nan-origin", edit=attribute(GRID, "gridOriginLatitude", np.nan)): "and not a finite number",
    write("off-earth", edit=attribute(GRID, "gridOriginLatitude", 89.99)): "its grid is not on the Earth",
    write("zero-spacing", edit=attribute(GRID, "gridSpacingLatitudinal", 0.0)): "gridSpacingLatitudinal is 0, and must be above zero",
    write("negative-spacing", edit=attribute(GRID, "gridSpacingLongitudinal", -0.1)): "gridSpacingLongitudinal is -0.1, and must be above zero",
    write("one-row", edit=attribute(GRID, "numPointsLatitudinal", 1)): "at least 2 × 2 are needed",
    write("lying-rows", edit=attribute(GRID, "numPointsLatitudinal", 5)): "has the shape [4, 5], and its grid has 5 rows and 5 columns",
    write("negative-rows", edit=attribute(GRID, "numPointsLatitudinal", -4)): "the attribute numPointsLatitudinal",
    write("huge", edit=huge): "has 60000 × 60000 points at 3 times, and at most",
    write("reshaped", edit=reshape): "Group_002/values has the shape [3, 5]",
    write("other-member", edit=other_member): "has no member surfaceCurrentSpeed; it has speed, surfaceCurrentDirection",
    write("whole-numbers", edit=whole_numbers): "is no real number",
    write("negative-speed", edit=negative): "has the speed -1 in row 1 and column 2, and a speed is not negative",
    write("no-time", edit=attribute(f"{GRID}/Group_002", "timePoint", None)): "Group_002 has no attribute timePoint",
    write("no-date", edit=attribute(f"{GRID}/Group_002", "timePoint", "noon")): "\"noon\" is no date and time",
    write("back-in-time", edit=attribute(f"{GRID}/Group_002", "timePoint", "20260320T190000Z")): "which is not later than the record before",
    write("furlongs", unit=b"furlongs"): "its speeds are in \"furlongs\", not in knots or m/s",
    write("other-datum", edit=attribute("/", "horizontalDatumValue", np.int32(4267))): "its positions are in EPSG:4267, and only EPSG:4326 is read",
    write("no-datum", edit=attribute("/", "horizontalDatumValue", None)): "has no attribute horizontalDatumValue",
    write("scan", edit=attribute("SurfaceCurrent", "sequencingRule.scanDirection", "latitude,longitude")): "its scan direction is \"latitude,longitude\"",
    write("two-instances", instances=2): "has 2 instances",
    write("no-records", edit=lambda file: [file[GRID].pop(f"Group_00{k}") for k in (1, 2, 3)]): "has no records",
    write("no-units", edit=lambda file: file.pop("Group_F")): "it has no dataset /Group_F/SurfaceCurrent",
    write("no-values", edit=lambda file: file.pop(f"{GRID}/Group_003/values")): "it has no dataset /SurfaceCurrent/SurfaceCurrent.01/Group_003/values",
}
(folder / "text.h5").write_text("This is no HDF5 file, and never was.")
bad["text"] = "it is no HDF5 file"
(folder / "empty.h5").write_bytes(b"")
bad["empty"] = "it is no HDF5 file"

north = SPEED * KNOT * np.cos(np.radians(DIRECTION))
east = SPEED * KNOT * np.sin(np.radians(DIRECTION))
nodes = np.stack([north, east], axis=-1)
nodes[:, 3, 4] = np.nan
nodes = [None if np.isnan(x) else x for x in nodes.reshape(-1).tolist()]
print(json.dumps({"good": good, "bad": bad, "nodes": nodes}))
