"""Flies an aircraft file of Ironbird in JSBSim, open loop and without an engine.

    python to_jsbsim.py AIRCRAFT.toml RUN

RUN is JSON:

    {
      "step": 0.0005, "end": 20.0, "every": 0.1,
      "initial": {"u": 25, "w": 1, "theta": 0.04, "height": 500},      m/s, rad, rad/s, m; 0 where absent:
                                                                      u v w phi theta psi p q r height
      "deflections": {"elevator": [[0, -0.05], [2, -0.1]]},           rad, held from these times on
      "adjust": {"CLalpha": 4.0},                                      parameters of the aircraft file
      "gravity": 9.80665
    }

prints a line `time,alpha,beta,phi,theta,psi,V,north,east,height,p,q,r` for every `every` seconds. With
"count": N in place of "end" it flies N steps and prints how many of them JSBSim makes in a second.

The planet does not turn, has no J2 and a radius of a thousand Earths, so that over a few hundred metres it is
flat to 0.1 mm and its gravity constant to 1e-7: what is compared is the aircraft.
"""

import csv
import json
import os
import sys
import tempfile
import time
import xml.etree.ElementTree as xml
from math import pi, remainder

import jsbsim

from aircraft_file import Aircraft, MOMENTS

FOOT = 0.3048
RADIUS = 6.378e9
SURFACES = ["aileron", "elevator", "rudder", "flap"]
VARIABLES = {"alpha": "aero/alpha-rad", "beta": "aero/beta-rad", "mach": "velocities/mach", "lift": "ironbird/lift",
             **{surface: f"ironbird/{surface}" for surface in SURFACES}}
# Rates that are made dimensionless, and with which length.
RATES = {"p_hat": ("velocities/p-aero-rad_sec", "span"), "q_hat": ("velocities/q-aero-rad_sec", "chord"),
         "r_hat": ("velocities/r-aero-rad_sec", "span"), "alpha_rate_hat": ("aero/alphadot-rad_sec", "chord")}
# Far enough out for a table that goes on in straight lines.
BEYOND = 1e3


def add(parent, tag, text=None, **attributes):
    child = xml.SubElement(parent, tag, {name: str(value) for name, value in attributes.items()})
    if text is not None:
        child.text = text if isinstance(text, str) else repr(float(text))
    return child


def add_variable(parent, name, aircraft):
    if name in RATES:
        rate, length = RATES[name]
        quotient = add(parent, "quotient")
        above = add(quotient, "product")
        add(above, "property", rate)
        add(above, "value", getattr(aircraft, length) / FOOT / 2)
        # Away from 0, where JSBSim would refuse to divide.
        below = add(quotient, "max")
        add(below, "property", "velocities/vt-fps")
        add(below, "value", 1e-6)
    elif name == "airspeed":
        product = add(parent, "product")
        add(product, "property", "velocities/vt-fps")
        add(product, "value", FOOT)
    else:
        add(parent, "property", VARIABLES[name])


def extended(points, rows):
    """An axis and its rows, continued in straight lines."""
    def beyond(inner, outer, target):
        share = (target - points[inner]) / (points[outer] - points[inner])
        if isinstance(rows[0], list):
            return [a + share * (b - a) for a, b in zip(rows[inner], rows[outer])]
        return rows[inner] + share * (rows[outer] - rows[inner])

    low, high = points[0] - BEYOND, points[-1] + BEYOND
    return [low, *points, high], [beyond(1, 0, low), *rows, beyond(-2, -1, high)]


def add_table(parent, table):
    axes, values = [list(axis) for axis in table.axes], table.values
    if table.edge == "extrapolate":
        axes[0][1], values = extended(axes[0][1], values)
        if len(axes) == 2:
            columns, across = extended(axes[1][1], [list(column) for column in zip(*values)])
            axes[1][1], values = columns, [list(row) for row in zip(*across)]
    element = add(parent, "table")
    if len(axes) == 1:
        add(element, "independentVar", VARIABLES[axes[0][0]])
        lines = [f"{point!r} {value!r}" for point, value in zip(axes[0][1], values)]
    else:
        add(element, "independentVar", VARIABLES[axes[0][0]], lookup="row")
        add(element, "independentVar", VARIABLES[axes[1][0]], lookup="column")
        lines = [" ".join(map(repr, axes[1][1]))]
        lines += [" ".join(map(repr, [point, *row])) for point, row in zip(axes[0][1], values)]
    add(element, "tableData", "\n" + "\n".join(lines) + "\n")


def add_coefficient(parent, name, aircraft):
    """A function `ironbird/<name>`: the sum of its terms."""
    total = add(add(parent, "function", name=f"ironbird/{name}"), "sum")
    add(total, "value", 0.0)
    add(total, "value", 0.0)
    for value, table, times in aircraft.coefficients[name]:
        product = add(total, "product")
        add(product, "value", value)
        add(product, "value", 1.0)
        if table is not None:
            add_table(product, table)
        for variable in times:
            add_variable(product, variable, aircraft)


def add_axis(parent, axis, coefficient, length=None, **attributes):
    product = add(add(add(parent, "axis", name=axis, **attributes), "function", name=f"ironbird/axis-{axis}"), "product")
    add(product, "property", "aero/qbar-psf")
    add(product, "property", "metrics/Sw-sqft")
    if length:
        add(product, "property", length)
    add(product, "property", f"ironbird/{coefficient}")


def add_place(parent, name, forward=0.0, starboard=0.0, down=0.0):
    """JSBSim's structural frame: x aft, y starboard, z up."""
    place = add(parent, "location", name=name, unit="M")
    for axis, value in zip("xyz", (-forward, starboard, -down)):
        add(place, axis, value)


def describe(aircraft, gravity):
    root = xml.Element("fdm_config", {"name": "aircraft", "version": "2.0", "release": "ALPHA"})
    planet = add(root, "planet", name="flat")
    # In feet: JSBSim's metre is off by 1.5e-9, which is 10 m of this radius.
    add(planet, "semimajor_axis", RADIUS / FOOT, unit="FT")
    add(planet, "semiminor_axis", RADIUS / FOOT, unit="FT")
    add(planet, "rotation_rate", 0.0, unit="RAD/SEC")
    add(planet, "GM", gravity * RADIUS * RADIUS / FOOT**3, unit="FT3/SEC2")
    add(planet, "J2", 0.0)
    metrics = add(root, "metrics")
    add(metrics, "wingarea", aircraft.area, unit="M2")
    add(metrics, "wingspan", aircraft.span, unit="M")
    add(metrics, "chord", aircraft.chord, unit="M")
    add_place(metrics, "AERORP", *aircraft.moment_reference)
    add_place(metrics, "EYEPOINT")
    add_place(metrics, "VRP")
    # "false": the products of inertia are integrals of x z dm, as in our files.
    balance = add(root, "mass_balance", negated_crossproduct_inertia="false")
    for name in ("ixx", "iyy", "izz", "ixz"):
        add(balance, name, aircraft.mass.get(name, 0.0), unit="KG*M2")
    add(balance, "emptywt", aircraft.mass["mass"], unit="KG")
    add_place(balance, "CG")
    add(root, "ground_reactions")
    add(root, "propulsion")
    control = add(root, "flight_control", name="surfaces")
    for surface in SURFACES:
        add(control, "property", f"ironbird/{surface}", value=0.0)
    aerodynamics = add(root, "aerodynamics")
    for name in aircraft.coefficients:
        add_coefficient(aerodynamics, name, aircraft)
    if aircraft.axes == "wind":
        for axis, name in (("DRAG", "drag"), ("SIDE", "side"), ("LIFT", "lift")):
            add_axis(aerodynamics, axis, name)
    else:
        names = ("drag", "side", "lift") if aircraft.axes == "stability" else ("x", "y", "z")
        for axis, name in zip("XYZ", names):
            add_axis(aerodynamics, axis, name, frame=aircraft.axes.upper())
    for name in MOMENTS:
        add_axis(aerodynamics, name.upper(), name, "metrics/cbarw-ft" if name == "pitch" else "metrics/bw-ft")
    return root


def load(aircraft, run):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "aircraft"))
        with open(os.path.join(folder, "aircraft", "aircraft.xml"), "wb") as file:
            xml.ElementTree(describe(aircraft, run.get("gravity", 9.80665))).write(file, xml_declaration=True)
        jsbsim.FGJSBBase().debug_lvl = 0
        flight = jsbsim.FGFDMExec(folder)
        if not flight.load_model_with_paths("aircraft", "aircraft", "engine", "systems", False):
            sys.exit("JSBSim does not load the aircraft")
    flight.set_dt(run["step"])
    flight["simulation/gravity-model"] = 0
    # Adams-Bashforth of the fourth order for all states.
    for state in ("rate/rotational", "rate/translational", "position/rotational", "position/translational"):
        flight[f"simulation/integrator/{state}"] = 5
    return flight


class Deflections:
    """Deflections over time, each held from its time on."""

    def __init__(self, given):
        self.left = {surface: sorted(steps) for surface, steps in given.items()}

    def set(self, flight, now):
        for surface, steps in self.left.items():
            while steps and steps[0][0] <= now + 1e-9:
                flight[f"ironbird/{surface}"] = steps.pop(0)[1]


def begin(flight, initial):
    state = {name: 0.0 for name in ("u", "v", "w", "phi", "theta", "psi", "p", "q", "r", "height")}
    unknown = set(initial) - set(state)
    if unknown:
        sys.exit(f"initial: {', '.join(sorted(unknown))} is none of {', '.join(state)}")
    state.update(initial)
    flight["ic/lat-geod-rad"], flight["ic/long-gc-rad"] = 0.0, 0.0
    flight["ic/h-sl-ft"] = state["height"] / FOOT
    for angle, name in (("phi", "phi"), ("theta", "theta"), ("psi", "psi-true")):
        flight[f"ic/{name}-rad"] = state[angle]
    for speed in "uvw":
        flight[f"ic/{speed}-fps"] = state[speed] / FOOT
    for rate in "pqr":
        flight[f"ic/{rate}-rad_sec"] = state[rate]
    if not flight.run_ic():
        sys.exit("JSBSim does not take the initial state")


def shown(flight, now):
    # At latitude and longitude 0 the axes of the planet are up, east, north.
    return [now, flight["aero/alpha-rad"], flight["aero/beta-rad"], flight["attitude/phi-rad"],
            flight["attitude/theta-rad"], remainder(flight["attitude/psi-rad"], 2 * pi), flight["velocities/vt-fps"] * FOOT,
            flight["position/ecef-z-ft"] * FOOT, flight["position/ecef-y-ft"] * FOOT,
            flight["position/ecef-x-ft"] * FOOT - RADIUS,
            *(flight[f"velocities/{rate}-rad_sec"] for rate in "pqr")]


def main():
    run = json.loads(sys.argv[2])
    aircraft = Aircraft(sys.argv[1], run.get("adjust"))
    flight = load(aircraft, run)
    deflections = Deflections(run.get("deflections", {}))
    deflections.set(flight, 0.0)
    begin(flight, run.get("initial", {}))
    step = run["step"]
    if "count" in run:
        start = time.perf_counter()
        for _ in range(run["count"]):
            flight.run()
        print(run["count"] / (time.perf_counter() - start))
        return
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("time,alpha,beta,phi,theta,psi,V,north,east,height,p,q,r".split(","))
    every, count = round(run["every"] / step), round(run["end"] / step)
    out.writerow(map(repr, shown(flight, 0.0)))
    for done in range(1, count + 1):
        # Forces of the instant that this step arrives at.
        deflections.set(flight, done * step)
        flight.run()
        if done % every == 0:
            out.writerow(map(repr, shown(flight, done * step)))


if __name__ == "__main__":
    main()
