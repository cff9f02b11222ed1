"""A controller that holds a quadrotor of some 2 kg at a height, and where the origin is, from what its sensors say.

    position, velocity ──► acceleration ──► tilt ──► rates ──► moments ──► speeds of the rotors
         observer              PD             P        P, I     mixer

The rotors are in the order of PX4: front right, back left, front left, back right; the first two turn
counter-clockwise. Vectors are forward, starboard, down, or north, east, down.
"""

import math

GRAVITY = 9.81
MASS = 2.05                                   # kg; what is not exact is found by integration
INERTIA = (0.024, 0.024, 0.044)               # kg m²
ARM = 0.174                                   # m, forward and to the side
THRUST = 8.55e-6                              # N s²/rad²
YAW = 0.016                                   # m: moment per thrust
TOP_SPEED = 1000.0                            # rad/s
ROTORS = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1))      # forward, starboard, turns
STEP = 0.002                                  # s


def clamp(x, limit):
    return max(-limit, min(limit, x))


class Hover:
    inputs = {"ready": "bool", "rates": "rad/s [3] body", "acceleration": "m/s^2 [3] body", "orientation": "attitude",
              "altitude": "m", "position": "m [3] ned"}
    outputs = {f"motor_{number}": "rad/s" for number in (1, 2, 3, 4)}

    def __init__(self, height):
        self.height = height
        self.place = None                     # north, east, up
        self.velocity = [0.0, 0.0, 0.0]
        self.lift = 0.0                       # m/s², found by integration
        self.trim = [0.0, 0.0, 0.0]           # rad/s², found by integration

    def step(self, t, inputs):
        if not inputs["ready"]:
            return {name: 0.0 for name in self.outputs}
        w, x, y, z = inputs["orientation"]
        roll = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        self.observe(inputs, (w, x, y, z))
        wanted = [clamp(-1.2 * p - 1.8 * v, 3.0) for p, v in zip(self.place[:2], self.velocity)]
        off = clamp(self.height - self.place[2], 0.5)
        self.lift = clamp(self.lift + 3.0 * off * STEP, 3.0)
        up = 5.0 * off - 4.0 * self.velocity[2] + self.lift
        # The tilt that pushes it there, in the directions of a body that heads where yaw says.
        c, s = math.cos(yaw), math.sin(yaw)
        forward, starboard = c * wanted[0] + s * wanted[1], c * wanted[1] - s * wanted[0]
        tilt = (clamp(starboard / GRAVITY, 0.3), clamp(-forward / GRAVITY, 0.3), 0.0)
        gains, moments = (8.0, 8.0, 2.0), []
        for axis, angle in enumerate((roll, pitch, yaw)):
            slow = gains[axis] * (tilt[axis] - angle) - inputs["rates"][axis]
            self.trim[axis] = clamp(self.trim[axis] + 10.0 * slow * STEP, 5.0)
            moments.append(INERTIA[axis] * ((20.0 if axis < 2 else 8.0) * slow + self.trim[axis]))
        thrust = MASS * (GRAVITY + up) / max(0.5, math.cos(roll) * math.cos(pitch))
        return {f"motor_{n}": self.speed(thrust, moments, rotor) for n, rotor in enumerate(ROTORS, 1)}

    def observe(self, inputs, turn):
        """Integrates what the accelerometer feels, and follows the slower sensors."""
        north, east, _ = inputs["position"]
        seen = (north, east, inputs["altitude"])
        if self.place is None:
            self.place = list(seen)
        felt = rotate(turn, inputs["acceleration"])
        for axis, a in enumerate((felt[0], felt[1], -felt[2] - GRAVITY)):
            error = seen[axis] - self.place[axis]
            self.place[axis] += (self.velocity[axis] + 6.0 * error) * STEP
            self.velocity[axis] += (a + 9.0 * error) * STEP

    @staticmethod
    def speed(thrust, moments, rotor):
        forward, starboard, turns = rotor
        share = thrust + (forward * moments[1] - starboard * moments[0]) / ARM + turns * moments[2] / YAW
        return min(TOP_SPEED, math.sqrt(max(0.0, share / 4 / THRUST)))


def rotate(turn, v):
    """A vector of the body in north, east, down."""
    w, x, y, z = turn
    a = 2 * (y * v[2] - z * v[1])
    b = 2 * (z * v[0] - x * v[2])
    c = 2 * (x * v[1] - y * v[0])
    return (v[0] + w * a + y * c - z * b, v[1] + w * b + z * a - x * c, v[2] + w * c + x * b - y * a)
