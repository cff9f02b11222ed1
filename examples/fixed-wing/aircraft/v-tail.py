"""Writes v-tail.toml and the tables in v-tail/: a V-tail aircraft of 2.4 kg and 2 m span of our own making.

All figures are estimates; no wind tunnel and no other model stands behind them. Wing and tail are cut into
strips across the span, weighted as the load of an elliptic wing. Each strip sees the velocity of its place (aircraft and its turning), and takes from
it the lift and drag of its whole surface:

  attached   CL = a (alpha - alpha0),  a = a2 / (1 + a2 / (pi e AR))      lifting line, a2 = 2 pi 0.95
             CD = cd0 + CL^2 / (pi e AR)
  separated  CN = CN90 sin(alpha) as for a flat plate, CN90 = 1.11 + 0.018 AR (L. A. Viterna,
             R. D. Corrigan, NASA TM-82944, 1982), CL = CN cos(alpha), CD = cd0 + CN sin(alpha)

blended by a sigmoid about the stall angle (as R. W. Beard, T. W. McLain: Small Unmanned Aircraft, 2012,
section 4.2.1). Separated strips have their centre of pressure at 0.4 of the chord, attached ones at 0.25.
Only the velocity across the leading edge counts, so that sideslip weakens all forces. The tail flies in
the downwash of the wing, 2 CL / (pi AR) while the wing does not stall, and in 0.95 of the dynamic pressure.
Deflected surfaces turn the angle of attack of their strips; the body adds drag, and a force across it.

Rates are central differences about zero. Run it in this folder; it needs numpy.
"""

import numpy as np

MASS, INERTIA = 2.4, (0.28, 0.14, 0.40, 0.01)  # kg; ixx, iyy, izz, ixz in kg m^2
AREA, SPAN, CHORD = 0.44, 2.0, 0.22
SECTION_SLOPE = 2 * np.pi * 0.95


class Surface:
    """A straight surface of two halves that rise from the middle by the dihedral angle."""

    def __init__(self, area, span, chord, place, dihedral, incidence, zero_lift, stall, cd0, cm0, pressure):
        ratio = span * span / area
        self.induced = 1 / (np.pi * 0.9 * ratio)
        self.slope = SECTION_SLOPE / (1 + SECTION_SLOPE * self.induced)
        self.normal90 = 1.11 + 0.018 * ratio
        self.chord, self.place, self.zero_lift, self.stall = chord, np.array(place), zero_lift, stall
        self.cd0, self.cm0, self.pressure = cd0, cm0, pressure
        self.axes = []  # of each half: forward chord, outward, up
        for side in (-1.0, 1.0):
            out = np.array([0.0, side * np.cos(dihedral), -np.sin(dihedral)])
            up = np.array([0.0, -side * np.sin(dihedral), -np.cos(dihedral)])
            ahead = np.array([1.0, 0.0, 0.0])
            turned = np.cos(incidence) * ahead + np.sin(incidence) * up
            self.axes.append((turned, out, np.cos(incidence) * up - np.sin(incidence) * ahead))
        count = 12
        self.stations = (np.arange(count) + 0.5) / count * span / 2
        self.half_span = span / 2
        # Loads fall off to the tips as on an elliptic wing.
        weights = np.sqrt(1 - (self.stations / self.half_span) ** 2)
        self.strip_areas = area / 2 * weights / weights.sum()

    def polar(self, alpha):
        """Lift, drag, and how far the flow has separated."""
        steep, stall = 25.0, self.stall
        below, above = np.exp(-steep * (alpha - stall)), np.exp(steep * (alpha + stall))
        separated = (1 + below + above) / ((1 + below) * (1 + above))
        lift = self.slope * (alpha - self.zero_lift)
        drag = self.cd0 + lift * lift * self.induced
        normal = self.normal90 * np.sin(alpha)
        plate_lift, plate_drag = normal * np.cos(alpha), self.cd0 + normal * np.sin(alpha)
        mix = lambda attached, plate: (1 - separated) * attached + separated * plate
        return mix(lift, plate_lift), mix(drag, plate_drag), separated

    def loads(self, velocity, rates, deflection, downwash=0.0, moved=(0.0, 1.0)):
        """Force and moment at unit dynamic pressure of unit speed; `deflection` turns the angle of attack
        of the left and the right half where the half-span lies within `moved`."""
        force, moment = np.zeros(3), np.zeros(3)
        for half, (ahead, out, up) in enumerate(self.axes):
            for station, strip_area in zip(self.stations, self.strip_areas):
                place = self.place + station * out
                air = velocity + np.cross(rates, place)
                along, across = air @ ahead, -(air @ up)
                square = along * along + across * across
                share = station / self.half_span
                shift = deflection[half] if moved[0] <= share <= moved[1] else 0.0
                alpha = np.arctan2(across, along)
                lift, drag, separated = self.polar(alpha - downwash + shift)
                # Lift across, and drag along the air that crosses the leading edge.
                flow = (along * ahead - across * up) / np.sqrt(square)
                lift_axis = (across * ahead + along * up) / np.sqrt(square)
                strip = self.pressure * square * strip_area
                pushed = strip * (lift * lift_axis - drag * flow)
                at = place - 0.15 * separated * self.chord * ahead
                force += pushed
                # A half of the port side has `ahead x out` pointing down: its pitch axis is -out.
                pitch_axis = out if half == 1 else -out
                moment += np.cross(at, pushed) + strip * self.chord * self.cm0 * (1 - separated) * pitch_axis
        return force, moment


WING = Surface(AREA, SPAN, CHORD, (0.012, 0.0, -0.03), np.radians(4.0), np.radians(1.5), np.radians(-3.0),
               np.radians(16.0), 0.014, -0.05, 1.0)
TAIL = Surface(0.085, 0.60, 0.142, (-0.78, 0.0, -0.02), np.radians(40.0), np.radians(-1.2), 0.0,
               np.radians(18.0), 0.012, 0.0, 0.95)
BODY_DRAG, BODY_SIDE = 0.010, 0.25  # on the wing area: along x; across, per sine of the angle
AILERON_POWER, RUDDERVATOR_POWER = 0.45, 0.60  # angle of attack for a deflection


def coefficients(alpha, beta=0.0, rates=(0.0, 0.0, 0.0), aileron=0.0, elevator=0.0, rudder=0.0):
    """lift, drag, side (wind axes), roll, pitch, yaw at p_hat, q_hat, r_hat and deflections in rad."""
    ca, sa, cb, sb = np.cos(alpha), np.sin(alpha), np.cos(beta), np.sin(beta)
    velocity = np.array([ca * cb, sb, sa * cb])  # of length 1, so rates are p/V
    turning = 2 * np.array(rates) / np.array([SPAN, CHORD, SPAN])
    # Positive aileron rolls to starboard: left trailing edge down.
    roll_shift = AILERON_POWER * aileron
    force, moment = WING.loads(velocity, turning, (roll_shift, -roll_shift), moved=(0.55, 0.95))
    wing_lift, _, separated = WING.polar(alpha + np.radians(1.5))
    downwash = 2 * wing_lift / (np.pi * SPAN * SPAN / AREA) * (1 - separated)
    # Positive rudder turns the nose to port: left trailing edge down, right one up.
    left, right = elevator + rudder, elevator - rudder
    shifts = (RUDDERVATOR_POWER * left, RUDDERVATOR_POWER * right)
    tail_force, tail_moment = TAIL.loads(velocity, turning, shifts, downwash * np.cos(np.radians(40.0)))
    force, moment = force + tail_force, moment + tail_moment
    body = AREA * np.array([-BODY_DRAG * velocity[0], -BODY_SIDE * abs(sb) * sb - 0.06 * sb,
                            -BODY_SIDE * abs(sa) * sa - 0.06 * sa])
    force, moment = force + body, moment + np.cross([0.06, 0.0, 0.0], body)
    to_wind = np.array([[ca * cb, sb, sa * cb], [-ca * sb, cb, -sa * sb], [-sa, 0.0, ca]])
    drag, side, lift = to_wind @ force * np.array([-1, 1, -1]) / AREA
    roll, pitch, yaw = moment / (AREA * np.array([SPAN, CHORD, SPAN]))
    return dict(lift=lift, drag=drag, side=side, roll=roll, pitch=pitch, yaw=yaw)


def number(value):
    return f"{value + 0.0:.5g}" if abs(value) > 5e-7 else "0"


def write(name, what, first, second, rows, columns, value):
    with open(f"v-tail/{name}.csv", "w") as file:
        file.write(f"# {what}; our own estimate, written by v-tail.py\n")
        file.write(f"{first} \\ {second}," + ",".join(f"{column:g}" for column in columns) + "\n")
        for row in rows:
            file.write(f"{row:g}," + ",".join(number(value(row, column)) for column in columns) + "\n")


def aerodynamic_tables():
    alphas, betas, elevators = np.arange(-20, 41, 2), np.arange(-30, 31, 5), np.arange(-25, 26, 5)
    clean = {(a, b): coefficients(np.radians(a), np.radians(b)) for a in alphas for b in betas}
    trimmed = {(a, e): coefficients(np.radians(a), elevator=np.radians(e)) for a in alphas for e in elevators}
    for name, key, what in [("cl", "lift", "Lift"), ("cd", "drag", "Drag"), ("cy", "side", "Side force"),
                            ("croll", "roll", "Rolling moment"), ("cm", "pitch", "Pitching moment"),
                            ("cn", "yaw", "Yawing moment")]:
        symmetric = key in ("lift", "drag", "pitch")

        def even_or_odd(a, b):
            # Rounding must not make the aircraft lopsided.
            there, mirrored = clean[a, b][key], clean[a, -b][key]
            return (there + mirrored) / 2 if symmetric else (there - mirrored) / 2

        write(name, f"{what} without deflections", "alpha [deg]", "beta [deg]", alphas, betas, even_or_odd)
        if symmetric:
            write(f"{name}-elevator", f"{what} that the elevator adds", "alpha [deg]", "elevator [deg]", alphas,
                  elevators, lambda a, e: trimmed[a, e][key] - clean[a, 0][key])


GRID = [round(-0.35 + 0.07 * k, 2) for k in range(16)]


def slopes():
    """Tables over alpha of what grows in proportion to a rate or a deflection.

    Roll and yaw rates are those of a spin, so that what they do is averaged over the stall. A rate that drove itself would
    grow without bound in a law that is linear in it: at most it is not damped.
    """
    own = {("roll", "p_hat"), ("pitch", "q_hat"), ("yaw", "r_hat")}
    variables = {"p_hat": "rates0", "q_hat": "rates1", "r_hat": "rates2", "aileron": "aileron", "rudder": "rudder"}
    wanted = {"lift": ["q_hat"], "side": ["p_hat", "r_hat", "rudder"], "pitch": ["q_hat"],
              "roll": ["p_hat", "r_hat", "aileron", "rudder"], "yaw": ["p_hat", "r_hat", "aileron", "rudder"]}
    found = {}
    for variable, key in variables.items():
        step = 0.1 if variable in ("p_hat", "r_hat") else 0.01
        for alpha in GRID:
            sides = []
            for sign in (step, -step):
                given = {key: sign}
                if key.startswith("rates"):
                    given = {"rates": tuple(sign if int(key[-1]) == axis else 0.0 for axis in range(3))}
                sides.append(coefficients(alpha, **given))
            for coefficient, of in wanted.items():
                if variable in of:
                    slope = (sides[0][coefficient] - sides[1][coefficient]) / (2 * step)
                    if (coefficient, variable) in own:
                        slope = min(slope, 0.0)
                    found.setdefault((coefficient, variable), []).append(slope)
    return found


def propeller_tables():
    """A 10x6 of moderate quality: CT and CP over the advance ratio, a little better at high Reynolds numbers."""
    diameter, density = 0.254, 1.225
    speeds, airspeeds = np.arange(0, 12001, 1000), np.arange(0, 31, 3)

    def of(constant, linear, square, power):
        def value(rpm, airspeed):
            n = max(rpm / 60, 1e-9)
            ratio = min(airspeed / (n * diameter), 1.2)  # beyond, it is a windmill: held
            scale = min(max((n / 133.0) ** 0.04, 0.9), 1.05) if power == 2 else 1.0
            coefficient = constant * scale - linear * ratio - square * ratio * ratio
            return density * n**power * diameter ** (power + 2) * coefficient
        return value

    for name, what, value in [("thrust", "Thrust in N", of(0.108, 0.062, 0.091, 2)),
                              ("power", "Shaft power in W", of(0.054, 0.002, 0.055, 3))]:
        write(name, f"{what} of a 10x6 propeller in air of 1.225 kg/m^3", "motor_speed [rpm]", "airspeed [m/s]", speeds,
              airspeeds, value)


HEAD = """# Written by v-tail.py, which says how; change it there.
#
# A V-tail aircraft of our own making, with two-dimensional tables through the stall. Both ruddervators are
# positive with the trailing edge down; `elevator` is their mean, and `rudder`, positive to turn the nose to
# port, half of left minus right.

name = "V-tail"
source = "Ironbird's own estimate by strips of lifting-line and flat-plate sections: v-tail.py"

[mass]
mass = "%g kg"
ixx = "%g kg*m^2"
iyy = "%g kg*m^2"
izz = "%g kg*m^2"
ixz = "%g kg*m^2"

[reference]
area = "%g m^2"
span = "%g m"
chord = "%g m"
moment_reference = ["0 m", "0 m", "0 m"]

[aerodynamics]
axes = "wind"
"""

TAIL_OF_FILE = """
[tables.thrust]
file = "v-tail/thrust.csv"
unit = "N"
edge = "hold"

[tables.power]
file = "v-tail/power.csv"
unit = "W"
edge = "hold"

# One lithium-polymer cell at rest, times three: a typical curve.
[tables.open-circuit]
charge = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]
values = [9.9, 10.65, 11.01, 11.22, 11.34, 11.52, 11.82, 12.3, 12.6]
unit = "V"
edge = "hold"

[propulsion]
kind = "thrust-table"
thrust = "thrust"
power = "power"
density = "1.225 kg/m^3"
inertia = "0.00004 kg*m^2"
position = ["0.32 m", "0 m", "0 m"]

[propulsion.motor]
kv = "1000 rpm/V"
resistance = "0.05 Ohm"
no_load_current = "1 A"

[battery]
voltage = "11.1 V"
open_circuit_voltage = "open-circuit"
capacity = "5 Ah"
resistance = "0.03 Ohm"

[servos]
tail = "v"
time_constant = "0.04 s"
rate_limit = "300 deg/s"
aileron = ["-25 deg", "25 deg"]
ruddervator = ["-25 deg", "25 deg"]
"""


def main():
    aerodynamic_tables()
    propeller_tables()
    found = slopes()
    files = {"lift": ["cl", "cl-elevator"], "drag": ["cd", "cd-elevator"], "side": ["cy"], "roll": ["croll"],
             "pitch": ["cm", "cm-elevator"], "yaw": ["cn"]}
    with open("v-tail.toml", "w") as file:
        file.write(HEAD % (MASS, *INERTIA, AREA, SPAN, CHORD))
        for coefficient, names in files.items():
            file.write(f"{coefficient} = [\n")
            file.writelines(f'    {{ table = "{name}" }},\n' for name in names)
            for (of, variable) in found:
                if of == coefficient:
                    file.write(f'    {{ table = "{of}-{variable}", times = ["{variable}"] }},\n')
            file.write("]\n")
        for names in files.values():
            for name in names:
                file.write(f'\n[tables.{name}]\nfile = "v-tail/{name}.csv"\nedge = "hold"\n')
        for (coefficient, variable), values in found.items():
            file.write(f"\n[tables.{coefficient}-{variable}]\nalpha = [{', '.join(map(str, GRID))}]\n")
            file.write(f'values = [{", ".join(map(number, values))}]\nedge = "hold"\n')
        file.write(TAIL_OF_FILE)


if __name__ == "__main__":
    main()
