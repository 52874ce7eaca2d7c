"""`open` and `demo`: the terminal UI on a workspace."""

from __future__ import annotations

import click

from inspector.cli.arguments import read_arguments
from inspector.cli.errors import WrongWords
from inspector.cli.options import ARGUMENTS_OPTION, WATCH_OPTION, Options, workspace_options
from inspector.cli.setup import make_setup


@click.command("open")
@click.argument("tool", metavar="[SERVER/TOOL]", required=False)
@ARGUMENTS_OPTION
@WATCH_OPTION
@workspace_options
@click.pass_obj
def open_command(options: Options, tool: str | None = None, arguments_text: str | None = None) -> int:
    """Opens the terminal UI on a workspace. SERVER/TOOL and --args open it with that call composed."""
    if options.json:
        raise WrongWords(
            "--json goes with show, owners, preview, call, read, replay, drill, check: this opens the terminal UI"
        )
    if arguments_text is not None and tool is None:
        raise WrongWords("--args goes with a tool: name it, as SERVER/TOOL")
    arguments = None if arguments_text is None else read_arguments(arguments_text)
    return options.open_ui(make_setup(options, tool=tool, arguments=arguments))


@click.command("demo")
@click.argument("tool", metavar="[SERVER/TOOL]", required=False)
@ARGUMENTS_OPTION
@WATCH_OPTION
@workspace_options
@click.pass_context
def demo_command(context: click.Context, tool: str | None, arguments_text: str | None) -> int:
    """Opens the terminal UI on the bundled workspace. SERVER/TOOL and --args open it with that call composed."""
    context.find_object(Options).demo = True  # type: ignore[union-attr]
    return int(context.invoke(open_command, tool=tool, arguments_text=arguments_text))
