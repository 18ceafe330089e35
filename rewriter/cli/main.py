"""The command ``gender-fair``: finds the commands of all packages and turns errors into messages.

Commands are entry points of the group ``gender_fair.commands``. The name of an entry point is the command; its object
is a function ``register(subparsers)`` that adds a parser and sets ``run=function(args) -> int``. Only the package of
the command that was asked for is imported, so ``gender-fair rewrite`` never waits for another package's libraries.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar, NoReturn

from rewriter.cli.messages import say
from rewriter.cli.signals import Stopped, ends_cleanly
from rewriter.cli.unexpected import told
from rewriter.errors import GenderFairError, MissingExtraError, ShadowedPackageError
from rewriter.installation.shadow import require_own
from rewriter.model.downloads import allow_downloads, stay_offline
from rewriter.version import __version__

__all__ = ["main"]

GROUP = "gender_fair.commands"

DESCRIPTION = """\
Rewrite text gender-fairly, make training data for it, train it, measure it.

examples:
  gender-fair rewrite article.txt -o fair.txt
  echo "She knows her stuff." | gender-fair rewrite -
  gender-fair eval wer hypothesis.txt reference.txt
  gender-fair run en-small --set data.root=/data
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code.

    0: done, 1: ``--check`` found something, 2: wrong usage, 3: finished with rejects, 4: failed, output incomplete,
    130: interrupted (129, 131, 143: by SIGHUP, SIGQUIT, SIGTERM).
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with ends_cleanly():
            return _run(words)
    except GenderFairError as error:
        say(error)
        return error.exit_code
    except Stopped as stopped:
        say(f"stopped by {signal.Signals(stopped.number).name}; what was finished is kept")
        return 128 + stopped.number
    except KeyboardInterrupt:
        say("interrupted; what was finished is kept")
        return 130
    except BrokenPipeError:
        # The reader went away (``| head``): stop quietly, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        say(told(error))
        return GenderFairError.exit_code


def _run(words: Sequence[str]) -> int:
    args = build_parser(words).parse_args(words)
    if getattr(args, "allow_download", False) or getattr(args, "revision", None) is not None:
        allow_downloads()
    stay_offline()
    return int(args.run(args))


class HelpfulParser(argparse.ArgumentParser):
    """A parser that shows a command's help where it is called without any of the arguments that it needs."""

    #: what stands on the command line; parsers of commands are made by argparse, which passes nothing on
    line: ClassVar[tuple[str, ...]] = ()

    def error(self, message: str) -> NoReturn:
        """Show the help of a bare command, or say what is wrong; end with 2."""
        if self.prog == " ".join(("gender-fair", *HelpfulParser.line)):
            self.print_help(sys.stderr)
            self.exit(2)
        super().error(message)


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser that knows the command named in ``words``, or all commands where none is named."""
    parser = HelpfulParser(
        prog="gender-fair", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    HelpfulParser.line = tuple(words)
    parser.add_argument("--version", action="version", version=f"gender-fair-rewriter {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    known = {entry.name: entry for entry in entry_points(group=GROUP)}
    named = [word for word in words if not word.startswith("-")][:1]
    everything = [] if words[:1] == ["--version"] else sorted(known)  # help names all commands, the version needs none
    for name in named if named and named[0] in known else everything:
        _add(commands, known[name])
    return parser


def _add(commands: argparse._SubParsersAction[HelpfulParser], entry: EntryPoint) -> None:
    """Let one package add its command; one that cannot be imported must not break the help of the others."""
    try:
        if entry.name != "doctor":  # the doctor is there to report what is wrong
            require_own(entry.module.partition(".")[0])
        entry.load()(commands)
    except (MissingExtraError, ShadowedPackageError) as error:
        # Any arguments are accepted, options too (no character begins one here), so that the reason is told and not
        # "unrecognized arguments".
        text = str(error).replace("%", "%%")
        parser = commands.add_parser(entry.name, help=text, add_help=False, prefix_chars="\0")
        parser.add_argument("rest", nargs="*", help=argparse.SUPPRESS)
        parser.set_defaults(run=partial(_complain, error))


def _complain(error: GenderFairError, args: argparse.Namespace) -> int:
    raise error
