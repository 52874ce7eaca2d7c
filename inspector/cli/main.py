"""The program's words: the group of commands, which are loaded when they are called, and how each way out ends."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from inspector import __version__
from inspector.cli.errors import FAILED, WORDS, CommandError, Interrupted, WrongWords
from inspector.cli.options import WATCH_OPTION, Options, shared_options
from inspector.cli.output import PROGRAM, complain

if TYPE_CHECKING:
    from inspector.host.setup import Setup

_COMMANDS: Final = {
    "open": "The terminal UI on a workspace, with a call composed.",
    "demo": "The terminal UI on the bundled workspace.",
    "show": "The servers, what each publishes and declares, and what is wrong.",
    "owners": "The ownership map with its overlaps, or the verdict on each URI.",
    "preview": "Resolves a call and prints its _meta and the outcomes. Sends nothing.",
    "call": "The same, then sends exactly that.",
    "read": "Reads a URI as the host would, or from a named server.",
    "replay": "Sends saved cases again and says what differs.",
    "drill": "The same call under each outcome and each host, as a table.",
    "check": "Everything wrong in the workspace.",
}
"""The commands in the order of the help, each in a module of its name, with its line of help."""

_SCREENS: Final = ("open", "demo")
"""Commands that open the terminal UI."""

_MODULES: Final = {"demo": "open", "preview": "call"}
"""Commands that share a module with another one."""


class _Commands(click.Group):
    """The group. It names its commands without loading them: `--help` must not wait for what they need."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"inspector.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word not in _COMMANDS and "/" in word:
            # `open` may be left out, so SERVER/TOOL can be the first word.
            return "open", self.get_command(ctx, "open"), args
        if word not in _COMMANDS and not word.startswith("-"):
            ctx.fail(f"no command {word}: there is {', '.join(_COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read standard output went away: nothing more may be written to it, at exit neither.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise Interrupted(signal.SIGPIPE) from None
        return result


@click.command(
    cls=_Commands,
    name=PROGRAM,
    invoke_without_command=True,
    help="A terminal inspector for the MCP extension ai.nimblebrain/resource-arguments: compose a call, see what "
    "a host would deliver with it, and send it. Without a command it opens the terminal UI.",
    epilog="Options may stand before a command or after it. `-- COMMAND …` at the end starts one more server.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@shared_options
@WATCH_OPTION
@click.pass_context
def _program(context: click.Context) -> int | None:
    if context.invoked_subcommand is not None:
        if context.obj.watch and context.invoked_subcommand not in _SCREENS:
            raise WrongWords("--watch goes with the terminal UI: open or demo")
        return None
    opener = importlib.import_module("inspector.cli.open")
    return int(context.invoke(opener.open_command))


def main(words: Sequence[str], open_ui: Callable[[Setup], int]) -> int:
    """Runs the program with the words behind its name. Returns the exit code; prints at most one line of error.

    `open_ui` opens the terminal UI on a `Setup`.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal that cannot show a character shows its escape.
            reconfigure(errors="backslashreplace")
    before, command = _split(words)
    options = Options(command=command, open_ui=open_ui)
    try:
        code = _program.main(args=before, prog_name=PROGRAM, standalone_mode=False, obj=options)
    except click.ClickException as error:
        complain(_words_fault(error))
        code = WORDS
    except (click.Abort, KeyboardInterrupt):
        code = 128 + signal.SIGINT
    except CommandError as error:
        _trace(options)
        if str(error):
            complain(str(error))
        code = error.exit_code
    except Exception as error:
        _trace(options)
        hint = "" if options.debug else "; --debug shows where"
        complain(f"a fault of this program's own: {type(error).__name__}: {error}{hint}")
        code = FAILED
    return code if isinstance(code, int) else 0


def _split(words: Sequence[str]) -> tuple[list[str], tuple[str, ...] | None]:
    """The words before the first `--`, and the command line of the server behind it."""
    found = list(words)
    if "--" not in found:
        return found, None
    at = found.index("--")
    return found[:at], tuple(found[at + 1 :])


def _words_fault(error: click.ClickException) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else PROGRAM
    return f"{message[:1].lower()}{message[1:]} (see {path} --help)"


def _trace(options: Options) -> None:
    if options.debug:
        # Here, not above: only a run that asks for it pays for it.
        import traceback

        traceback.print_exc(file=sys.stderr)
