"""Reads an aircraft file of Ironbird (TOML, with tables as CSV files) independently of Ironbird's own reader.

Everything comes out in base units (m, kg, s, rad).
"""

import csv
import os
import re
from dataclasses import dataclass
from math import pi

try:
    import tomllib
except ImportError:  # Python below 3.11
    import tomli as tomllib

UNITS = {"": 1.0, "m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254, "m^2": 1.0, "kg": 1.0,
         "g": 0.001, "kg*m^2": 1.0, "m/s": 1.0, "rad": 1.0, "deg": pi / 180, "rpm": 2 * pi / 60,
         "N": 1.0, "W": 1.0, "V": 1.0}
COEFFICIENTS = {"wind": ["lift", "drag", "side"], "stability": ["lift", "drag", "side"], "body": ["x", "y", "z"]}
MOMENTS = ["roll", "pitch", "yaw"]


def quantity(text):
    number, _, unit = text.strip().partition(" ")
    return float(number) * UNITS[unit.strip()]


@dataclass
class Table:
    """`values` over one axis, or rows over the first and columns over the second."""
    axes: list  # of (variable, points)
    values: list
    edge: str


def axis_name(cell):
    """`alpha [deg]`: the variable and the factor of its unit."""
    match = re.fullmatch(r"\s*([a-z_]+)\s*(?:\[\s*(\S+)\s*\])?\s*", cell)
    return match.group(1), UNITS[match.group(2) or ""]


def read_csv(path, factor):
    with open(path, newline="") as file:
        lines = [line for line in file if line.strip() and not line.lstrip().startswith("#")]
    head, *rows = csv.reader(lines)
    rows = [[float(cell) for cell in row] for row in rows]
    first, _, second = head[0].partition("\\")
    name, scale = axis_name(first)
    points = [row[0] * scale for row in rows]
    if not second:
        return [(name, points)], [row[1] * factor for row in rows]
    other, other_scale = axis_name(second)
    columns = [float(cell) * other_scale for cell in head[1:]]
    return [(name, points), (other, columns)], [[cell * factor for cell in row[1:]] for row in rows]


def read_table(entry, folder):
    entry = dict(entry)
    edge, factor = entry.pop("edge", "hold"), UNITS[entry.pop("unit", "")]
    if "file" in entry:
        axes, values = read_csv(os.path.join(folder, entry["file"]), factor)
    else:
        values = [value * factor for value in entry.pop("values")]
        axes = [(name, [float(point) for point in points]) for name, points in entry.items()]
    return Table(axes, values, edge)


class Aircraft:
    """Mass, reference lengths, and the terms of every coefficient: (value, table or None, variables)."""

    def __init__(self, path, adjust=None):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        folder = os.path.dirname(os.path.abspath(path))
        self.name = data["name"]
        self.mass = {name: quantity(text) for name, text in data["mass"].items()}
        reference = data["reference"]
        self.area, self.span, self.chord = (quantity(reference[name]) for name in ("area", "span", "chord"))
        self.moment_reference = [quantity(text) for text in reference["moment_reference"]]
        parameters = {**data.get("parameters", {}), **(adjust or {})}
        tables = {name: read_table(entry, folder) for name, entry in data.get("tables", {}).items()}
        aerodynamics = data["aerodynamics"]
        self.axes = aerodynamics["axes"]
        self.coefficients = {}
        for name in COEFFICIENTS[self.axes] + MOMENTS:
            terms = []
            for term in aerodynamics.get(name, []):
                value = term.get("value", 1.0)
                value = float(parameters[value] if isinstance(value, str) else value)
                table = tables[term["table"]] if "table" in term else None
                terms.append((value, table, term.get("times", [])))
            self.coefficients[name] = terms
