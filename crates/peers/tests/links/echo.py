"""Sends back what it gets over a NET link, up to a time in µs; prints what came: time in ns, length, first byte."""
import sys

sys.path.append(sys.argv[1])
from ironbird_link import NET, Link

link = Link.open(sys.argv[2], NET)
now, until = 0, 1_000_000 * int(sys.argv[3])
while now < until:
    link.sync(now)
    for message in link.due(now):
        frame = message.frame()
        print(message.timestamp // 1000, len(frame), frame[0])
        link.send_frame(now, frame)
    now = min(link.horizon, link.next_sync())
link.close()
