"""What pyproj, pymap3d and closed formulas make of numbers.

usage: reference.py WHAT IN OUT

IN holds rows of eight little-endian doubles, OUT gets rows of three. Angles are in radians.
"""

import sys

import numpy as np
import pymap3d
import pyproj

GEODETIC, ECEF = "EPSG:4979", "EPSG:4978"


def to_ecef(rows):
    turn = pyproj.Transformer.from_crs(GEODETIC, ECEF, always_xy=True)
    return turn.transform(rows[:, 1], rows[:, 0], rows[:, 2], radians=True)


def to_geodetic(rows):
    turn = pyproj.Transformer.from_crs(ECEF, GEODETIC, always_xy=True)
    longitude, latitude, height = turn.transform(*rows[:, :3].T, radians=True)
    return latitude, longitude, height


def to_geodetic_pymap3d(rows):
    return pymap3d.ecef2geodetic(*rows[:, :3].T, deg=False)


def to_ned(rows):
    return pymap3d.geodetic2ned(*rows[:, :6].T, deg=False)


def direction_to_ned(rows):
    # pymap3d turns directions one by one.
    return np.array([pymap3d.ecef2enuv(*row[:3], *row[3:5], deg=False) for row in rows]).T[
        [1, 0, 2]
    ] * np.array([[1.0], [1.0], [-1.0]])


def utm(rows):
    return by_zone(rows, lambda projection, a, b: projection(b, a, radians=True))


def from_utm(rows):
    def back(projection, easting, northing):
        longitude, latitude = projection(easting, northing, inverse=True, radians=True)
        return latitude, longitude

    return by_zone(rows, back)


def by_zone(rows, convert):
    """Columns: two coordinates, zone, 1 for south, 1 for GRS80."""
    out = np.zeros((3, len(rows)))
    for zone, south, grs80 in np.unique(rows[:, 2:5], axis=0):
        mine = np.all(rows[:, 2:5] == [zone, south, grs80], axis=1)
        ellipsoid = "GRS80" if grs80 else "WGS84"
        projection = pyproj.Proj(proj="utm", zone=int(zone), south=bool(south), ellps=ellipsoid)
        out[:2, mine] = convert(projection, rows[mine, 0], rows[mine, 1])
    return out


def gravity(rows):
    """Normal gravity of WGS 84 at Earth-centred places, in closed form.

    The gradient of the potential in ellipsoidal coordinates u, beta (Heiskanen and Moritz, Physical
    Geodesy, equations 2-126 and 2-62): exact at every height.
    """
    a, f, gm, omega = 6378137.0, 1 / 298.257223563, 3.986004418e14, 7.292115e-5
    b = a * (1 - f)
    squared = a * a - b * b
    e = np.sqrt(squared)
    x, y, z = rows[:, :3].T
    p = np.hypot(x, y)
    k = p * p + z * z - squared
    u = np.sqrt(0.5 * k * (1 + np.sqrt(1 + 4 * squared * z * z / (k * k))))
    v = np.sqrt(u * u + squared)
    beta = np.arctan2(z * v, u * p)
    sin, cos = np.sin(beta), np.cos(beta)

    # q and q' by their series, as the closed forms cancel.
    def q(u):
        n = np.arange(1, 20)
        x = (e / u)[..., None]
        return np.sum((-1.0) ** (n + 1) * 2 * n / ((2 * n + 1) * (2 * n + 3)) * x ** (2 * n + 1), -1)

    def q_prime(u):
        n = np.arange(1, 20)
        x = (e / u)[..., None]
        return np.sum((-1.0) ** (n + 1) * 6 / ((2 * n + 1) * (2 * n + 3)) * x ** (2 * n), -1)

    q0 = q(np.array(b))
    w = np.sqrt((u * u + squared * sin * sin) / (u * u + squared))
    along_u = -(
        gm / v**2
        + omega**2 * a**2 * e / v**2 * q_prime(u) / q0 * (0.5 * sin**2 - 1 / 6)
        - omega**2 * u * cos**2
    ) / w
    along_beta = (omega**2 * a**2 / v * q(u) / q0 - omega**2 * v) * sin * cos / w
    # Unit vectors along u and beta in the meridian plane.
    across = u * cos / (v * w) * along_u - sin / w * along_beta
    up = sin / w * along_u + u * cos / (v * w) * along_beta
    longitude = np.arctan2(y, x)
    return across * np.cos(longitude), across * np.sin(longitude), up


what, source, target = sys.argv[1:]
rows = np.fromfile(source, dtype="<f8").reshape(-1, 8)
out = np.array(globals()[what](rows), dtype="<f8").T
assert out.shape == (len(rows), 3), out.shape
np.ascontiguousarray(out).tofile(target)
