"""Writes GeoTIFFs with rasterio: forms that must be read, and forms that must be refused.

Usage: write_charts.py <folder>. Prints for each good one its band and an origin near it, and what the
bad ones must say.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import rasterio
from affine import Affine

folder = Path(sys.argv[1])
HEIGHT, WIDTH = 37, 53
row, column = np.mgrid[0:HEIGHT, 0:WIDTH]
DEPTHS = -(60 + 20 * np.sin(row / 5.0) * np.cos(column / 7.0) + row * 0.3)
UTM = Affine(8.0, 0, 400_000.0, 0, -8.0, 5_300_000.0)
DEGREES = Affine(0.001, 0, -4.5, 0, -0.001, 48.1)


def write(name, *, kind="float32", crs="EPSG:32630", transform=UTM, bands=1, point=False, values=None, mask=False,
          tags=None, scales=None, height=HEIGHT, width=WIDTH, **options):
    values = DEPTHS if values is None else values
    if mask:
        values = np.where((row > 20) & (column < 10), options["nodata"], values)
    if point:
        tags = {"AREA_OR_POINT": "Point"}
    with rasterio.open(folder / f"{name}.tif", "w", driver="GTiff", height=height, width=width, count=bands, dtype=kind,
                       crs=crs, transform=transform, **options) as file:
        if tags:
            file.update_tags(**tags)
        for band in range(1, bands + 1):
            with np.errstate(invalid="ignore"):
                file.write((values + (band - 1) * 100).astype(kind), band)
        if scales:
            file.scales = scales
    return name


def sparse(name, **options):
    with rasterio.open(folder / f"{name}.tif", "w", driver="GTiff", height=64, width=80, count=1, dtype="float32",
                       crs="EPSG:32630", transform=UTM, tiled=True, blockxsize=16, blockysize=16,
                       SPARSE_OK=True, nodata=-9999.0, **options) as file:
        window = rasterio.windows.Window(16, 16, 32, 32)
        file.write(np.linspace(-80, -20, 1024, dtype="float32").reshape(1, 32, 32), window=window)
    return name


near, far_south, chart = [47.85, -4.335], [-33.9, 18.39], [48.08, -4.47]
good = {
    write("plain"): [1, near],
    write("deflate", compress="deflate"): [1, near],
    write("lzw", compress="lzw"): [1, near],
    write("predicted", compress="lzw", predictor=3): [1, near],
    write("tiles", compress="deflate", predictor=3, tiled=True, blockxsize=16, blockysize=32): [1, near],
    write("i16", kind="int16", compress="lzw", predictor=2): [1, near],
    write("i16-tiles", kind="int16", compress="deflate", predictor=2, tiled=True, blockxsize=16, blockysize=16): [1, near],
    write("i32", kind="int32"): [1, near],
    write("u8", kind="uint8", values=-DEPTHS): [1, near],
    write("u16", kind="uint16", values=-DEPTHS): [1, near],
    write("u32", kind="uint32", values=-DEPTHS, compress="deflate"): [1, near],
    write("f64", kind="float64", compress="deflate", predictor=3): [1, near],
    write("big", BIGTIFF="YES", compress="deflate"): [1, near],
    write("big-endian", ENDIANNESS="BIG", compress="lzw"): [1, near],
    write("second-band", bands=2, compress="lzw", interleave="pixel"): [2, near],
    write("third-band", bands=3, photometric="MINISBLACK", interleave="band", tiled=True, blockxsize=16, blockysize=16): [3, near],
    write("no-data", nodata=9999.0, mask=True): [1, near],
    write("no-data-rounded", nodata=-3.4028234663852886e+38, mask=True): [1, near],
    write("no-data-nan", nodata=np.nan, mask=True, compress="deflate"): [1, near],
    write("point", point=True): [1, near],
    write("south", crs="EPSG:32734", transform=Affine(10, 0, 258_000.0, 0, -10, 6_247_000.0)): [1, far_south],
    write("nad83", crs="EPSG:26910", transform=Affine(8, 0, 523_812.0, 0, -8, 5_334_117.0)): [1, [48.157, -122.677]],
    write("etrs89", crs="EPSG:25832", transform=Affine(5, 0, 500_000.0, 0, -5, 6_000_000.0)): [1, [54.15, 9.0]],
    write("degrees", crs="EPSG:4326", transform=DEGREES): [1, chart],
    write("degrees-point", crs="EPSG:4269", transform=DEGREES, point=True): [1, chart],
    write("degrees-etrs89", crs="EPSG:4258", transform=DEGREES): [1, chart],
    write("date-line", crs="EPSG:4326", transform=Affine(0.001, 0, 179.98, 0, -0.001, 48.1)): [1, [48.08, -179.995]],
    write("turned", transform=UTM * Affine.rotation(30.0)): [1, near],
    sparse("sparse"): [1, [47.847, -4.333]],
    sparse("sparse-deflate", compress="deflate"): [1, [47.847, -4.333]],
}
bad = {
    write("zstd", compress="zstd"): "cannot be read",
    write("lambert", crs="EPSG:2154"): "its projection is EPSG:2154; read are geographic coordinates",
    write("other-datum", crs="EPSG:4267", transform=DEGREES): "its coordinates are EPSG:4267; read are",
    write("no-crs", crs=None): "it has no GeoKeyDirectory, so it is no GeoTIFF",
    write("zero-size", transform=Affine(0, 0, 4e5, 0, -8, 5.3e6)): "its pixels have no size",
    write("nan-place", transform=Affine(8, 0, np.nan, 0, -8, 5.3e6)): "its first pixel is at (NaN, 5299996)",
    write("picture", kind="uint8", bands=3, photometric="RGB", values=-DEPTHS): "its photometric interpretation is 2: it is a picture",
    write("scaled", kind="int16", scales=(0.1,)): "its values have a scale (GDAL_METADATA), which is not applied",
    write("one-row", height=1, values=DEPTHS[:1]): "it has 53 × 1 pixels, and 2 × 2 are the least",
    write("complex", kind="complex64"): "cannot be read",
}
bad_band = write("one-band")
(folder / "text.tif").write_text("This is no TIFF file, and never was.")
bad["text"] = "it is no TIFF file that can be read"
(folder / "empty.tif").write_bytes(b"")
bad["empty"] = "it is no TIFF file that can be read"



def edit_tags(name, edit):
    """Changes entries of the directory of `plain`: tag, type, count and value."""
    plain = bytearray((folder / "plain.tif").read_bytes())
    directory, = struct.unpack_from("<I", plain, 4)
    count, = struct.unpack_from("<H", plain, directory)
    for entry in range(count):
        at = directory + 2 + 12 * entry
        struct.pack_into("<HHII", plain, at, *edit(*struct.unpack_from("<HHII", plain, at)))
    (folder / f"{name}.tif").write_bytes(plain)
    return name


def sized(tag, kind, count, value):
    """Width, height and rows of a strip blown up."""
    return (tag, 4, 1, 4_000_000_000) if tag in (256, 257, 278) else (tag, kind, count, value)


def without(*gone):
    return lambda tag, *rest: (tag + 20_000 if tag in gone else tag, *rest)


bad[edit_tags("huge", sized)] = "it has 4000000000 × 4000000000 pixels, and at most"
bad[edit_tags("no-place", without(33550, 33922))] = "it does not say where it lies"
bad[edit_tags("no-scale", without(33550))] = "it does not say where it lies"
bad[edit_tags("no-strips", without(273))] = "it is no TIFF file that can be read"
print(json.dumps({"good": good, "bad": bad}))
