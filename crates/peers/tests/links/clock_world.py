"""A world whose altitude is the time in ms; prints when, in µs, a rotor was told what."""
import sys

sys.path.append(sys.argv[1])
from ironbird_world import Actuator, Device, Sensor, serve

url, step = sys.argv[2], 1_000_000_000
time = 0


def simulate(now):
    global time
    time = now // step


sensors = [Sensor("altitude", highest=500), Sensor("angular_velocity", push=False)]
motors = [Actuator("rotor_speed", 0, 900, number) for number in (0, 1)]
device = Device.open(url, int(sys.argv[3]), sensors, motors, lambda sensor, now: [time, 0.25, -1e9],
                     lambda actuator, value, now: print(now // 1_000_000, actuator, value))
serve([device], step, simulate, until=60 * step)
