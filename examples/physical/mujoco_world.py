"""A quadrotor in MuJoCo, for a board elsewhere to fly over the physical interface.

    python3 mujoco_world.py listen:quad.sock::latency=500000 [--until SECONDS]

Needs the package mujoco. Ends with the board, or at the time given, and then prints how long that took.
"""

import argparse
import math
import os
import sys
import time

import mujoco

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "python"))
from ironbird_world import Actuator, Device, Sensor, serve  # noqa: E402

STEP = 1_000_000_000                          # ps: 1 ms
THRUST = 8.6e-6                               # N s²/rad²
YAW = 0.016                                   # m: moment per thrust
RISE, FALL = 0.0125, 0.025                    # s: time constants of the motors
ORIGIN = (47.398, 8.546)                      # degrees

# MuJoCo's axes are forward, port, up; in the world north, west, up. Motors are in the order of PX4.
MODEL = f"""
<mujoco model="quadrotor">
  <option timestep="0.001" integrator="RK4" density="1.2" viscosity="1.8e-5"/>
  <worldbody>
    <geom name="ground" type="plane" size="50 50 1"/>
    <body name="quad" pos="0.3 0.2 1">
      <freejoint/>
      <inertial pos="0 0 0" mass="2.0" diaginertia="0.022 0.023 0.041"/>
      <geom type="box" size="0.12 0.12 0.04" mass="0"/>
      <site name="centre"/>
      <site name="front_right" pos=" 0.174 -0.174 0.05"/>
      <site name="back_left"   pos="-0.174  0.174 0.05"/>
      <site name="front_left"  pos=" 0.174  0.174 0.05"/>
      <site name="back_right"  pos="-0.174 -0.174 0.05"/>
    </body>
  </worldbody>
  <actuator>
    <motor site="front_right" gear="0 0 1 0 0 {-YAW}"/>
    <motor site="back_left"   gear="0 0 1 0 0 {-YAW}"/>
    <motor site="front_left"  gear="0 0 1 0 0 {YAW}"/>
    <motor site="back_right"  gear="0 0 1 0 0 {YAW}"/>
  </actuator>
  <sensor>
    <gyro site="centre"/>
    <accelerometer site="centre"/>
  </sensor>
</mujoco>
"""


class Quadrotor:
    def __init__(self):
        self.model = mujoco.MjModel.from_xml_string(MODEL)
        self.data = mujoco.MjData(self.model)
        self.wanted = [0.0] * 4
        self.speeds = [0.0] * 4
        self.steps = 0
        mujoco.mj_forward(self.model, self.data)

    def simulate(self, now):
        """Brings the world to a time: by a step, but for the first."""
        if now == 0:
            return
        for n, (wanted, speed) in enumerate(zip(self.wanted, self.speeds)):
            lag = RISE if wanted > speed else FALL
            self.speeds[n] += (wanted - speed) * -math.expm1(-self.model.opt.timestep / lag)
            self.data.ctrl[n] = THRUST * self.speeds[n] ** 2
        mujoco.mj_step(self.model, self.data)
        # What sensors say is of the state before the step: once more for that after it.
        mujoco.mj_forward(self.model, self.data)
        self.steps += 1

    def read(self, sensor, now):
        data = self.data
        if sensor == 0:
            x, y, z = data.sensordata[0:3]
            return [x, -y, -z]
        if sensor == 1:
            x, y, z = data.sensordata[3:6]
            return [x, -y, -z]
        north, west, up, w, x, y, z = data.qpos
        if sensor == 2:
            return [w, x, -y, -z]
        if sensor == 3:
            return [up]
        # On the ellipsoid of WGS 84, close to the origin.
        latitude = math.radians(ORIGIN[0])
        flat = 1 - 6.69437999014e-3 * math.sin(latitude) ** 2
        across = 6378137.0 / math.sqrt(flat)
        along = across * (1 - 6.69437999014e-3) / flat
        east = math.degrees(-west / (across * math.cos(latitude)))
        return [ORIGIN[0] + math.degrees(north / along), ORIGIN[1] + east, up]

    def write(self, actuator, value, now):
        self.wanted[actuator] = value


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("link", help="listen:SOCKET:SHM or connect:SOCKET, with :latency=N in ns")
    arguments.add_argument("--until", type=float, help="when to end, in s")
    given = arguments.parse_args()
    quad = Quadrotor()
    metrics = ("angular_velocity", "acceleration", "orientation", "altitude", "position")
    motors = [Actuator("rotor_speed", 0, 1000, number) for number in range(4)]
    sensors = [Sensor(metric) for metric in metrics]
    device = Device.open(given.link, 0, sensors, motors, quad.read, quad.write)
    start = time.monotonic()
    until = None if given.until is None else round(given.until * 1e12)
    end = serve([device], STEP, quad.simulate, until)
    wall = time.monotonic() - start
    print(f"{quad.steps} steps, {end / 1e12:.3f} s in {wall:.3f} s: {quad.steps / wall:.0f} steps/s; "
          f"it is at {quad.data.qpos[2]:.4f} m")


if __name__ == "__main__":
    main()
