"""MAVLink as pymavlink reads and writes it.

encode VERSION: prints messages of MAVLink 1 or 2 as hexadecimal digits, one a line.
decode HEX...: prints what it reads in each argument, one a line.
"""

import os
import sys

os.environ["MAVLINK20"] = "1"
from pymavlink.dialects.v20 import common as mavlink  # noqa: E402


class Bytes:
    def __init__(self):
        self.written = b""

    def write(self, data):
        self.written += bytes(data)


def encode(version):
    out = Bytes()
    link = mavlink.MAVLink(out, srcSystem=3, srcComponent=1)
    link.seq = 250
    send_as = link.send
    link.send = lambda message, **_: send_as(message, force_mavlink1=version == "1")
    send = [
        lambda: link.heartbeat_send(2, 0, 209, 4, 4),
        lambda: link.global_position_int_send(5000, -338567840, 1512153000, 25000, 20500, 150, -20, -300, 9000),
        lambda: link.attitude_send(5000, 0.25, -0.5, 1.5, 0.0, 0.0, 0.0),
        lambda: link.command_ack_send(22, 1, 50, 7, 255, 190),
        lambda: link.mission_request_int_send(255, 190, 4, 0),
        lambda: link.mission_ack_send(255, 190, 0, 0),
        lambda: link.param_value_send(b"ATT_ROLL_P", 6.5, 9, 100, 3),
        lambda: link.statustext_send(4, b"low battery", 0, 0),
        lambda: link.named_value_float_send(7, b"loop_rate", 400.0),
    ]
    for one in send:
        out.written = b""
        one()
        print(out.written.hex())


def shown(value):
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def decode(arguments):
    for argument in arguments:
        link = mavlink.MAVLink(None)
        for message in link.parse_buffer(bytearray.fromhex(argument)) or []:
            fields = " ".join(f"{name}={shown(getattr(message, name))}" for name in message.fieldnames)
            header = f"{message.get_srcSystem()}/{message.get_srcComponent()} #{message.get_seq()}"
            print(f"{header} {message.get_type()} {fields}")


if sys.argv[1] == "encode":
    encode(sys.argv[2])
else:
    decode(sys.argv[2:])
