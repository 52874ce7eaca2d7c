"""What each page and each dialog is for, in two or three sentences. The keys below come from the bindings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class About(NamedTuple):
    """The title of the help of a screen, and what the screen is for."""

    title: str
    text: str


HELP: Final[Mapping[str, About]] = {
    "compose": About(
        "compose",
        "Fill in the call. Below each string of a declared argument stands its fate: who owns it, or the code and "
        "why. Resolve reads the resources and shows the exact _meta; send sends what is shown. Where something "
        "changed since, send resolves and shows first: nothing unseen is ever sent. In the preview and the result "
        "/ searches, y copies (the call as a command, as JSON-RPC, as Python), e and p open what stands at the "
        "cursor in $VISUAL or $EDITOR and in $PAGER; on a block of a result w saves it, o reads its resource and "
        "c cites it. F12 edits the text at hand, or the JSON of the call, in the editor.",
    ),
    "ownership": About(
        "ownership",
        "Type a URI into the probe line: it is answered with the verdict and what each template makes of it. "
        "Enter, or a where no field has the focus, reads it from a server of your choice, whoever owns it. The "
        "line below takes a template as if a server published it too, and says what would follow. Then come the "
        "overlaps between servers, and each template by scheme.",
    ),
    "browse": About(
        "browse",
        "The templates, resources and prompts of all servers. / narrows the list by what is typed: each word is "
        "looked for in the server, the URI or name, the title, the description and the type. Enter reads a "
        "resource from the server that lists it, fills in a template, gets a prompt; Esc cancels what takes too "
        "long. Left and right go from server to server. A click looks at a row, a second one does as Enter does.",
    ),
    "record": About(
        "record",
        "What happened. Each call of this run has a timeline: its reads, the call itself, progress, and what "
        "its servers logged and wrote to standard error meanwhile; + is what is known to belong to the call, "
        "≈ what was said at that time. The messages are the JSON-RPC of all servers, the handshake too; Enter "
        "opens a request with its answer. The filter takes words, server:NAME, method:NAME, sent, received "
        "and the kinds request, result, error, notification; follow keeps to the newest. The history holds "
        "the calls of this run and of those before: Enter opens one, compose and send put it into the "
        "composer, compare marks one and shows what differs in the next.",
    ),
    "problems": About(
        "problems",
        "What the servers publish and the extension or the protocol will not do as their authors hope, worst "
        "first, each with its rule, what to do, and a snippet to paste where one helps. / narrows the list by "
        "what is typed: error, a server, a rule such as R14, any text. Enter goes to what a problem is about; "
        "y copies its snippet.",
    ),
    "servers": About(
        "servers",
        "The servers of the workspace and their tools, those that declare resource arguments first and marked ⧉. "
        "Enter on a tool composes a call of it; on a server it opens its menu.",
    ),
    "HostPanel": About(
        "host",
        "The host that is played: its profile decides whether resource arguments are resolved at all and what the "
        "servers are told; its limits decide how much is read. Drain and refill act at once on one server's "
        "budget of reads; profile and limits count once they are applied.",
    ),
    "ChoicesScreen": About(
        "menu",
        "What is known, and what can be done. Enter or a click does what the cursor is on; the letter or digit "
        "before a choice does it from anywhere.",
    ),
    "LinesScreen": About(
        "lines",
        "Lines as they come, the newest at the end. The list follows them as long as the cursor is on the last.",
    ),
    "ThemeScreen": About(
        "themes",
        "The theme at the cursor is shown at once. Enter keeps it for the next time; Esc goes back to the one "
        "before. Your own are *.toml files in the folder themes beside your settings.",
    ),
    "InputScreen": About(
        "a value",
        "A workspace file leaves this value to be asked for. It goes to its server alone and is never saved; "
        "without it that server fails, and the others work.",
    ),
    "SaveScreen": About("save as", "Where the file is to go. Nothing is written before Enter."),
    "UriForm": About(
        "a template",
        "Fill in the template's variables: the URI below follows as you type. What was encoded in it is marked.",
    ),
    "TemplateForm": About(
        "a URI from a template",
        "Choose a template, then fill in its variables: the URI below follows as you type, and what was encoded "
        "in it is marked. Where its server completes values, they are offered.",
    ),
    "PromptForm": About(
        "a prompt", "Fill in the prompt's arguments; an empty one that is not required is left out."
    ),
    "ExportScreen": About(
        "export",
        "Writes the messages as NDJSON, a JSON object a line. What the servers were sent and answered is in it; "
        "no header and no environment variable. Nothing is written before Enter.",
    ),
    "ResourceScreen": About(
        "a resource",
        "What a read gave, as the server sent it. It can be searched, folded, cited, copied and saved.",
    ),
    "BlocksScreen": About("a message", "What was said, as JSON that can be searched, folded and copied."),
    "KeptCallScreen": About(
        "a kept call",
        "One call of the history: what was sent and what came of it. It can be searched, folded and copied, put "
        "into the composer, or sent again.",
    ),
    "PickScreen": About(
        "a choice", "One of many. What you type narrows the list; Enter takes what the cursor is on."
    ),
    "PairScreen": About(
        "a request and its answer",
        "One request and what came back, or what a server said by itself. It can be searched, folded and copied.",
    ),
    "ElicitationScreen": About(
        "a question",
        "A server asks for something in the middle of its work. What you give goes to that server alone; it may "
        "be declined, and the server goes on without.",
    ),
    "HelpScreen": About("help", "What the screen at hand is for, and its keys."),
}
"""By a page's id, or by the name of a dialog's class."""
