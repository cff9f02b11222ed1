class Balance:
    """F = -k · (position, velocity, angle, angular velocity), within a limit."""

    inputs = {"position": "m", "velocity": "m/s", "angle": "rad", "angular_velocity": "rad/s"}
    outputs = {"force": "N"}

    gains = {"position": -22.91, "velocity": -22.04, "angle": -113.9, "angular_velocity": -26.12}

    def __init__(self, limit):
        self.limit = limit

    def step(self, t, inputs):
        force = -sum(gain * inputs[name] for name, gain in self.gains.items())
        return {"force": max(-self.limit, min(self.limit, force))}

    # There is nothing to remember, and a checkpoint may know that.
    def save(self):
        return None

    def load(self, state):
        pass
