"""What the links of SDF files weigh, read with nothing but an XML parser: an opinion beside that of the reader in Rust.

Arguments: folders in which models are looked for, then `--`, then files. For each file one line: its name, and the
kilograms of all links that move, for each link `MODEL::LINK=MASS`, in the order of the file; or `error` and why.
"""

import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ET


def tree(path):
    """The tree of a file. Of prefixes that nobody declares (`gz:`), which XML as such does not allow, names are made."""
    with open(path, encoding="utf-8-sig") as file:
        text = re.sub(r"(</?|\s)([a-z]+):(?=[A-Za-z_]+[\s=>])", r"\1\2_", file.read())
    return ET.fromstring(text)


def is_true(text):
    return (text or "").strip().lower() in ("true", "1")


class Missing(Exception):
    """A model that is not on this machine: what includes it goes on without."""


class Reader:
    def __init__(self, folders):
        self.folders = folders

    def find(self, uri, said_in):
        uri = urllib.parse.unquote(uri.strip())
        if uri.startswith("http"):
            raise Missing(uri)
        beside = os.path.dirname(said_in)
        rest = re.sub(r"^[a-z]+://", "", uri)
        places = [] if "://" in uri else [beside]
        places += self.folders
        folder = beside
        for _ in range(5):
            places += [folder, os.path.join(folder, "models")]
            folder = os.path.dirname(folder)
        for place in places:
            path = os.path.join(place, rest)
            if os.path.exists(path):
                return path
        raise FileNotFoundError(uri)

    def file_of(self, path):
        if os.path.isfile(path):
            return path
        config = os.path.join(path, "model.config")
        if os.path.isfile(config):
            named = [
                (tuple(int(part) for part in (sdf.get("version") or "0").split(".")), number, sdf.text.strip())
                for number, sdf in enumerate(tree(config).iter("sdf"))
            ]
            found = os.path.join(path, max(named)[2]) if named else ""
            if os.path.isfile(found):
                return found
        return os.path.join(path, "model.sdf")

    def included(self, include, said_in, still):
        """The masses that an include brings; `still` where the model around it cannot move."""
        try:
            file = self.file_of(self.find(include.findtext("uri") or "", said_in))
        except Missing:
            return []
        root = tree(file)
        override = include.findtext("static")
        for child in root:
            if child.tag == "model":
                own = child.findtext("static") if override is None else override
                name = (include.findtext("name") or child.get("name") or "").strip()
                if is_true(include.get("merge")):
                    # Whether it moves says the model that it goes into.
                    own = None
                return self.masses(child, file, still or is_true(own), name)
            if child.tag == "include":
                return self.included(child, file, still or is_true(override))
        return []

    def masses(self, model, file, still, name):
        found = []
        for child in model:
            if child.tag == "link" and not still:
                inertial = child.find("inertial")
                if inertial is not None and is_true(inertial.get("auto")):
                    raise ValueError("a mass that is worked out from shapes")
                mass = child.findtext("inertial/mass")
                found.append((f"{name}::{child.get('name')}", float(mass) if mass and mass.strip() else 1.0))
            elif child.tag == "model":
                inner = still or is_true(child.findtext("static"))
                found += self.masses(child, file, inner, f"{name}::{child.get('name')}")
            elif child.tag == "include":
                found += self.included(child, file, still)
        return found

    def of_file(self, file):
        root = tree(file)
        world = root.find("world")
        found = []
        for child in root if world is None else world:
            if child.tag == "model":
                found += self.masses(child, file, is_true(child.findtext("static")), child.get("name"))
            elif child.tag == "include":
                found += self.included(child, file, False)
        return found


def main():
    split = sys.argv.index("--")
    reader = Reader(sys.argv[1:split])
    for file in sys.argv[split + 1 :]:
        try:
            masses = reader.of_file(file)
        except (OSError, ValueError, ET.ParseError, RecursionError) as error:
            print(f"{file}\terror\t{type(error).__name__}: {error}")
            continue
        links = " ".join(f"{name.replace(' ', '_')}={mass!r}" for name, mass in masses)
        print(f"{file}\t{sum(mass for _, mass in masses)!r}\t{links}")


main()
