"""Temperature, pressure, density and speed of sound by the package ambiance, at geometric heights in m."""

import json
import sys

from ambiance import Atmosphere

air = Atmosphere([float(height) for height in sys.argv[1:]])
print(json.dumps([list(row) for row in zip(air.temperature, air.pressure, air.density, air.speed_of_sound)]))
