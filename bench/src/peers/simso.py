"""SimSo on one processor with rate-monotonic priorities: jobs that ended, seconds of CPU time of the run
alone, and the sum of the ends in microseconds. Arguments: duration, then period and execution time of each
task, all in microseconds."""

import sys
import time

from simso.configuration import Configuration
from simso.core import Model

duration, *tasks = map(int, sys.argv[1:])
configuration = Configuration()
configuration.cycles_per_ms = 1000
configuration.duration = duration
for number, (period, execution) in enumerate(zip(tasks[::2], tasks[1::2])):
    configuration.add_task(
        name=f"T{number}",
        identifier=number + 1,
        period=period / 1000,
        activation_date=0,
        wcet=execution / 1000,
        deadline=period / 1000,
    )
configuration.add_processor(name="ecu", identifier=1)
configuration.scheduler_info.clas = "simso.schedulers.RM"
configuration.check_all()
model = Model(configuration)
start = time.process_time()
model.run_model()
seconds = time.process_time() - start
ends = [job.end_date for task in model.results.tasks.values() for job in task.jobs]
ends = [end for end in ends if end is not None]
print(len(ends), seconds, round(sum(ends)))
