"""Links to other simulators, for simulators in Python.

    from ironbird_link import NET, Link

    link = Link.open("connect:eth:latency=500", NET)
    now = 0
    while not link.has_ended:
        link.sync(now)
        for message in link.due(now):
            link.send_frame(now, message.frame())               # sends back what it gets
        now = min(link.horizon, link.next_sync())

One file without dependencies: copy it beside your simulator; `ironbird_world.py` has the physical interface. The book's
chapter on SimBricks says what the words mean. Times are whole picoseconds.

A link is two queues in shared memory. A slot is a header of 64 bytes and room for a payload:

    0    48 bytes of the upper layer
    48   u64 time stamp: when the receiver is to handle the message
    56   7 bytes, of which the physical interface uses 4
    63   u8  type, with bit 7 set while the message belongs to the receiver

The last byte is written last, and read first. That other processors see stores in the order in which Python makes them
is so on x86-64, and not on every machine: there this module says so and stops.
"""

import array
import mmap
import os
import platform
import select
import socket
import struct
import time

NET, PHYSICAL = 1, 4
SYNC, TERMINATE = 0x00, 0x01
PACKET = 0x40

_HEADER = 64
_STAMP = struct.Struct("<Q")
_LISTENER = struct.Struct("<10Q")
_CONNECTER = struct.Struct("<4Q")
_OFFERS, _REQUIRES = 1, 2
# Bytes of a slot, as SimBricks' own programs choose them.
_ELEN = {NET: 1600, PHYSICAL: 64}


class LinkError(Exception):
    """What is wrong with a link, and on which."""


class Message:
    """A message that is due."""

    __slots__ = ("kind", "timestamp", "fields", "tail", "_payload")

    def __init__(self, kind, timestamp, fields, tail, payload):
        self.kind, self.timestamp, self.fields, self.tail = kind, timestamp, fields, tail
        self._payload = payload

    def frame(self):
        """The Ethernet frame of a NET link."""
        if self.kind != PACKET:
            raise LinkError(f"message type {self.kind:#04x} is not one of NET")
        (length,) = struct.unpack_from("<H", self.fields)
        if length > len(self._payload):
            raise LinkError(f"a frame of {length} bytes in a slot with room for {len(self._payload)}")
        return self._payload[:length]


class Link:
    """One end of an established link."""

    @staticmethod
    def open(url, protocol, intro=b"\0\0\0\0", patience=30.0):
        """Makes a link as it is written on command lines, and waits for the peer:
        connect:SOCKET[:latency=N][:sync_interval=N] or listen:SOCKET:SHM[:…], N in nanoseconds.
        """
        parts = url.split(":")
        role, places = parts[0], {"connect": 1, "listen": 2}.get(parts[0], 0)
        if not places or len(parts) <= places or not parts[1]:
            raise LinkError(f"`{url}` is neither connect:SOCKET nor listen:SOCKET:SHM")
        options = {"latency": 500, "sync_interval": None}
        for option in parts[1 + places:]:
            name, _, value = option.partition("=")
            if name == "sync" and value in ("true", "false"):
                if value == "false":
                    raise LinkError(f"`{url}`: only synchronised links are spoken here")
            elif name in options and value.isascii() and value.isdigit():
                options[name] = int(value)
            else:
                raise LinkError(f"`{url}`: `{option}` is not sync=true, latency=N or sync_interval=N")
        latency = 1000 * options["latency"]
        interval = latency if options["sync_interval"] is None else 1000 * options["sync_interval"]
        if not 0 < interval <= latency:
            raise LinkError(f"`{url}`: latency and interval must be above 0, the interval not above the latency")
        if platform.machine() not in ("x86_64", "AMD64"):
            raise LinkError("this module needs an x86-64: elsewhere Python's stores may be seen in another order")
        link = Link(url, protocol, intro, latency, interval, patience)
        if role == "listen":
            link._listen(parts[1], parts[2])
        else:
            link._connect(parts[1])
        return link

    def __init__(self, name, protocol, intro, latency, interval, patience):
        self.name, self.protocol, self.intro = name, protocol, intro
        self.latency, self.sync_interval, self.patience = latency, interval, patience
        self.horizon = 0          # nothing earlier than this can come
        self.has_ended = False
        self.peer_intro = b""
        self._sent_at = 0
        self._in_slot = self._out_slot = 0

    def fail(self, why):
        """Ends what is done with the link with a message that names it."""
        raise LinkError(f"link `{self.name}`: {why}")

    # The handshake: each side sends its introduction with one write, and takes what one read returns for the other's.

    def _listen(self, path, pool):
        elen, count = _ELEN.get(self.protocol, 2048), 8192
        size = elen * count
        if pool:
            file = os.open(pool, os.O_CREAT | os.O_RDWR | os.O_TRUNC, 0o600)
        else:
            file = os.memfd_create("ironbird-link")
        os.ftruncate(file, 2 * size)
        if os.path.exists(path):
            probe = socket.socket(socket.AF_UNIX)
            try:
                probe.connect(path)
                self.fail(f"another process listens at {path}")
            except ConnectionRefusedError:
                os.unlink(path)
            finally:
                probe.close()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.bind(path)
            server.listen(1)
            server.settimeout(self.patience)
            self._socket, _ = server.accept()
            intro = _LISTENER.pack(1, _OFFERS | _REQUIRES, size, elen, count, 0, elen, count, self.protocol,
                                   _LISTENER.size)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
            self._socket.sendmsg([intro + self.intro], rights)
        except TimeoutError:
            self.fail(f"nobody connected to {path} within {self.patience} s")
        finally:
            server.close()
            os.unlink(path)
        there, _ = self._introduction(0)
        if len(there) < _CONNECTER.size:
            self.fail("the peer's introduction is too short")
        version, flags, protocol, upper = _CONNECTER.unpack_from(there)
        self._agree(version, flags, protocol, there[upper:])
        self._map(file, (0, elen, count), (size, elen, count))
        if pool:
            os.unlink(pool)

    def _connect(self, path):
        deadline = time.monotonic() + self.patience
        self._socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self._socket.connect(path)
                break
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    self.fail(f"nobody listened at {path} within {self.patience} s")
                time.sleep(0.005)
        intro = _CONNECTER.pack(1, _OFFERS | _REQUIRES, self.protocol, _CONNECTER.size)
        self._socket.sendall(intro + self.intro)
        there, files = self._introduction(1)
        if len(there) < _LISTENER.size or len(files) != 1:
            self.fail("the listener's introduction is too short, or without its memory")
        version, flags, l2c, l2c_elen, l2c_count, c2l, c2l_elen, c2l_count, protocol, upper = \
            _LISTENER.unpack_from(there)
        self._agree(version, flags, protocol, there[upper:])
        self._map(files[0], (l2c, l2c_elen, l2c_count), (c2l, c2l_elen, c2l_count))

    def _introduction(self, files):
        self._socket.settimeout(self.patience)
        try:
            there, found, _, _ = socket.recv_fds(self._socket, 2048, files)
        except TimeoutError:
            self.fail(f"the peer did not introduce itself within {self.patience} s")
        if not there:
            self.fail("the peer closed the connection before it introduced itself")
        return there, found

    def _agree(self, version, flags, protocol, intro):
        if version != 1:
            self.fail(f"the peer speaks version {version}, not 1")
        if protocol != self.protocol:
            self.fail(f"the peer speaks protocol {protocol}, not {self.protocol}")
        if not flags & _OFFERS:
            self.fail("the peer does not synchronise")
        self.peer_intro = intro

    def _map(self, file, incoming, outgoing):
        size = os.fstat(file).st_size
        for offset, elen, count in (incoming, outgoing):
            if elen < _HEADER or elen % 8 or not count or offset + elen * count > size:
                self.fail("a queue does not lie in the shared memory")
        self._memory = mmap.mmap(file, size)
        os.close(file)
        (self._in, self._in_elen, self._in_count) = incoming
        (self._out, self._out_elen, self._out_count) = outgoing
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLRDHUP)

    # Messages.

    def next_sync(self):
        """When sync() has to be called next at the latest."""
        return self._sent_at + self.sync_interval

    def send(self, now, kind, fields=b"", payload=b"", tail=b""):
        """Sends a message; it is due after the latency. Waits while the queue is full."""
        if self.has_ended:
            return
        if now < self._sent_at:
            self.fail(f"a message at {now} ps, after one at {self._sent_at} ps")
        if len(payload) > self._out_elen - _HEADER:
            self.fail(f"{len(payload)} bytes do not fit into a slot with room for {self._out_elen - _HEADER}")
        memory, at = self._memory, self._out + self._out_slot * self._out_elen
        if memory[at + 63] & 0x80:
            self._wait(at + 63, 0)
        memory[at:at + 48] = fields.ljust(48, b"\0")
        _STAMP.pack_into(memory, at + 48, now + self.latency if kind != TERMINATE else self.latency - 1)
        memory[at + 56:at + 63] = tail.ljust(7, b"\0")
        memory[at + _HEADER:at + _HEADER + len(payload)] = payload
        memory[at + 63] = kind | 0x80
        self._out_slot = (self._out_slot + 1) % self._out_count
        self._sent_at = now

    def send_frame(self, now, frame):
        """Sends an Ethernet frame over a NET link."""
        self.send(now, PACKET, struct.pack("<H", len(frame)), frame)

    def sync(self, now):
        """Tells the peer the time, if nothing was said for the interval."""
        if self._sent_at == 0 or now - self._sent_at >= self.sync_interval:
            self.send(now, SYNC)

    def receive(self, now):
        """The next message that is due at now; None if there is none yet, or only later ones."""
        memory = self._memory
        while not self.has_ended:
            at = self._in + self._in_slot * self._in_elen
            kind = memory[at + 63]
            if not kind & 0x80:
                return None
            kind &= 0x7f
            (stamp,) = _STAMP.unpack_from(memory, at + 48)
            if kind == TERMINATE:
                self.has_ended, self.horizon = True, 1 << 64
                return None
            if stamp < self.horizon:
                self.fail(f"the peer sent a message for {stamp} ps after one for {self.horizon} ps")
            self.horizon = stamp
            if stamp > now:
                return None
            message = None
            if kind != SYNC:
                message = Message(kind, stamp, memory[at:at + 48], memory[at + 56:at + 63],
                                  memory[at + _HEADER:at + self._in_elen])
            memory[at + 63] = kind
            self._in_slot = (self._in_slot + 1) % self._in_count
            if message:
                return message
        return None

    def due(self, now):
        """All messages that are due at now. Waits until there can be no more."""
        while True:
            message = self.receive(now)
            if message:
                yield message
            elif self.horizon > now:
                return
            else:
                self._wait(self._in + self._in_slot * self._in_elen + 63, 0x80)

    def _wait(self, at, owner):
        """Waits until bit 7 of a byte is as wanted: awake for a moment, then asleep."""
        memory = self._memory
        for _ in range(200):
            if memory[at] & 0x80 == owner:
                return
        start = time.monotonic()
        nap = 0.0
        while memory[at] & 0x80 != owner:
            waited = time.monotonic() - start
            if waited > 0.001:
                nap = min(0.001, nap + 0.00005)
                # What the peer left behind before it ended still counts.
                if self._poll.poll(0) and memory[at] & 0x80 != owner:
                    self.fail("the peer is gone: its process ended or closed the link")
                if waited > self.patience:
                    self.fail(f"the peer made no progress for {self.patience} s")
            time.sleep(nap)

    def finish(self):
        """Tells the peer that nothing more comes. Not for NET: SimBricks' network programs abort on it."""
        if not self.has_ended:
            self.send(self._sent_at, TERMINATE)
        self.close()

    def close(self):
        self.has_ended = True
        self._socket.close()
