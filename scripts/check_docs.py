#!/usr/bin/env python3
"""Checks the pages of the project: links that lead nowhere, and sweep files that no page names.

    scripts/check_docs.py [ROOT]       check a tree (default: this one); exit 1 on a fault
    scripts/check_docs.py --self-test  prove that each rule can fail

A fault is one line: FILE:LINE: what is wrong. The rules, for every .md file outside build/ and hidden folders:

  links     A relative link or picture leads to a file of the tree, and what follows '#' is a heading there.
  configs   configs/README.md names every sweep file of configs/, and no other.
"""

import re
import sys
import tempfile
from pathlib import Path

import check_script

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *$")
FENCE = re.compile(r"^ {0,3}```")
SWEEP_FILE = re.compile(r"`([a-z0-9_]+\.yaml)`")


def prose(path):
    """Numbered lines of a page outside its blocks of code."""
    inside = False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, line


def anchor(heading):
    """What a link calls a heading: as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
    return kept.replace(" ", "-")


def anchors(path):
    return {anchor(found[1]) for _, line in prose(path) if (found := HEADING.match(line))}


def pages(root):
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if parts[0] not in {"build", "package", "runs"} and not any(part.startswith(".") for part in parts):
            yield path


def check_links(root, page):
    faults = []
    for number, line in prose(page):
        for link in LINK.findall(re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, place = link.partition("#")
            target = page.parent / name if name else page
            at = f"{page.relative_to(root)}:{number}: {link}"
            if not target.exists():
                faults.append(f"{at}: there is no such file")
            elif place and place not in anchors(target):
                faults.append(f"{at}: no heading of that name")
    return faults


def check_configs(root):
    page = root / "configs" / "README.md"
    if not page.exists():
        return []
    named = {}
    for number, line in prose(page):
        for name in SWEEP_FILE.findall(line):
            named.setdefault(name, number)
    there = {path.name for path in page.parent.glob("*.yaml")}
    return ([f"configs/README.md: {name} is not named" for name in sorted(there - named.keys())] +
            [f"configs/README.md:{named[name]}: {name}: there is no such file"
             for name in sorted(named.keys() - there)])


def check(root):
    faults = check_configs(root)
    for page in pages(root):
        faults += check_links(root, page)
    return faults


SOUND = {
    "README.md": "# A page\n\n## What `it` means\n\n[a](configs/README.md#the-files) ![p](p.png) [here](#what-it-means)\n"
                 "[far](https://example.org/x#y) `[code](nowhere)`\n```\n[code](nowhere)\n# no heading\n```\n",
    "configs/README.md": "# Files\n## The files\n`one.yaml` [up](../README.md)\n",
    "configs/one.yaml": "", "p.png": "",
}
BREACHES = [
    ("README.md", "[a](gone.md)\n", "there is no such file"),
    ("README.md", "![a](gone.png)\n", "there is no such file"),
    ("README.md", "[a](configs/README.md#gone)\n", "no heading of that name"),
    ("README.md", "[a](#no-heading)\n```\n# no heading\n```\n", "no heading of that name"),
    ("configs/README.md", "# Files\n## The files\n", "one.yaml is not named"),
    ("configs/README.md", "# Files\n## The files\n`one.yaml` `two.yaml`\n", "two.yaml: there is no such file"),
]


def self_test():
    """Failures of the check itself: a planted breach that it misses, or a sound tree that it refuses."""
    failures = []
    for name, text, words in [("README.md", SOUND["README.md"], None), *BREACHES]:
        with tempfile.TemporaryDirectory() as folder:
            for file, content in {**SOUND, name: text}.items():
                (Path(folder) / file).parent.mkdir(exist_ok=True)
                (Path(folder) / file).write_text(content, "utf-8")
            faults = check(Path(folder))
            if faults if words is None else not any(words in fault for fault in faults):
                failures.append(f"{name}: expected {words or 'no fault'}: {faults}")
    return failures


if __name__ == "__main__":
    check_script.run(sys.modules[__name__], lambda root: check(Path(root or Path(__file__).resolve().parent.parent)),
                     self_test, len(BREACHES), "pages: {} faults")
