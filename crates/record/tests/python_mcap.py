"""Reads the recording of tests/sample_run with the packages that users read recordings with."""

import json
import math
import sys

try:
    from mcap.decoder import DecoderFactory
    from mcap.reader import NonSeekingReader, make_reader
    from mcap_ros2.decoder import DecoderFactory as Ros2DecoderFactory
except ImportError as error:
    sys.exit(
        f"{error}: the Python packages mcap and mcap-ros2-support are missing; "
        "run ./test, which installs them, or set IRONBIRD_PYTHON to a Python that has them"
    )


class JsonDecoderFactory(DecoderFactory):
    def decoder_for(self, message_encoding, schema):
        return json.loads if message_encoding == "json" else None


path, output_hash = sys.argv[1:]
TICKS = 50


def time_ps(tick):
    return tick * 40_000_000_000 + 7


def read(reader_of):
    """Messages by topic, with their log times."""
    messages = {}
    with open(path, "rb") as file:
        for _, channel, message, decoded in reader_of(file).iter_decoded_messages():
            assert message.log_time == message.publish_time
            rows = messages.setdefault(channel.topic, [])
            assert message.sequence == len(rows), (channel.topic, message.sequence)
            rows.append((message.log_time, decoded))
    return messages


factories = [Ros2DecoderFactory(), JsonDecoderFactory()]
seeking = read(lambda f: make_reader(f, validate_crcs=True, decoder_factories=factories))
linear = read(lambda f: NonSeekingReader(f, validate_crcs=True, decoder_factories=factories))
assert {t: len(m) for t, m in seeking.items()} == {t: len(m) for t, m in linear.items()}

temperatures = seeking["/room/temperature"]
assert len(temperatures) == TICKS
for tick, (log_time, message) in enumerate(temperatures):
    assert message.time_ps == time_ps(tick)
    assert log_time == time_ps(tick) // 1000
    assert message.value == 20.0 + tick * 0.25

for tick, (_, pose) in enumerate(seeking["/drone/pose"]):
    third = pose.position[2]
    assert list(pose.position[:2]) == [tick, -tick]
    assert math.isnan(third) if tick == 3 else third == 0.5
    assert pose.valid == (tick > 5)
    assert pose.mode == tick % 2
    assert list(pose.covariance) == [1.0, 2.0, 3.0, 4.0]

images = seeking["/camera[0]/image"]
assert len(images) == 5
for number, (_, image) in enumerate(images):
    tick = number * 10
    assert image.time_ps == time_ps(tick)
    assert (image.width, image.stamp) == (tick, tick)
    assert bytes(image.pixels) == bytes([tick]) * (5 + tick)
    assert [bytes(layer.data) for layer in image.layers] == [b"\1\2\3", b""]

assert [m.time_ps for _, m in seeking["/radio/ping"]] == [
    time_ps(t) for t in range(0, TICKS, 5) for _ in range(2)
]
heights = seeking["/plant/height"]
assert abs(heights[13][1].value - 1.24) < 1e-12
assert list(seeking["/drone/corners"][9][1].value) == [9, -1, 2, -32768]

((_, event),) = seeking["/ironbird/events"]
assert event == {"time_ps": time_ps(8), "kind": "action", "name": "gust", "text": 'wind "up"'}

with open(path, "rb") as file:
    reader = make_reader(file)
    metadata = {record.name: record.metadata for record in reader.iter_metadata()}
    summary = reader.get_summary()
assert metadata["ironbird"] == {
    "experiment": "ironbird = 1\n",
    "seed": "7",
    "version": "0.1.0",
    "scenario": "gust",
    "repetition": "2",
}
assert metadata["result"]["hash"] == output_hash
assert metadata["result"]["outcome"] == "reached its end"
assert json.loads(metadata["result"]["verdicts"])[0]["status"] == "passed"
definitions = {s.name: s.data.decode() for s in summary.schemas.values()}
assert "uint32 MODE_MANUAL=1\n" in definitions["ironbird/msg/PoseStamped"]
units = {c.topic: c.metadata.get("unit") for c in summary.channels.values()}
assert units["/room/temperature"] == "degC"
counts = {
    summary.channels[channel].topic: count
    for channel, count in summary.statistics.channel_message_counts.items()
}
assert counts == {topic: len(rows) for topic, rows in seeking.items()}
assert summary.statistics.message_end_time == time_ps(TICKS - 1) // 1000
assert len(summary.chunk_indexes) > 3
print("all of it was read")
