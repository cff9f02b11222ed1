#!/usr/bin/env python3
"""Writes link/mavlink_messages.h and .c: the MAVLink messages that the firmware knows, as C structures.

The official definitions are the XML files that the package `pymavlink` carries; the messages wanted are listed in
tools/mavlink_messages.txt. A structure is the payload as it goes over the wire: fields ordered by the size of their
type, largest first (stable), extension fields last in the order of their definition, little-endian, no padding.

Usage: generate_mavlink.py MESSAGES.txt OUTPUT_FOLDER
"""
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import pymavlink

C_TYPES = {
    "uint8_t": 1, "int8_t": 1, "char": 1, "uint16_t": 2, "int16_t": 2, "uint32_t": 4, "int32_t": 4, "float": 4,
    "uint64_t": 8, "int64_t": 8, "double": 8,
}


class Field:
    def __init__(self, element, is_extension):
        match = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?", element.get("type").replace("uint8_t_mavlink_version", "uint8_t"))
        self.type, self.count = match.group(1), int(match.group(2) or 0)
        self.name = element.get("name")
        self.is_extension = is_extension
        self.size = C_TYPES[self.type]

    def length(self):
        return self.size * max(self.count, 1)


class Message:
    def __init__(self, element):
        self.name, self.id = element.get("name"), int(element.get("id"))
        fields, is_extension = [], False
        for child in element:
            if child.tag == "extensions":
                is_extension = True
            elif child.tag == "field":
                fields.append(Field(child, is_extension))
        base = [f for f in fields if not f.is_extension]
        self.base = sorted(base, key=lambda f: -f.size)
        self.fields = self.base + [f for f in fields if f.is_extension]
        self.minimum = sum(f.length() for f in self.base)
        self.length = sum(f.length() for f in self.fields)

    def crc_extra(self):
        """CRC over the name and the fields in wire order without extensions, folded to 8 bits."""
        crc = accumulate(0xFFFF, self.name + " ")
        for field in self.base:
            crc = accumulate(crc, field.type + " " + field.name + " ")
            if field.count:
                crc = accumulate(crc, [field.count])
        return (crc & 0xFF) ^ (crc >> 8)


def accumulate(crc, data):
    """CRC-16/MCRF4XX, as MAVLink uses it."""
    for byte in data.encode() if isinstance(data, str) else data:
        tmp = byte ^ (crc & 0xFF)
        tmp = (tmp ^ (tmp << 4)) & 0xFF
        crc = (crc >> 8) ^ (tmp << 8) ^ (tmp << 3) ^ (tmp >> 4)
    return crc


def read_definitions(path, messages, seen):
    if path in seen:
        return
    seen.add(path)
    root = ElementTree.parse(path).getroot()
    for include in root.iter("include"):
        read_definitions(os.path.join(os.path.dirname(path), include.text), messages, seen)
    for element in root.iter("message"):
        messages[element.get("name")] = element


def header(messages):
    yield "// Written by tools/generate_mavlink.py from the official definitions; change it there."
    yield "#ifndef LINK_MAVLINK_MESSAGES_H"
    yield "#define LINK_MAVLINK_MESSAGES_H"
    yield ""
    yield "#include <stdint.h>"
    yield ""
    yield '_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "structures are payloads as they are sent");'
    yield ""
    yield "struct mavlink_format {"
    yield "    uint32_t id;"
    yield "    uint8_t crc_extra, minimum, length;"
    yield "};"
    yield ""
    yield f"#define MAVLINK_FORMAT_COUNT {len(messages)}"
    yield f"#define MAVLINK_PAYLOAD_MAX {max(m.length for m in messages)}"
    yield "extern const struct mavlink_format mavlink_formats[MAVLINK_FORMAT_COUNT];"
    for m in messages:
        yield ""
        yield f"#define MAVLINK_ID_{m.name} {m.id}u"
        yield f"struct mavlink_{m.name.lower()} {{"
        for f in m.fields:
            count = f"[{f.count}]" if f.count else ""
            yield f"    {f.type} {f.name}{count};" + (" // extension" if f.is_extension else "")
        yield "} __attribute__((packed));"
        yield f'_Static_assert(sizeof(struct mavlink_{m.name.lower()}) == {m.length}, "length of {m.name}");'
    yield ""
    yield "#endif"


def table(messages):
    yield "// Written by tools/generate_mavlink.py from the official definitions; change it there."
    yield '#include "mavlink_messages.h"'
    yield ""
    yield "// By number."
    yield "const struct mavlink_format mavlink_formats[MAVLINK_FORMAT_COUNT] = {"
    for m in messages:
        yield f"    {{MAVLINK_ID_{m.name}, {m.crc_extra()}, {m.minimum}, {m.length}}},"
    yield "};"


def main():
    list_file, folder = sys.argv[1:]
    definitions = {}
    xml = os.path.join(os.path.dirname(pymavlink.__file__), "dialects", "v20", "common.xml")
    read_definitions(xml, definitions, set())
    with open(list_file) as file:
        names = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    unknown = [name for name in names if name not in definitions]
    if unknown:
        sys.exit(f"{list_file}: not in the definitions: {', '.join(unknown)}")
    messages = sorted((Message(definitions[name]) for name in names), key=lambda m: m.id)
    for name, lines in (("mavlink_messages.h", header(messages)), ("mavlink_messages.c", table(messages))):
        with open(os.path.join(folder, name), "w") as file:
            file.write("\n".join(lines) + "\n")


main()
