"""Lifts a level quadrotor to a height and holds it there."""

from math import sqrt

GRAVITY = 9.80665
THRUST_CONSTANT = 8.54858e-6


class Hover:
    inputs = {"position": "m [3] ned", "velocity": "m/s [3] ned"}
    outputs = {"speed": "rad/s", "armed": "bool"}

    def __init__(self, height, mass=2.064308):
        self.height, self.mass = height, mass

    def step(self, t, inputs):
        below = inputs["position"][2] + self.height
        lift = GRAVITY + 1.5 * below + 2.5 * inputs["velocity"][2]
        thrust = self.mass * min(max(lift, 0.0), 15.0)
        return {"speed": sqrt(thrust / (4 * THRUST_CONSTANT)), "armed": True}

    def save(self):
        return None

    def load(self, state):
        pass
