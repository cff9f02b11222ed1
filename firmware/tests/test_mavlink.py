"""Our MAVLink against pymavlink's: every message that we know, with random fields, there and back, byte for byte.

Usage: test_mavlink.py PIPE MESSAGES.txt
"""
import random
import struct
import subprocess
import sys

from pymavlink.dialects.v20 import common as mavlink


def random_field(kind, length):
    """A value of a field; sometimes 0, so that payloads are cut."""
    if random.random() < 0.3:
        return 0 if kind != "char" else ""
    if kind == "char":
        return "".join(random.choice("abcXYZ_09") for _ in range(random.randint(0, length))) if length else "x"
    if kind == "float":
        return struct.unpack("<f", struct.pack("<f", random.uniform(-1e6, 1e6)))[0]
    if kind == "double":
        return random.uniform(-1e6, 1e6)
    bits = {"8": 8, "1": 16, "3": 32, "6": 64}[kind.lstrip("uint")[0]]
    return random.randrange(2**bits) if kind.startswith("u") else random.randrange(-(2 ** (bits - 1)), 2 ** (bits - 1))


def random_message(message_class):
    values = []
    for name, kind in zip(message_class.fieldnames, message_class.fieldtypes):
        length = message_class.array_lengths[message_class.ordered_fieldnames.index(name)]
        if kind == "char":
            values.append(random_field(kind, length).encode())
        elif length:
            values.append([random_field(kind, 0) for _ in range(length)])
        else:
            values.append(random_field(kind, 0))
    return message_class(*values)


def main():
    pipe, list_file = sys.argv[1:]
    random.seed(1)
    with open(list_file) as file:
        names = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    classes = {c.msgname: c for c in mavlink.mavlink_map.values()}
    sender = mavlink.MAVLink(None, srcSystem=7, srcComponent=1)
    frames = []
    for name in names:
        for _ in range(40):
            frames.append(bytes(random_message(classes[name]).pack(sender)))
            sender.seq = (sender.seq + 1) % 256
    # Noise and a frame with a wrong check sum must not come back, and must not swallow what follows.
    damaged = bytearray(frames[0])
    damaged[-1] ^= 1
    stream = b"\x00\x55" + b"".join(frames) + bytes(damaged) + frames[1]
    answer = subprocess.run([pipe], input=stream, stdout=subprocess.PIPE, check=True).stdout
    expected = b"".join(frames) + frames[1]
    if answer != expected:
        at = next((i for i, (a, b) in enumerate(zip(answer, expected)) if a != b), min(len(answer), len(expected)))
        sys.exit(f"frames differ at byte {at} of {len(expected)} (got {len(answer)})")
    print(f"{len(frames)} frames of {len(names)} messages agree with pymavlink")


main()
