"""The other side: Eclipse Cyclone DDS with the names and messages of ROS 2, on the loopback interface only.

usage: peer.py encode
       peer.py listen <domain> [best-effort] <topic>=<type> ...
       peer.py talk <domain> [best-effort] <topic>=<type>

`encode` prints, for each type, the sample below and its CDR bytes. `listen` prints "matched" when all topics
have a publisher, then each message as JSON. `talk` prints "matched" when somebody listens, and then sends what
it reads from standard input, one JSON list of numbers a line. Both end when standard input does.
"""

import dataclasses
import json
import os
import select
import sys
import time
import types

# Nothing leaves this machine: the loopback interface, no multicast, peers on it by their ports.
os.environ["CYCLONEDDS_URI"] = """
<CycloneDDS><Domain>
  <General>
    <Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces>
    <AllowMulticast>false</AllowMulticast>
  </General>
  <Discovery>
    <ParticipantIndex>auto</ParticipantIndex>
    <Peers><Peer address="127.0.0.1"/></Peers>
  </Discovery>
</Domain></CycloneDDS>"""

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import final
from cyclonedds.idl.types import array, float64, int32, sequence, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

LONGEST = 60.0  # seconds that it waits for the other side


def message(ros, **fields):
    """A message type with the DDS name of a ROS 2 one."""
    package, kind, name = ros.split("/")
    made = types.new_class(
        name, (IdlStruct,), {"typename": f"{package}::{kind}::dds_::{name}_"},
        lambda space: space.update(__annotations__=fields, __module__=__name__))
    return final(dataclasses.dataclass(made))


Time = message("builtin_interfaces/msg/Time", sec=int32, nanosec=uint32)
Header = message("std_msgs/msg/Header", stamp=Time, frame_id=str)
Vector3 = message("geometry_msgs/msg/Vector3", x=float64, y=float64, z=float64)
Point = message("geometry_msgs/msg/Point", x=float64, y=float64, z=float64)
Quaternion = message("geometry_msgs/msg/Quaternion", x=float64, y=float64, z=float64, w=float64)
Pose = message("geometry_msgs/msg/Pose", position=Point, orientation=Quaternion)
Transform = message("geometry_msgs/msg/Transform", translation=Vector3, rotation=Quaternion)
Twist = message("geometry_msgs/msg/Twist", linear=Vector3, angular=Vector3)
PoseWithCovariance = message(
    "geometry_msgs/msg/PoseWithCovariance", pose=Pose, covariance=array[float64, 36])
TwistWithCovariance = message(
    "geometry_msgs/msg/TwistWithCovariance", twist=Twist, covariance=array[float64, 36])
TransformStamped = message(
    "geometry_msgs/msg/TransformStamped", header=Header, child_frame_id=str, transform=Transform)

TYPES = {
    "Clock": message("rosgraph_msgs/msg/Clock", clock=Time),
    "Imu": message(
        "sensor_msgs/msg/Imu", header=Header,
        orientation=Quaternion, orientation_covariance=array[float64, 9],
        angular_velocity=Vector3, angular_velocity_covariance=array[float64, 9],
        linear_acceleration=Vector3, linear_acceleration_covariance=array[float64, 9]),
    "PoseStamped": message("geometry_msgs/msg/PoseStamped", header=Header, pose=Pose),
    "Vector3Stamped": message("geometry_msgs/msg/Vector3Stamped", header=Header, vector=Vector3),
    "Twist": Twist,
    "Float64": message("std_msgs/msg/Float64", data=float64),
    "Odometry": message(
        "nav_msgs/msg/Odometry", header=Header, child_frame_id=str,
        pose=PoseWithCovariance, twist=TwistWithCovariance),
    "TFMessage": message("tf2_msgs/msg/TFMessage", transforms=sequence[TransformStamped]),
}


def leaves(sample):
    """The numbers and texts of a message, in order."""
    if isinstance(sample, IdlStruct):
        return [leaf for field in dataclasses.fields(sample) for leaf in leaves(getattr(sample, field.name))]
    if isinstance(sample, (list, tuple)):
        return [leaf for part in sample for leaf in leaves(part)]
    return [sample]


def filled(kind, values):
    """A message of these numbers, in order; a text is made of its number, a sequence has two elements."""
    def part(of):
        if isinstance(of, type) and issubclass(of, IdlStruct):
            return filled(of, values)
        if of is str:
            return "x" * (int(next(values)) % 7)
        shape = of.__metadata__[0]  # numbers and arrays are annotated
        if not isinstance(shape, str):
            return [part(shape.subtype) for _ in range(getattr(shape, "length", 2))]
        value = next(values)
        return int(value) if of in (int32, uint32) else float(value)
    return kind(**{field.name: part(field.type) for field in dataclasses.fields(kind)})


def encode():
    """Samples whose leaves are 1.5, 2.5, 3.5, …; whole numbers are rounded down."""
    for name, kind in TYPES.items():
        sample = filled(kind, iter([k + 1.5 for k in range(200)]))
        content = sample.serialize(use_version_2=False)
        print(json.dumps({"type": name, "leaves": leaves(sample), "bytes": list(content)}))


def say(content):
    print(content, flush=True)


def await_match(entities):
    """Waits until every reader or writer has somebody at the other end."""
    started = time.monotonic()
    while not all(len(entity) for entity in map(matched, entities)):
        if time.monotonic() - started > LONGEST:
            raise SystemExit("nobody at the other end within a minute")
        time.sleep(0.005)
    say("matched")


def matched(entity):
    reader = isinstance(entity, DataReader)
    return entity.get_matched_publications() if reader else entity.get_matched_subscriptions()


def main():
    command, *arguments = sys.argv[1:]
    if command == "encode":
        return encode()
    domain, *arguments = arguments
    best_effort = arguments[0] == "best-effort"
    reliability = (
        Policy.Reliability.BestEffort if best_effort else Policy.Reliability.Reliable(duration(seconds=1)))
    qos = Qos(
        reliability, Policy.History.KeepLast(1000), Policy.Durability.Volatile,
        Policy.DataRepresentation(use_cdrv0_representation=True))
    participant = DomainParticipant(int(domain))
    topics = []
    for argument in arguments[1:] if best_effort else arguments:
        name, kind = argument.split("=")
        topics.append((name, kind, Topic(participant, "rt" + name, TYPES[kind], qos=qos)))
    say("ready")
    if command == "listen":
        readers = [(name, DataReader(participant, topic, qos=qos)) for name, _, topic in topics]
        await_match([reader for _, reader in readers])
        while True:
            for name, reader in readers:
                for sample in reader.take(N=100):
                    if isinstance(sample, IdlStruct):
                        say(json.dumps({"topic": name, "leaves": leaves(sample)}))
            if select.select([sys.stdin], [], [], 0.002)[0] and not sys.stdin.readline():
                return None
    (_, kind, topic), = topics
    writer = DataWriter(participant, topic, qos=qos)
    await_match([writer])
    for line in sys.stdin:
        writer.write(filled(TYPES[kind], iter(map(float, json.loads(line)))))
        say("sent")
    return None


if __name__ == "__main__":
    sys.exit(main())
