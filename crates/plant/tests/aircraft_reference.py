"""Steady flight of an aircraft file and the modes about it, computed independently of Ironbird.

    python aircraft_reference.py AIRCRAFT.toml '[[airspeed, height, path angle], ...]'      m/s, m, rad

prints a JSON list with the trim and the modes of each. What differs from Ironbird: the states are V, alpha, beta,
roll, pitch, p, q and r (equations of motion in wind axes: B. L. Stevens, F. L. Lewis, "Aircraft Control and
Simulation", 2003, (2.5-19) and (3.3-2)), the air is computed from its pressure, trim is found by the method of
Levenberg and Marquardt, and the modes are those of the whole matrix, told apart by their eigenvectors.
"""

import json
import os
import sys
from math import asin, cos, pi, sin, sqrt, tan

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "jsbsim"))
from aircraft_file import Aircraft, UNITS, read_table, tomllib  # noqa: E402

GRAVITY = 9.80665
UNITS.update({"Ohm": 1.0, "A": 1.0, "Ah": 3600.0, "rpm/V": 2 * pi / 60, "kg/m^3": 1.0})


def quantity(text):
    number, _, unit = text.strip().partition(" ")
    return float(number) * UNITS[unit.strip()]


def air(height):
    """Density and speed of sound: U.S. Standard Atmosphere 1976, by way of the pressure."""
    geopotential = height * 6356766.0 / (6356766.0 + height)
    temperature = 288.15 - 0.0065 * geopotential
    pressure = 101325.0 * (288.15 / temperature) ** (-9.80665 * 0.0289644 / (8.31432 * 0.0065))
    return pressure * 0.0289644 / (8.31432 * temperature), sqrt(1.4 * 8.31432 * temperature / 0.0289644)


def along(points, values, x, edge):
    """Linear interpolation of values, which may be rows."""
    k = int(np.clip(np.searchsorted(points, x, side="right") - 1, 0, len(points) - 2))
    share = (x - points[k]) / (points[k + 1] - points[k])
    if edge == "hold":
        share = min(max(share, 0.0), 1.0)
    return (1 - share) * np.asarray(values[k]) + share * np.asarray(values[k + 1])


def look_up(table, variables):
    value = table.values
    for name, points in table.axes:
        value = along(points, value, variables[name], table.edge)
    return float(value)


class Propulsion:
    """Thrust, torque on the airframe, angular momentum and acceleration of the shaft."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        folder = os.path.dirname(os.path.abspath(path))
        tables = {name: read_table(entry, folder) for name, entry in data.get("tables", {}).items()}
        self.data = data["propulsion"]
        self.kind = self.data["kind"]
        self.position = [quantity(text) for text in self.data["position"]]
        if self.kind != "beard":
            self.thrust_table, self.power_table = tables[self.data["thrust"]], tables[self.data["power"]]
            motor, battery = self.data["motor"], data["battery"]
            self.constant = 1 / quantity(motor["kv"])
            self.resistance, self.idle = quantity(motor["resistance"]), quantity(motor["no_load_current"])
            self.inertia = quantity(self.data["inertia"])
            self.inner, self.voltage = quantity(battery["resistance"]), quantity(battery["voltage"])
            if "open_circuit_voltage" in battery:
                self.voltage = look_up(tables[battery["open_circuit_voltage"]], {"charge": 1.0})

    def at(self, density, forward, throttle, speed):
        if self.kind == "beard":
            area = quantity(self.data["area"]) * self.data["coefficient"]
            leaving = quantity(self.data["motor_constant"]) * throttle
            return 0.5 * density * area * (leaving**2 - forward**2), 0.0, 0.0, speed
        if self.kind == "propeller":
            turns, diameter = speed / (2 * pi), quantity(self.data["diameter"])
            variables = {"advance_ratio": forward / (turns * diameter)}
            thrust = density * turns**2 * diameter**4 * look_up(self.thrust_table, variables)
            power = density * turns**3 * diameter**5 * look_up(self.power_table, variables)
        else:
            share = density / quantity(self.data["density"])
            variables = {"motor_speed": speed, "airspeed": forward}
            thrust, power = (share * look_up(table, variables) for table in (self.thrust_table, self.power_table))
        # The battery gives `throttle` times the current of the motor at its voltage under that load.
        current = (throttle * self.voltage - self.constant * speed) / (self.resistance + throttle**2 * self.inner)
        torque = self.constant * (current - self.idle)
        return thrust, -torque, self.inertia * speed, (torque - power / speed) / self.inertia


class Flight:
    def __init__(self, path, height):
        self.aircraft, self.propulsion = Aircraft(path), Propulsion(path)
        mass = self.aircraft.mass
        cross = -mass.get("ixz", 0.0)
        self.inertia = np.array([[mass["ixx"], 0, cross], [0, mass["iyy"], 0], [cross, 0, mass["izz"]]])
        self.mass = mass["mass"]
        self.density, self.sound = air(height)

    def coefficients(self, variables):
        values = {}
        for name in ("lift", "drag", "side", "roll", "pitch", "yaw"):
            total = 0.0
            for value, table, times in self.aircraft.coefficients[name]:
                factor = look_up(table, variables) if table else 1.0
                total += value * factor * np.prod([variables[time] for time in times])
            values[name] = variables[name] = total
        return values

    def rates(self, state, controls):
        """Derivatives of V, alpha, beta, roll, pitch, p, q, r and of the speed of the shaft."""
        aileron, elevator, rudder, throttle, shaft = controls
        speed, alpha, beta, roll, pitch, p, q, r = state
        ca, sa, cb, sb = cos(alpha), sin(alpha), cos(beta), sin(beta)
        craft, pressure = self.aircraft, 0.5 * self.density * speed**2 * self.aircraft.area
        thrust, torque, momentum, shaft_rate = self.propulsion.at(self.density, speed * ca * cb, throttle, shaft)
        g1 = GRAVITY * (-ca * cb * sin(pitch) + (sb * sin(roll) + sa * cb * cos(roll)) * cos(pitch))
        g2 = GRAVITY * (ca * sb * sin(pitch) + (cb * sin(roll) - sa * sb * cos(roll)) * cos(pitch))
        g3 = GRAVITY * (sa * sin(pitch) + ca * cos(roll) * cos(pitch))

        def with_alpha_rate(rate):
            c = self.coefficients({
                "alpha": alpha, "beta": beta, "airspeed": speed, "mach": speed / self.sound,
                "p_hat": p * craft.span / (2 * speed), "q_hat": q * craft.chord / (2 * speed),
                "r_hat": r * craft.span / (2 * speed), "alpha_rate_hat": rate * craft.chord / (2 * speed),
                "aileron": aileron, "elevator": elevator, "rudder": rudder, "flap": 0.0,
            })
            upward = -pressure * c["lift"] - thrust * sa
            found = q - tan(beta) * (p * ca + r * sa) + (upward / self.mass + g3) / (speed * cb)
            return found, c

        # alpha' = a + b alpha': two points of the straight line tell where it meets itself.
        at_zero, at_one = with_alpha_rate(0.0)[0], with_alpha_rate(1.0)[0]
        alpha_rate, c = with_alpha_rate(at_zero / (1 - at_one + at_zero))
        forward, sideways = -pressure * c["drag"], pressure * c["side"]
        if craft.axes == "stability":
            forward, sideways = forward * cb + sideways * sb, sideways * cb - forward * sb
        speed_rate = (forward + thrust * ca * cb) / self.mass + g1
        beta_rate = p * sa - r * ca + ((sideways - thrust * ca * sb) / self.mass + g2) / speed
        # Forces of the air in the body, for their moment about the centre of mass.
        lift = pressure * c["lift"]
        force = np.array([forward * ca * cb - sideways * ca * sb + lift * sa, forward * sb + sideways * cb,
                          forward * sa * cb - sideways * sa * sb - lift * ca])
        moment = pressure * np.array([craft.span * c["roll"], craft.chord * c["pitch"], craft.span * c["yaw"]])
        moment = moment + np.cross(craft.moment_reference, force)
        moment = moment + np.cross(self.propulsion.position, [thrust, 0, 0]) + [torque, 0, 0]
        turning = np.array([p, q, r])
        spin = np.linalg.solve(self.inertia, moment - np.cross(turning, self.inertia @ turning + [momentum, 0, 0]))
        roll_rate = p + tan(pitch) * (q * sin(roll) + r * cos(roll))
        pitch_rate = q * cos(roll) - r * sin(roll)
        return np.array([speed_rate, alpha_rate, beta_rate, roll_rate, pitch_rate, *spin, shaft_rate])

    def trimmed(self, x, airspeed, path):
        alpha, beta, aileron, elevator, rudder, throttle, shaft = x
        pitch = alpha + asin(sin(path) / cos(beta))
        shaft *= 1000.0
        return [airspeed, alpha, beta, 0.0, pitch, 0.0, 0.0, 0.0], [aileron, elevator, rudder, throttle, shaft]

    def trim(self, airspeed, path):
        def rest(x):
            rates = self.rates(*self.trimmed(x, airspeed, path))
            return rates[[0, 1, 2, 5, 6, 7, 8]] * [1, 1, 1, 1, 1, 1, 1e-2]

        x = np.array([0.1, 0.0, 0.0, -0.05, 0.0, 0.5, 0.6 if self.propulsion.kind != "beard" else 0.0])
        now, damping = rest(x), 1e-3
        for _ in range(500):
            if np.abs(now).max() < 1e-11:
                break
            columns = [(rest(x + step) - rest(x - step)) / 2e-6 for step in np.eye(7) * 1e-6]
            slope = np.array(columns).T
            normal = slope.T @ slope
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)) + 1e-14 * np.eye(7), -slope.T @ now)
            then = rest(x + step)
            if then @ then < now @ now:
                x, now, damping = x + step, then, damping / 10
            else:
                damping = damping * 5 + 1e-15
            if damping > 1e12:
                break
        if np.abs(now).max() > 1e-7:
            sys.exit(f"no trim at {airspeed} m/s: {now}")
        return self.trimmed(x, airspeed, path)

    def modes(self, state, controls):
        base = np.array(state)
        columns = [(self.rates(base + step, controls) - self.rates(base - step, controls))[:8] / 2e-6
                   for step in np.eye(8) * 1e-6]
        values, vectors = np.linalg.eig(np.array(columns).T)
        # V, alpha, pitch and q belong to motion in the plane of symmetry.
        shares = np.abs(vectors) * np.array([1 / base[0], 1, 1, 1, 1, 0.1, 0.1, 0.1])[:, None]
        is_along = (shares[[0, 1, 4, 6]]**2).sum(0) > (shares[[2, 3, 5, 7]]**2).sum(0)
        lengthwise = sorted(values[is_along], key=abs)
        across = values[~is_along]
        pair = [value for value in across if value.imag > 1e-9]
        real = sorted((value.real for value in across if abs(value.imag) <= 1e-9), key=abs)
        both = lambda value: [value.real, abs(value.imag)]  # noqa: E731
        return {"short_period": both(lengthwise[-1]), "phugoid": both(lengthwise[0]),
                "dutch_roll": both(pair[0]), "roll": real[-1], "spiral": real[0]}


def main():
    path, wanted = sys.argv[1], json.loads(sys.argv[2])
    results = []
    for airspeed, height, angle in wanted:
        flight = Flight(path, height)
        state, controls = flight.trim(airspeed, angle)
        results.append({
            "alpha": state[1], "beta": state[2], "pitch": state[4], "aileron": controls[0],
            "elevator": controls[1], "rudder": controls[2], "throttle": controls[3], "motor_speed": controls[4],
            **flight.modes(state, controls),
        })
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
