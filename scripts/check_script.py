"""What the scripts named check_*.py have in common: how they are called, what they print and end with."""

import sys


def run(script, check, self_test, num_planted, what):
    """Calls check(ARGUMENT or None) or self_test(), each a list of faults, and tells them.

    `script` is the module: its documentation is the help. `what` says what is counted, "pages: {} faults".
    Exits with 0 where there are none, 1 where there are, and 2 for other arguments.
    """
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(script.__doc__)
        sys.exit(0)
    if arguments == ["--self-test"]:
        problems = self_test()
        verdict = f"self-test: {num_planted} planted breaches, {len(problems)} failures"
    elif len(arguments) <= 1 and not "".join(arguments).startswith("-"):
        problems = check(arguments[0] if arguments else None)
        verdict = what.format(len(problems))
    else:
        print(f"{script.__file__}: error: unknown arguments {' '.join(arguments)} (try --help)", file=sys.stderr)
        sys.exit(2)
    for problem in problems:
        print(problem)
    print(verdict)
    sys.exit(1 if problems else 0)
