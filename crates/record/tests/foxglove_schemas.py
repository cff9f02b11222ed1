"""Holds what a recording says to be drawn against the schemas that Foxglove's own package ships."""

import base64
import json
import struct
import sys

try:
    import jsonschema
    from foxglove.messages import FrameTransform, Log, PointCloud, SceneUpdate
    from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
    from mcap.reader import make_reader
except ImportError as error:
    sys.exit(
        f"{error}: the Python packages foxglove-sdk, jsonschema, mcap and protobuf are missing; "
        "run ./test, which installs them, or set IRONBIRD_PYTHON to a Python that has them"
    )

path, log_schema, log_message = sys.argv[1:]

# What Foxglove says that its schemas are.
pool = descriptor_pool.DescriptorPool()
known = set()
for message in (FrameTransform, SceneUpdate, PointCloud, Log):
    for file in descriptor_pb2.FileDescriptorSet.FromString(message.get_schema().data).file:
        if file.name not in known:
            known.add(file.name)
            pool.AddSerializedFile(file.SerializeToString())

TIMES = {"google.protobuf.Timestamp": "time", "google.protobuf.Duration": "duration"}
KINDS = {1: "number", 7: "integer", 8: "boolean", 9: "string", 12: "string", 13: "integer"}
ENUM, BYTES = 14, 12


def same_fields(schema, descriptor):
    """A JSON schema has the fields of an official schema, with their kinds."""
    assert schema["title"] == descriptor.full_name, (schema["title"], descriptor.full_name)
    assert set(schema["properties"]) == {field.name for field in descriptor.fields}, descriptor.full_name
    assert set(schema["required"]) == set(schema["properties"]), descriptor.full_name
    for field in descriptor.fields:
        part = schema["properties"][field.name]
        if field.is_repeated:
            assert part["type"] == "array", field.full_name
            part = part["items"]
        if field.message_type and field.message_type.full_name in TIMES:
            assert part["title"] == TIMES[field.message_type.full_name], field.full_name
            assert set(part["properties"]) == {"sec", "nsec"}, field.full_name
        elif field.message_type:
            same_fields(part, field.message_type)
        elif field.type == ENUM:
            official = {value.name: value.number for value in field.enum_type.values}
            assert {one["title"]: one["const"] for one in part["oneOf"]} == official, field.full_name
        else:
            assert part["type"] == KINDS[field.type], field.full_name
            assert (part.get("contentEncoding") == "base64") == (field.type == BYTES), field.full_name


def without_times(value):
    """Protocol buffers write times as text; all else stands in JSON as it does here."""
    if isinstance(value, list):
        return [without_times(one) for one in value]
    if isinstance(value, dict):
        parts = value.items()
        return {name: without_times(part) for name, part in parts if name not in ("timestamp", "lifetime")}
    return value


def is_official(message, schema):
    """A message is one of an official schema, with nothing that it does not know, and as its own schema says."""
    jsonschema.validate(message, schema)
    official = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema["title"]))
    json_format.ParseDict(without_times(message), official())


messages, schemas = {}, {}
with open(path, "rb") as file:
    for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
        if schema.name.startswith("foxglove."):
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            schemas[schema.name] = json.loads(schema.data)
            messages.setdefault(channel.topic, []).append((message.log_time, schema.name, json.loads(message.data)))

schemas["foxglove.Log"] = json.loads(log_schema)
assert sorted(schemas) == ["foxglove.FrameTransform", "foxglove.Log", "foxglove.PointCloud", "foxglove.SceneUpdate"]
for name, schema in schemas.items():
    jsonschema.Draft202012Validator.check_schema(schema)
    same_fields(schema, pool.FindMessageTypeByName(name))
for topic, rows in messages.items():
    for log_time, name, message in rows:
        is_official(message, schemas[name])
        stamp = message.get("timestamp", {"sec": 0, "nsec": 0})
        assert stamp["sec"] * 10**9 + stamp["nsec"] == log_time, topic
is_official(json.loads(log_message), schemas["foxglove.Log"])

# The quadrotor of the test flies north at 1 m/s, 2 m up, turned to the east.
first = messages["/tf"][0][2]
assert (first["parent_frame_id"], first["child_frame_id"]) == ("map", "world.quad")
assert first["translation"] == {"x": 3.0, "y": 0.0, "z": 2.0}
assert first["rotation"] == {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
assert len(messages["/tf"]) < 10, "a straight way needs few poses"

((_, _, scene),) = messages["/scene"]
fixed, quad = scene["entities"]
assert (fixed["frame_id"], quad["frame_id"]) == ("map", "world.quad")
assert [len(fixed[part]) for part in ("cubes", "spheres", "cylinders", "triangles", "lines")] == [2, 1, 1, 1, 2]
assert fixed["lines"][0]["points"][1] == {"x": 20.0, "y": 10.0, "z": 5.0}

# Ahead in the frame of the body is x, starboard is -y; what has not changed is not told again.
cloud, empty = messages["/world/quad/lidar/points"]
points = list(struct.iter_unpack("<3f", base64.b64decode(cloud[2]["data"])))
assert cloud[2]["frame_id"] == "world.quad" and points == [(4.0, 0.0, 0.5), (0.0, -2.0, 0.5)], points
assert empty[2]["data"] == ""
print("all of it is Foxglove's")
