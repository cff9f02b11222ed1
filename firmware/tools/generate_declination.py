#!/usr/bin/env python3
"""Writes estimation/declination_table.c: magnetic declination every 10 degrees, from the World Magnetic Model.

Needs the package `pygeomag`, which carries the model's coefficients. Usage: generate_declination.py > declination_table.c
"""
from pygeomag import GeoMag

YEAR = 2026.0
STEP = 10
LATITUDES = range(-70, 71, STEP)
LONGITUDES = range(-180, 181, STEP)


def main():
    model = GeoMag()
    print("// Written by tools/generate_declination.py; change it there.")
    print(f"// Declination in tenths of a degree, east positive, World Magnetic Model, {YEAR:.0f}, height 0.")
    print('#include "declination.h"\n')
    print("const int16_t declination_table[DECLINATION_ROWS][DECLINATION_COLUMNS] = {")
    for latitude in LATITUDES:
        row = [round(10 * model.calculate(glat=latitude, glon=longitude, alt=0, time=YEAR).d) for longitude in LONGITUDES]
        print("    {" + ", ".join(map(str, row)) + "},")
    print("};")


main()
