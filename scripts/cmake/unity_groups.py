#!/usr/bin/env python3
"""Groups sources that can be compiled as one: prints SOURCE;GROUP;SOURCE;GROUP... for CMake.

    unity_groups.py ROOT SOURCE...    sources from ROOT, all of one library

Two sources go together unless a name of one file's own, in its unnamed namespace, stands in the other
or, where it is a type, in a header that the other includes: there it would be taken for another. Of
aliases both may have the same. A source that defines macros stays alone. What passes for a name is
told by the look of a line, not by a compiler: where this errs, the compiler says so.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from source_tree import Tree, without_comments_and_strings  # noqa: E402

MOST_IN_GROUP = 10
UNNAMED_END = "}  // namespace"
ALIAS = re.compile(r"^(?:using|namespace) (\w+) = [^;]*;", re.M)
USING = re.compile(r"^using [\w:]+::(\w+);", re.M)
TYPE = re.compile(r"^(?:struct|class|enum|enum class|union) (\w+)", re.M)
# "std::vector<int> name(", "constexpr int kName = ", "const char* const kNames[] = {"
VALUE = re.compile(r"^(?!using|namespace|struct|class|enum|union|template|return|#)[\w:[][^\n(={;]*?"
                   r"[\s&*>](\w+)(?:\(|\[| =|\{|;)", re.M)
# "constexpr int kOne = 1, kTwo = 2;"
CONSTANTS = re.compile(r"^const(?:expr)? [^;]*;", re.M)
CONSTANT = re.compile(r"\b(\w+)(?:\[\])? =")
WORD = re.compile(r"[A-Za-z_]\w*")


def unnamed_namespaces(text, code):
    """The lines of code in them: clang-format ends one by a comment, which the code has not."""
    own, is_inside = [], False
    for line, line_of_code in zip(text.split("\n"), code.split("\n")):
        is_inside = line == "namespace {" or (is_inside and line != UNNAMED_END)
        if is_inside and line != "namespace {":
            own.append(line_of_code)
    return "\n".join(own)


class Source:
    """Names of a source's own, what it says, and what its headers do."""

    def __init__(self, tree, path):
        code = without_comments_and_strings(tree.text[path])
        own = unnamed_namespaces(tree.text[path], code)
        self.path = path
        self.is_alone = re.search(r"^#\s*define", code, re.M) is not None
        # The same alias does not go with itself in the namespace around.
        self.aliases = {match.group(1): match.group() + str(match.group() in own)
                        for pattern in (ALIAS, USING) for match in pattern.finditer(code)}
        types = set(TYPE.findall(own))
        self.names = types | set(VALUE.findall(own))
        for constants in CONSTANTS.findall(own):
            self.names |= set(CONSTANT.findall(constants))
        self.types = types
        self.words = set(WORD.findall(code))
        self.header_words = set()
        for header in tree.headers_of(path):
            self.header_words |= tree.words_of(header)

    def disturbs(self, other):
        """Would a name of this one's own mean something else in the other?"""
        for name, text in self.aliases.items():
            if other.aliases.get(name) != text and name in other.words | other.header_words:
                return True
        return bool(self.names & other.words or self.types & other.header_words)


class Headers(Tree):
    """A tree that knows the words of its headers."""

    def __init__(self, root):
        super().__init__(root)
        self.words = {}

    def words_of(self, header):
        if header not in self.words:
            self.words[header] = set(WORD.findall(without_comments_and_strings(self.text[header])))
        return self.words[header]


def groups_of(sources):
    groups = []
    for source in sources:
        for group in groups:
            if len(group) < MOST_IN_GROUP and not source.is_alone and not any(
                    one.is_alone or one.disturbs(source) or source.disturbs(one) for one in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main(arguments):
    if len(arguments) < 2:
        print("usage: unity_groups.py ROOT SOURCE...", file=sys.stderr)
        return 2
    tree = Headers(arguments[0])
    sources = [Source(tree, path) for path in arguments[1:]]
    print(";".join(f"{source.path};{number}" for number, group in enumerate(groups_of(sources))
                   for source in group))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
