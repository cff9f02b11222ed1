# An interpreter that knows nothing of virtual time: threads, an event loop, queues, sockets, randomness.
import asyncio
import os
import queue
import random
import select
import socket
import threading
import time

begun = time.monotonic()


def say(*words):
    print(*words, f"{time.monotonic() - begun:.6f}")


def worker(number):
    time.sleep(0.25 * (5 - number))
    say("thread", number)


threads = [threading.Thread(target=worker, args=(number,)) for number in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()


async def task(number):
    await asyncio.sleep(0.5 * number)
    say("task", number)


async def tasks():
    await asyncio.gather(*[task(number) for number in range(3)])


asyncio.run(tasks())

numbers = queue.Queue()


def produce():
    for number in range(2):
        time.sleep(1)
        numbers.put(number)


threading.Thread(target=produce).start()
for _ in range(2):
    say("queue", numbers.get(timeout=5))
try:
    numbers.get(timeout=2)
except queue.Empty:
    say("empty")

ours, theirs = socket.socketpair()
ours.send(b"x")
say("select", select.select([theirs], [], [], 1)[0] == [theirs], theirs.recv(10))
say("select", select.select([theirs], [], [], 1)[0])
print("processors", os.cpu_count(), "time", int(time.time()))
print("random", random.random(), os.urandom(4).hex())
