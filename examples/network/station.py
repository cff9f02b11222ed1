"""A station on an Ethernet, as a simulator of its own: `station.py ping LINK` asks every millisecond, `station.py echo LINK`
answers (ICMP echo, RFC 792). Time is that of the link."""

import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "python"))
from ironbird_link import NET, Link  # noqa: E402

MS = 1_000_000_000  # in picoseconds
PINGER, ECHO = bytes.fromhex("020000000001"), bytes.fromhex("020000000002")
ADDRESS = {PINGER: bytes([10, 0, 0, 1]), ECHO: bytes([10, 0, 0, 2])}
REQUEST, REPLY = 8, 0


def checksum(data):
    """The checksum of the internet, RFC 1071."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", 0xFFFF - total)


def frame(source, target, kind, number):
    """An Ethernet frame with an ICMP echo in an IPv4 packet."""
    echo = struct.pack("!BBHHH", kind, 0, 0, 1, number) + b"ironbird"
    echo = echo[:2] + checksum(echo) + echo[4:]
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(echo), number, 0, 64, 1, 0)
    head += ADDRESS[source] + ADDRESS[target]
    head = head[:10] + checksum(head) + head[12:]
    return target + source + b"\x08\x00" + head + echo


def main(role, url):
    link = Link.open(url, NET)
    now, asked, answered = 0, 0, []
    while not link.has_ended:
        link.sync(now)
        if role == "ping" and now == asked * MS:
            asked += 1
            link.send_frame(now, frame(PINGER, ECHO, REQUEST, asked))
        for message in link.due(now):
            got = message.frame()
            kind, number = got[34], struct.unpack_from("!H", got, 40)[0]
            if role == "echo" and kind == REQUEST:
                link.send_frame(now, frame(ECHO, PINGER, REPLY, number))
            elif role == "ping" and kind == REPLY:
                answered.append(now - (number - 1) * MS)
                print(f"answer {number} after {answered[-1] / 1e6} us", flush=True)
        next_request = asked * MS if role == "ping" else 1 << 63
        now = min(link.horizon, link.next_sync(), next_request)


if __name__ == "__main__":
    main(*sys.argv[1:])
