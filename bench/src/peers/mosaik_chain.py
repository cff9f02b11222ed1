"""The chain of crates/workloads/src/chain.rs on mosaik, its simulators in this process.

    python3 mosaik_chain.py <length> <ticks> <changed tick> <ticks per kept value>

Prints the steps of all lags, the seconds of CPU time that the run took, and the last kept value.
"""

import sys
import time

import mosaik
import mosaik_api_v3
from loguru import logger

GAIN = 0.05
SETPOINT = 1.0
CHANGED_SETPOINT = -0.5


class Lag(mosaik_api_v3.Simulator):
    """One lag. The first of the chain has no input and goes after its setpoint."""

    def __init__(self):
        attributes = {"public": True, "params": [], "attrs": ["u", "y"]}
        super().__init__({"type": "time-based", "models": {"Lag": attributes}})
        self.value = 0.0
        self.setpoint = SETPOINT

    def init(self, sid, time_resolution=1.0, changed_tick=None):
        self.changed_tick = changed_tick
        return self.meta

    def create(self, num, model):
        return [{"eid": "lag", "type": model}]

    def step(self, time, inputs, max_advance):
        if time == self.changed_tick:
            self.setpoint = CHANGED_SETPOINT
        target = self.setpoint
        if inputs:
            for target in inputs["lag"]["u"].values():
                pass
        self.value += GAIN * (target - self.value)
        return time + 1

    def get_data(self, outputs):
        return {"lag": {"y": self.value}}


class Keeper(mosaik_api_v3.Simulator):
    """Keeps a signal at its own rate."""

    def __init__(self):
        attributes = {"public": True, "params": [], "attrs": ["u"]}
        super().__init__({"type": "time-based", "models": {"Keeper": attributes}})

    def init(self, sid, time_resolution=1.0, step_size=1, kept=None):
        self.step_size, self.kept = step_size, kept
        return self.meta

    def create(self, num, model):
        return [{"eid": "keeper", "type": model}]

    def step(self, time, inputs, max_advance):
        self.kept.extend(inputs["keeper"]["u"].values())
        return time + self.step_size

    def get_data(self, outputs):
        return {}


def main(length, ticks, changed_tick, ticks_per_kept):
    logger.remove()
    kept = []
    config = {"Lag": {"python": "__main__:Lag"}, "Keeper": {"python": "__main__:Keeper"}}
    world = mosaik.World(config, cache=False, skip_greetings=True)
    last = world.start("Lag", changed_tick=changed_tick).Lag()
    for _ in range(1, length):
        lag = world.start("Lag").Lag()
        world.connect(last, lag, ("y", "u"))
        last = lag
    keeper = world.start("Keeper", step_size=ticks_per_kept, kept=kept).Keeper()
    world.connect(last, keeper, ("y", "u"))
    start = time.process_time()
    world.run(until=ticks, print_progress=False, lazy_stepping=False)
    seconds = time.process_time() - start
    assert len(kept) == -(-ticks // ticks_per_kept), len(kept)
    print(length * ticks, seconds, repr(kept[-1]))


main(*map(int, sys.argv[1:]))
