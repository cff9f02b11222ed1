"""What rasterio, pyproj, numpy and pymap3d make of a GeoTIFF.

Usage: charts.py (<file> <band> <origin latitude> <origin longitude>)... <folder>

Prints for each all pixels; the places of some pixels with data; and points between the pixels with the value and
the slope of the bilinear and of the Catmull-Rom surface there.
"""

import json
import sys

import numpy as np
import pymap3d
import pyproj
import rasterio


def hat(t):
    return np.array([0 * t, 1 - t, t, 0 * t])


def catmull_rom(t):
    return 0.5 * np.array([-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -t**2 + t**3])


class Chart:
    def __init__(self, path, band, lat0, lon0):
        self.raster = raster = rasterio.open(path)
        self.origin = (lat0, lon0, 0.0)
        self.values = raster.read(band).astype(float)
        if raster.nodata is not None:
            self.values[self.values == raster.nodata] = np.nan
        self.values[~np.isfinite(self.values)] = np.nan
        # NAD 83 and ETRS 89 are taken for WGS 84: no shift, but their own ellipsoid.
        crs = pyproj.CRS(raster.crs)
        self.project = self.utm(crs.utm_zone, crs.ellipsoid) if crs.utm_zone else None

    @staticmethod
    def utm(zone, ellipsoid):
        axes = dict(a=ellipsoid.semi_major_metre, rf=ellipsoid.inverse_flattening)
        return pyproj.Proj(proj="utm", zone=zone[:-1], south=zone[-1] == "S", **axes)

    def ned_of(self, column, row, down):
        x, y = self.raster.transform * (column + 0.5, row + 0.5)
        lat, lon = self.project(x, y, inverse=True)[::-1] if self.project else (y, x)
        return np.array(pymap3d.geodetic2ned(lat, lon, np.full_like(lat, -down), *self.origin))

    def surface(self, ned, weights):
        lat, lon, _ = pymap3d.ned2geodetic(*ned, *self.origin)
        if not self.project:
            lon = np.where(lon < self.raster.bounds.left - 180, lon + 360, lon)
        x, y = self.project(lon, lat) if self.project else (lon, lat)
        x, y = ~self.raster.transform * (x, y)
        x, y = x - 0.5, y - 0.5
        c, r = np.floor(x).astype(int), np.floor(y).astype(int)
        around = np.arange(-1, 3)
        patches = self.values[r + around[:, None, None], c + around[None, :, None]]
        return np.einsum("ip,ijp,jp->p", weights(y - r), patches, weights(x - c))

    def points(self, random, inner):
        if not len(inner):
            return []
        r, c = inner[random.integers(len(inner), size=300)].T
        y, x = random.uniform(0.02, 0.98, (2, 300))
        ned = self.ned_of(c + x, r + y, 10.0)
        columns = list(ned)
        for weights in (hat, catmull_rom):
            columns.append(self.surface(ned, weights))
            for step in ([0.01, 0, 0], [0, 0.01, 0]):
                step = np.array(step)[:, None]
                rise = self.surface(ned + step, weights) - self.surface(ned - step, weights)
                columns.append(rise / 0.02)
        return np.array(columns).T.tolist()

    def describe(self):
        random = np.random.default_rng(2)
        values, (height, width) = self.values, self.values.shape
        known = np.argwhere(~np.isnan(values))
        r, c = known[random.permutation(len(known))[:500]].T
        nodes = np.vstack([self.ned_of(c.astype(float), r.astype(float), 3.0), values[r, c]]).T
        inner = known[(known >= 1).all(axis=1) & (known < [height - 2, width - 2]).all(axis=1)]
        full = [not np.isnan(values[r - 1:r + 3, c - 1:c + 3]).any() for r, c in inner]
        pixels = [None if np.isnan(x) else x for x in values.reshape(-1).tolist()]
        return {"pixels": pixels, "nodes": nodes.tolist(), "points": self.points(random, inner[full])}


jobs = [sys.argv[i:i + 4] for i in range(1, len(sys.argv) - 1, 4)]
charts = (Chart(path, int(band), float(lat), float(lon)) for path, band, lat, lon in jobs)
print(json.dumps([chart.describe() for chart in charts]))
