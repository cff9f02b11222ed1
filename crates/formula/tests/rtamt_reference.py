"""Evaluates formulas over sampled signals with rtamt, for tests/rtamt.rs.

usage: rtamt_reference.py JOBS RESULTS

JOBS is a JSON list of {"formula": text, "signals": {name: [samples]}}; RESULTS becomes a JSON list with the
robustness at every sample, infinities written as "inf" and "-inf".
"""

import json
import logging
import math
import sys

try:
    import rtamt
except ImportError as error:
    sys.exit(f"the Python package rtamt cannot be imported ({error})")

logging.disable(logging.WARNING)


def evaluate(job):
    specification = rtamt.StlDiscreteTimeSpecification()
    for name in job["signals"]:
        specification.declare_var(name, "float")
    specification.spec = job["formula"]
    specification.parse()
    count = len(next(iter(job["signals"].values())))
    trace = specification.evaluate({"time": list(range(count)), **job["signals"]})
    return [value if math.isfinite(value) else str(value) for _, value in trace]


def main():
    jobs_path, results_path = sys.argv[1:]
    with open(jobs_path, encoding="utf-8") as file:
        jobs = json.load(file)
    with open(results_path, "w", encoding="utf-8") as file:
        json.dump([evaluate(job) for job in jobs], file)


main()
