"""Our MAVLink against pymavlink's: every message that we know, with random fields, there and back, byte for byte; and
random streams, in which frames stand among strays, noise, and frames that are damaged, cut short or not for us.

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


def understood(stream, classes):
    """The frames in a stream that are for us, found with all of it in view."""
    found, at = [], 0
    while at < len(stream):
        frame = stream[at:]
        if frame[0] != 0xFD or (len(frame) > 2 and frame[2] & ~1):
            at += 1
            continue
        whole = 10 + frame[1] + 2 + 13 * (frame[2] & 1) if len(frame) > 2 else 3
        if len(frame) < whole or len(frame) < 10:
            break
        message_class = classes.get(int.from_bytes(frame[7:10], "little"))
        if message_class is None:
            if len(frame) == whole:
                break
            at += whole if frame[whole] in (0xFD, 0xFE) else 1
            continue
        end = 10 + frame[1]
        crc = mavlink.x25crc(frame[1:end] + bytes([message_class.crc_extra])).crc
        if crc.to_bytes(2, "little") != frame[end : end + 2]:
            at += 1
            continue
        found.append(frame[:whole])
        at += whole
    return found


def with_flags(frame, flags, crc_extra):
    """A frame with these incompatibility flags, and a check sum that is right."""
    changed = bytearray(frame)
    changed[2] = flags
    crc = mavlink.x25crc(bytes(changed[1:-2]) + bytes([crc_extra])).crc
    changed[-2:] = crc.to_bytes(2, "little")
    return bytes(changed)


def random_stream(frames, extras):
    """Frames, and what is none or not for us, in any order."""
    pieces = []
    for _ in range(60):
        frame, kind = random.choice(frames), random.randrange(9)
        extra = extras[int.from_bytes(frame[7:10], "little")]
        if kind == 0:
            pieces.append(b"\xfd" * random.randint(1, 3))
        elif kind == 1:
            pieces.append(random.randbytes(random.randint(1, 40)))
        elif kind == 2:
            pieces.append(with_flags(frame, random.randrange(2, 256), extra))
        elif kind == 3:
            at = random.randrange(1, len(frame))
            pieces.append(frame[:at] + bytes([frame[at] ^ 1 << random.randrange(8)]) + frame[at + 1 :])
        elif kind == 4:
            pieces.append(frame[: random.randrange(1, len(frame))])
        elif kind == 5:
            pieces.append(frame[:7] + b"\xef\xcd\xab" + frame[10:])
        elif kind == 6:
            pieces.append(with_flags(frame, 1, extra) + random.randbytes(13))
        else:
            pieces.append(frame)
    return b"".join(pieces)


def without_signature(frame, extras):
    """As it is sent on."""
    if frame[2] == 0:
        return frame
    return with_flags(frame[:-13], 0, extras[int.from_bytes(frame[7:10], "little")])


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

    by_id = {classes[name].id: classes[name] for name in names}
    extras = {number: message_class.crc_extra for number, message_class in by_id.items()}

    def answered(stream):
        return subprocess.run([pipe], input=stream, stdout=subprocess.PIPE, check=True).stdout

    # A stray byte costs nothing of what comes behind it.
    beat = bytes(mavlink.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3).pack(sender))
    if answered(b"\xfd" + beat * 14) != beat * 14:
        sys.exit("heartbeats behind a stray byte are lost")
    if answered(with_flags(beat, 2, extras[0]) + beat) != beat:
        sys.exit("a frame with a flag that we do not know is taken")
    if answered(with_flags(beat, 1, extras[0]) + bytes(13) + beat) != beat * 2:
        sys.exit("a frame that is signed is not taken")
    count = 0
    for number in range(400):
        stream = random_stream(frames, extras)
        expected = b"".join(without_signature(frame, extras) for frame in understood(stream, by_id))
        if answered(stream) != expected:
            sys.exit(f"random stream {number} is not understood as it should be")
        count += len(stream)
    print(f"400 random streams, {count} bytes, are understood as with all of them in view")


main()
