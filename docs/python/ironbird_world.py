"""A world behind the physical interface, for physical simulators in Python.

    from ironbird_world import Device, Sensor, serve

    device = Device.open("listen:imu:", 0, [Sensor("altitude")], [],
                         read=lambda sensor, now: [height], write=None)
    serve([device], step=1_000_000_000, simulate=move)          # move(now) at every millisecond

Needs `ironbird_link.py` beside it and nothing else. The book's chapter on SimBricks says what the words mean;
`docs/c/ironbird_physical.h` has the same for C. Times are whole picoseconds.
"""

import struct
import sys

from ironbird_link import PHYSICAL, Link

# Metrics: number, values, usual factor; vectors are in the body's forward, starboard, down.
METRICS = {
    "altitude": (0x01, 1, 100), "temperature": (0x02, 1, 1_000_000), "position": (0x03, 3, 1_000_000),
    "ground_velocity": (0x04, 1, 1000), "heading": (0x05, 1, 1000), "orientation": (0x06, 4, 1_000_000),
    "angular_velocity": (0x07, 3, 1_000_000), "acceleration": (0x08, 3, 1_000_000),
    "magnetic_field": (0x09, 3, 1_000_000_000), "pressure": (0x101, 1, 100), "airspeed": (0x102, 1, 1000),
    "range": (0x103, 1, 1000),
}
# Kinds of actuators: number, usual factor.
ACTUATORS = {"pulse_width": (0x01, 1000), "share": (0x02, 1_000_000), "rotor_speed": (0x03, 1000),
             "angle": (0x04, 1_000_000)}

_PART = struct.Struct("<QIII")
_I32 = (-(1 << 31), (1 << 31) - 1)
_PS = 1_000_000_000_000


def intro(device, sensors, actuators):
    """The introduction of a device with so many sensors and actuators."""
    return struct.pack("<3I", device, sensors, actuators)


class Sensor:
    """A sensor that a device has: a name of METRICS."""

    def __init__(self, metric, number=0, factor=None, highest=10_000, push=True):
        self.metric, self.number, self.highest, self.push_available = metric, number, highest, push
        self.id, self.values, usual = METRICS[metric]
        self.factor = factor or usual
        self.frequency = 0        # in Hz, where readings are pushed
        self.tick = 0
        self.is_cut = False


class Actuator:
    """An actuator that a device has: a name of ACTUATORS, and the least and the greatest value."""

    def __init__(self, kind, least, most, number=0, factor=None):
        self.kind, self.number, self.least, self.most = kind, number, least, most
        self.id, usual = ACTUATORS[kind]
        self.factor = factor or usual


class Device:
    """A device of a world, and the link over which an emulator uses it.

    read(sensor, now) returns the values of the sensor of this place in the list, in the units of the book's table;
    write(actuator, value, now) is told what an actuator is to do.
    """

    @staticmethod
    def open(url, number, sensors, actuators, read, write, patience=30.0):
        """Makes the link and the device."""
        link = Link.open(url, PHYSICAL, intro(number, len(sensors), len(actuators)), patience)
        return Device(link, number, sensors, actuators, read, write)

    def __init__(self, link, number, sensors, actuators, read, write):
        self.link, self.number = link, number
        self.sensors, self.actuators, self.read, self.write = sensors, actuators, read, write
        here = intro(number, len(sensors), len(actuators))
        if link.peer_intro != here:
            there = struct.unpack("<3I", link.peer_intro) if len(link.peer_intro) == 12 else link.peer_intro
            link.fail(f"the peer expects (device, sensors, actuators) = {there}, this is "
                       f"{struct.unpack('<3I', here)}")
        for request, sensor in enumerate(sensors):
            link.send(0, 0x40, _PART.pack(request, number, sensor.id, sensor.number)
                      + struct.pack("<IIB", sensor.factor, sensor.highest, sensor.push_available))
        for request, actuator in enumerate(actuators, len(sensors)):
            ends = (self._whole(end, actuator.factor)[0] for end in (actuator.least, actuator.most))
            link.send(0, 0x41, _PART.pack(request, number, actuator.id, actuator.number)
                      + struct.pack("<iiI", *ends, actuator.factor))

    @staticmethod
    def _whole(value, factor):
        """A value as a whole number, and whether it had to be cut."""
        number = round(value * factor) if value == value and abs(value) < 1e300 else 0
        cut = min(max(number, _I32[0]), _I32[1])
        return cut, cut != number or value != value

    def next(self):
        """When the device has something to do next."""
        pushes = (self._due(sensor) for sensor in self.sensors if sensor.frequency)
        return min([self.link.horizon, self.link.next_sync(), *pushes])

    @staticmethod
    def _due(sensor):
        return -(-sensor.tick * _PS // sensor.frequency)

    def tell(self, now):
        """Sends the readings that are due, and the time."""
        for at, sensor in enumerate(self.sensors):
            while sensor.frequency and self._due(sensor) <= now:
                self._answer(at, sensor.tick, now)
                sensor.tick += 1
        self.link.sync(now)

    def hear(self, now):
        """Waits until nothing more can come for now, and does what came."""
        for message in self.link.due(now):
            request, device, kind, number = _PART.unpack_from(message.fields)
            if device != self.number:
                self.link.fail(f"a message is about device {device}, not {self.number}")
            part = (kind, number)
            if message.kind == 0x60:
                self._configure(now, message.fields, request, part)
            elif message.kind == 0x61:
                self._answer(self._find(self.sensors, part, "sensor"), request, now)
            elif message.kind == 0x62:
                at = self._find(self.actuators, part, "actuator")
                (value,) = struct.unpack_from("<i", message.fields, 20)
                actuator = self.actuators[at]
                self.write(at, min(max(value / actuator.factor, actuator.least), actuator.most), now)
            else:
                self.link.fail(f"message type {message.kind:#04x} is not one of the physical interface")

    def _find(self, parts, part, what):
        for at, own in enumerate(parts):
            if (own.id, own.number) == part:
                return at
        self.link.fail(f"there is no {what} {part[1]} of kind {part[0]:#x} on this device")

    def _configure(self, now, fields, request, part):
        push, frequency, factor = struct.unpack_from("<BxxxII", fields, 20)
        found = [sensor for sensor in self.sensors if (sensor.id, sensor.number) == part]
        reason = 0
        if not found:
            reason, limit, why = 1, 0, "there is no such sensor"
        elif push and not found[0].push_available:
            reason, limit, why = 3, 0, "it does not push its readings"
        elif push and not 0 < frequency <= found[0].highest:
            reason, limit = 2, found[0].highest
            why = f"its frequency must be 1 to {limit} Hz"
        if reason:
            self.link.send(now, 0x43, _PART.pack(request, self.number, *part) + struct.pack("<II", reason, limit))
            self.link.fail(f"sensor {part[1]} of kind {part[0]:#x} cannot be used as wished: {why}")
        (sensor,) = found
        sensor.factor = factor or sensor.factor
        sensor.frequency = frequency if push else 0
        sensor.tick = -(-now * sensor.frequency // _PS)

    def _answer(self, at, request, now):
        sensor, values = self.sensors[at], [0] * 8
        for n, value in enumerate(self.read(at, now)[:sensor.values]):
            values[n], is_cut = self._whole(value, sensor.factor)
            if is_cut and not sensor.is_cut:
                sensor.is_cut = True
                print(f"link `{self.link.name}`: a value of {sensor.metric} does not fit and is cut to the nearest "
                      "that does; it is not told again", file=sys.stderr)
        self.link.send(now, 0x42, _PART.pack(request, self.number, sensor.id, sensor.number)
                       + struct.pack("<7i", *values[:7]), tail=struct.pack("<i", values[7]))


def serve(devices, step, simulate, until=None):
    """Runs a world with its devices until all peers have ended, or to a time.

    simulate(now) is called at every multiple of step, zero included, and brings the world to now; what it reads of
    actuators is what they were told before. All devices tell before one of them hears, and none waits for what its
    peer does later than now: so several links to one peer never wait for each other.
    """
    now = tick = 0
    while until is None or now <= until:
        if now == tick * step:
            simulate(now)
            tick += 1
        for device in devices:
            device.tell(now)
        for device in devices:
            device.hear(now)
        devices = [device for device in devices if not device.link.has_ended]
        if not devices:
            return now
        now = min([tick * step] + [device.next() for device in devices])
    for device in devices:
        device.link.finish()
    return now
