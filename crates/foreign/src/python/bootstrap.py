# What runs in the Python of a foreign.python component: makes an object of the user's class and answers
# frames (src/protocol.rs) until the pipe is closed.

import importlib.util
import json
import os
import struct
import sys
import threading
import time
import traceback

HEADER = struct.Struct("<BI")
STEP, SAVE, LOAD = b"svl"
READY, OUTPUTS, STATE, DONE, FAILED = b"robdf"


def own_pipes():
    """The ends of our pipes; 0 and 1 are then nothing to read, and the standard error."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    return source, sink


def end_with(parent):
    """Ends this process when its parent is gone, even while the user's code hangs."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def send(sink, tag, content=b""):
    frame = memoryview(HEADER.pack(tag, len(content)) + content)
    while frame:
        frame = frame[os.write(sink, frame):]


def explain(error, file):
    """An exception on one line, with the innermost line of the user's file."""
    words = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]
    # Code that does not parse has no frame of its own.
    unread = isinstance(error, SyntaxError) and error.lineno and os.path.isfile(error.filename or "")
    if unread:
        return f"{words} ({os.path.basename(error.filename)}, line {error.lineno})"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    if not frames:
        return words
    return f"{words} ({os.path.basename(file)}, line {frames[-1].lineno}, in {frames[-1].name})"


class Refused(Exception):
    """Something that the user's code should not do; its text says what."""


def load(file, name, parameters):
    """An object of the user's class, and its ports."""
    sys.path[0] = os.path.dirname(file)
    sys.argv = [file]
    spec = importlib.util.spec_from_file_location("ironbird_user_code", file)
    if spec is None or spec.loader is None:
        raise Refused(f"\"{os.path.basename(file)}\" is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    found = getattr(module, name, None)
    if not isinstance(found, type):
        there = [n for n, c in vars(module).items() if isinstance(c, type) and hasattr(c, "step")]
        hint = f"; with a step there are: {', '.join(there)}" if there else ""
        raise Refused(f"there is no class \"{name}\" in {os.path.basename(file)}{hint}")
    if not callable(getattr(found, "step", None)):
        raise Refused(f"the class \"{name}\" has no function step(self, t, inputs)")
    user = found(**parameters)
    return user, ports(user, "inputs", name), ports(user, "outputs", name)


def ports(user, attribute, name):
    declared = getattr(user, attribute, {})
    texts = isinstance(declared, dict) and all(
        isinstance(text, str) for pair in declared.items() for text in pair)
    if not texts:
        example = f"{attribute} = {{\"angle\": \"rad\"}}"
        raise Refused(f"\"{attribute}\" of the class \"{name}\" must name ports and units: {example}")
    for port in declared:
        if not port.isidentifier():
            raise Refused(f"{port!r} cannot name a port: use letters, digits and _")
    return declared


def declare(user, inputs, outputs):
    lines = [f"in {name} {' '.join(what.split())}" for name, what in inputs.items()]
    lines += [f"out {name} {' '.join(what.split())}" for name, what in outputs.items()]
    saves = callable(getattr(user, "save", None)) and callable(getattr(user, "load", None))
    return "\n".join(lines + ["saves"] * saves).encode()


# How many numbers a port is, where it is not one, and what that is called.
WIDTHS = {"vector": 3, "attitude": 4}
WORDS = {"vector": "three numbers", "attitude": "four numbers"}


def kind(what):
    word = what.strip()
    return "vector" if "[3]" in what else word if word in ("bool", "attitude") else "number"


def width(k):
    return WIDTHS.get(k, 1)


def taker(inputs):
    """A function from the numbers of a frame, of which the first is the time, to a dict of inputs."""
    names, kinds = list(inputs), [kind(what) for what in inputs.values()]
    if all(k == "number" for k in kinds):
        return lambda numbers: dict(zip(names, numbers[1:]))

    def take(numbers):
        taken, at = {}, 1
        for name, k in zip(names, kinds):
            if k in WIDTHS:
                taken[name] = numbers[at:at + width(k)]
            else:
                taken[name] = bool(numbers[at]) if k == "bool" else numbers[at]
            at += width(k)
        return taken

    return take


def giver(outputs):
    """A function from what step returns to the frame of the outputs."""
    names, kinds = list(outputs), [kind(what) for what in outputs.values()]
    count = sum(map(width, kinds))
    frame = struct.Struct(f"<BI{count}d")
    only_numbers = all(k == "number" for k in kinds)

    def give(returned):
        try:
            if type(returned) is dict and len(returned) == len(names):
                if only_numbers:
                    return frame.pack(OUTPUTS, 8 * count, *[returned[name] for name in names])
                flat = []
                for name, k in zip(names, kinds):
                    value = returned[name]
                    flat.extend([*value] if k in WIDTHS else [value])
                return frame.pack(OUTPUTS, 8 * count, *flat)
        except Exception:
            pass  # It is found again, with words for it.
        raise Refused(complaint(returned, names, kinds))

    return give


def complaint(returned, names, kinds):
    all_names = ", ".join(names) or "none"
    if not isinstance(returned, dict):
        what = type(returned).__name__
        return f"step must return a dict of the outputs ({all_names}), not a {what}"
    for name in names:
        if name not in returned:
            return f"step returned no \"{name}\""
    for name in returned:
        if name not in names:
            return f"step returned \"{name}\", which is no output; outputs are: {all_names}"
    for name, k in zip(names, kinds):
        value = returned[name]
        try:
            numbers = [*value] if k in WIDTHS else [value]
            struct.pack(f"<{len(numbers)}d", *numbers)
        except Exception:
            return f"the output \"{name}\" must be {WORDS.get(k, 'a number')}, not {value!r:.80}"
        if len(numbers) != width(k):
            return f"the output \"{name}\" must be {WORDS[k]}, not {len(numbers)}"
    return "step must return a plain dict"


def serve(source, sink, user, inputs, outputs):
    take, give, step = taker(inputs), giver(outputs), user.step
    count = 1 + sum(width(kind(what)) for what in inputs.values())
    numbers = struct.Struct(f"<{count}d").unpack_from
    waiting = b""
    while True:
        piece = os.read(source, 65536)
        if not piece:
            return
        waiting = waiting + piece if waiting else piece
        while len(waiting) >= HEADER.size:
            tag, length = HEADER.unpack_from(waiting)
            end = HEADER.size + length
            if len(waiting) < end:
                break
            if tag == STEP:
                now = numbers(waiting, HEADER.size)
                os.write(sink, give(step(now[0], take(now))))
            elif tag == SAVE:
                send(sink, STATE, json.dumps(user.save()).encode())
            elif tag == LOAD:
                user.load(json.loads(waiting[HEADER.size:end]))
                send(sink, DONE)
            waiting = waiting[end:]


def main():
    file, name, parameters = sys.argv[1:4]
    source, sink = own_pipes()
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    try:
        user, inputs, outputs = load(file, name, json.loads(parameters))
        send(sink, READY, declare(user, inputs, outputs))
        serve(source, sink, user, inputs, outputs)
    except Refused as refused:
        send(sink, FAILED, str(refused).encode())
    except BaseException as error:
        try:
            send(sink, FAILED, explain(error, file).encode(errors="replace"))
        except OSError:
            pass  # Nobody is there any more.


main()
