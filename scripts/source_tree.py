"""The sources of the tree as scripts look at them: their texts, their code, what includes what."""

import re
from pathlib import Path

CODE_SUFFIXES = {".h", ".cpp", ".cuh", ".cu", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def without_comments_and_strings(text):
    """The code with comments and the inside of literals blanked; line numbers stay."""
    token = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'
        r'|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
    return token.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def includes_of(text):
    """(line number, name, quoted) of each include, outside block comments."""
    code = re.sub(r"/\*.*?\*/", lambda match: re.sub(r"[^\n]", " ", match.group()), text,
                  flags=re.DOTALL)
    for number, line in enumerate(code.split("\n"), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) or match.group(2), match.group(1) is not None


class Tree:
    """A source tree: its files, read once."""

    def __init__(self, root):
        self.root = Path(root)
        self.text = {}
        self.included = {}
        for folder in ("kernels", "index", "host", "bench", "tests"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in CODE_SUFFIXES and path.is_file():
                    self.text[path.relative_to(self.root).as_posix()] = path.read_text("utf-8")
        self.kernel_door = {"kernels/kernels.h"} | {
            name for _, name, quoted in includes_of(self.text.get("kernels/kernels.h", ""))
            if quoted}

    def includes(self, path):
        """includes_of() a file, looked for once."""
        if path not in self.included:
            self.included[path] = list(includes_of(self.text[path]))
        return self.included[path]

    def resolve(self, includer, name):
        """The file a quoted include means, from the root or, in tests/ and bench/, from there."""
        top = includer.split("/")[0]
        candidates = [name]
        if top in ("tests", "bench"):
            candidates += [f"{top}/{name}", f"{includer.rsplit('/', 1)[0]}/{name}"]
        return next((path for path in candidates if path in self.text), None)

    def headers_of(self, path):
        """The files of the tree that a file includes, itself or through others."""
        found, queue = set(), [path]
        while queue:
            includer = queue.pop()
            for _, name, quoted in self.includes(includer):
                target = self.resolve(includer, name) if quoted else None
                if target is not None and target not in found:
                    found.add(target)
                    queue.append(target)
        return found

    def path_to_kernels(self, start):
        """Files from `start` to the first header of kernels/ that it reaches, or None."""
        paths = {start: [start]}
        queue = [start]
        while queue:
            includer = queue.pop(0)
            for _, name, quoted in self.includes(includer):
                target = self.resolve(includer, name) if quoted else None
                if target is None or target in paths:
                    continue
                paths[target] = paths[includer] + [target]
                if target.startswith("kernels/"):
                    return paths[target]
                queue.append(target)
        return None
