"""MuJoCo flies quadrotors: prints the CPU seconds that some steps took.

    mujoco_quadrotors.py VEHICLES STEPS hover|rest|land

Each vehicle is a free body with a box, four thrusts, a gyroscope and an accelerometer, over a plane and beside four
boxes; Euler's method, 1 kHz, `mj_step` with all steps in one call.
"""

import math
import sys
import time

import mujoco

count, steps, manner = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
height = {"hover": 2.0, "rest": 0.1, "land": 0.4}[manner]
columns = math.ceil(math.sqrt(count))
arm = 0.174

bodies, actuators, sensors = [], [], []
for number in range(count):
    x, y = 5.0 * (number // columns), 5.0 * (number % columns)
    sites = "".join(
        f'<site name="rotor{number}_{n}" pos="{sx * arm} {sy * arm} 0.06"/>'
        for n, (sx, sy) in enumerate([(1, 1), (-1, -1), (1, -1), (-1, 1)])
    )
    bodies.append(
        f'<body name="quad{number}" pos="{x} {y} {height}"><freejoint/>'
        f'<inertial pos="0 0 0" mass="2.064" diaginertia="0.024 0.024 0.044"/>'
        f'<geom type="box" size="0.2 0.2 0.1" friction="0.8 0.005 0.0001"/>'
        f'<site name="imu{number}"/>{sites}</body>'
    )
    for n, turn in enumerate([-1, -1, 1, 1]):
        actuators.append(
            f'<motor site="rotor{number}_{n}" gear="0 0 1 0 0 {0.016 * turn}" ctrlrange="0 9"/>'
        )
    sensors.append(f'<gyro site="imu{number}"/><accelerometer site="imu{number}"/>')

boxes = "".join(f'<geom type="box" size="1 1 0.5" pos="-30 {5 * n} 0.5"/>' for n in range(4))
model = mujoco.MjModel.from_xml_string(
    '<mujoco><option timestep="0.001" integrator="Euler" gravity="0 0 -9.80665"/><worldbody>'
    f'<geom type="plane" size="0 0 1" friction="0.8 0.005 0.0001"/>{boxes}{"".join(bodies)}</worldbody>'
    f'<actuator>{"".join(actuators)}</actuator><sensor>{"".join(sensors)}</sensor></mujoco>'
)
data = mujoco.MjData(model)
weight = 2.064 * 9.80665 / 4.0
data.ctrl[:] = {"hover": weight, "rest": 0.0, "land": 0.8 * weight}[manner]
mujoco.mj_step(model, data, nstep=100)
begin = time.process_time()
mujoco.mj_step(model, data, nstep=steps)
took = time.process_time() - begin
deepest = max((-contact.dist for contact in data.contact), default=0.0)
print(took, len(data.contact), deepest, data.qpos[2])
