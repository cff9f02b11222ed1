"""Writes the two charts of this study: tidal currents as S-111, the sea bed as GeoTIFF.

They are invented, off the coast at 48.30 N 4.60 W. Needs h5py and rasterio:

    python make-charts.py
"""

import math
from pathlib import Path

import h5py
import numpy as np
import rasterio
from rasterio.transform import from_origin

HERE = Path(__file__).parent

# Currents: 9 x 9 places, 0.01 degrees apart, every hour for three hours.
SOUTH, WEST, SPACING, COUNT = 48.26, -4.64, 0.01, 9
KNOT = 1852.0 / 3600.0


def currents(hour):
    """Speed in knots and direction in degrees at all places: a tide that turns, stronger offshore."""
    north, east = np.meshgrid(np.arange(COUNT), np.arange(COUNT), indexing="ij")
    phase = 2.0 * math.pi * hour / 12.42
    strength = 0.30 - 0.01 * east + 0.005 * north
    u, v = strength * np.cos(phase), 0.5 * strength * np.sin(phase)
    grid = np.zeros((COUNT, COUNT), dtype=[("surfaceCurrentSpeed", "<f4"), ("surfaceCurrentDirection", "<f4")])
    grid["surfaceCurrentSpeed"] = np.hypot(u, v) / KNOT
    grid["surfaceCurrentDirection"] = np.degrees(np.arctan2(u, v)) % 360.0
    return grid


def write_currents(path):
    with h5py.File(path, "w") as file:
        file.attrs["productSpecification"] = "INT.IHO.S-111.1.0"
        file.attrs["horizontalDatumReference"] = "EPSG"
        file.attrs["horizontalDatumValue"] = np.int32(4326)
        file.attrs["geographicIdentifier"] = "an invented bay"
        info = [("code", "S24"), ("name", "S24"), ("uom.name", "S16"), ("fillValue", "S8")]
        features = np.zeros(2, dtype=info)
        features[0] = (b"surfaceCurrentSpeed", b"Surface current speed", b"knots", b"-9999")
        features[1] = (b"surfaceCurrentDirection", b"Surface current direction", b"arc-degrees", b"-9999")
        file.create_group("Group_F").create_dataset("SurfaceCurrent", data=features)
        feature = file.create_group("SurfaceCurrent")
        feature.attrs["dataCodingFormat"] = np.uint8(2)
        feature.attrs["numInstances"] = np.int32(1)
        instance = feature.create_group("SurfaceCurrent.01")
        instance.attrs["gridOriginLatitude"] = np.float64(SOUTH)
        instance.attrs["gridOriginLongitude"] = np.float64(WEST)
        instance.attrs["gridSpacingLatitudinal"] = np.float64(SPACING)
        instance.attrs["gridSpacingLongitudinal"] = np.float64(SPACING)
        instance.attrs["numPointsLatitudinal"] = np.int32(COUNT)
        instance.attrs["numPointsLongitudinal"] = np.int32(COUNT)
        instance.attrs["startSequence"] = "0,0"
        instance.attrs["numGRP"] = np.int32(4)
        instance.attrs["numberOfTimes"] = np.int32(4)
        instance.attrs["timeRecordInterval"] = np.int32(3600)
        instance.attrs["dateTimeOfFirstRecord"] = "20260601T060000Z"
        instance.attrs["dateTimeOfLastRecord"] = "20260601T090000Z"
        for hour in range(4):
            group = instance.create_group(f"Group_{hour + 1:03}")
            group.attrs["timePoint"] = f"20260601T{6 + hour:02}0000Z"
            group.create_dataset("values", data=currents(hour), compression="gzip", chunks=(COUNT, COUNT))


def write_sea_bed(path):
    """Elevations in metres, every 25 m on UTM zone 30 north: a slope with ridges."""
    west, north, size, count = 379_000.0, 5_352_800.0, 25.0, 160
    y, x = np.meshgrid(np.arange(count), np.arange(count), indexing="ij")
    depth = 70.0 + 0.004 * size * (count - y) + 4.0 * np.sin(2 * math.pi * size * (x + 0.5 * y) / 600.0)
    transform = from_origin(west, north, size, size)
    profile = dict(driver="GTiff", width=count, height=count, count=1, dtype="float32", crs="EPSG:32630")
    with rasterio.open(path, "w", transform=transform, nodata=9999.0, compress="deflate", predictor=3, **profile) as file:
        file.write((-depth).astype("float32"), 1)


write_currents(HERE / "tide.h5")
write_sea_bed(HERE / "sea-bed.tif")
