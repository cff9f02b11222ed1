"""Prints the columns of a log as JSON: {"topic.field": [[time in us, number], ...]}."""

import json
import sys

columns = {}
if sys.argv[1].endswith(".ulg"):
    from pyulog import ULog

    for data in ULog(sys.argv[1]).data_list:
        times = data.data["timestamp"]
        for field, numbers in data.data.items():
            if field.startswith("name") or field == "timestamp" or "_padding" in field:
                continue
            name = f"{data.name}_{data.multi_id}.{field}"
            columns[name] = [[int(t), float(x)] for t, x in zip(times, numbers)]
else:
    from pymavlink import DFReader

    log = DFReader.DFReader_binary(sys.argv[1])
    while (message := log.recv_match(type=["ALL"])) is not None:
        for field in message.get_fieldnames():
            if field != "TimeUS":
                sample = [message.TimeUS, float(getattr(message, field))]
                columns.setdefault(f"ALL.{field}", []).append(sample)
json.dump(columns, sys.stdout)
