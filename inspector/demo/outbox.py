"""The `outbox` server: tools that act on records which another server owns."""

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, Resource, ResourceLink, ToolAnnotations
from pydantic import BaseModel, Field

from inspector.demo._server import READS, DemoServer, not_found, serve_over, text_block
from inspector.demo.delivery import Delivery, Missing, Record, declaration, delivered, observed_at, quotes
from inspector.demo.sent import SentMessage, SentStore

OLDEST_DAYS = 180
"""A cited event may be this many days old, and no older."""

INLINE = "Only for a host that does not deliver records: "


class CheckedCitation(BaseModel):
    """What the tool knows about a citation when it sends."""

    uri: str
    verified: bool = Field(description="The record came from the host, as its owner returned it.")
    record: Literal["delivered", "inline", "none"] = Field(description="Where the record came from.")
    observed: str | None = Field(default=None, description="The day of its event, an ISO date.")


class Sent(BaseModel):
    """A message that was sent."""

    uri: str
    citations: list[CheckedCitation]


class Quoted(BaseModel):
    """A quotation that was checked."""

    source: str
    quote: str
    verified: bool = Field(description="The words are in the record as its owner returned it.")


class Chapter(BaseModel):
    """A source of a report."""

    uri: str
    characters: int


class LeftOut(BaseModel):
    """A source that a report does without."""

    uri: str
    code: str | None = Field(default=None, description="The extension's code, where the host gave one.")
    meaning: str


class Report(BaseModel):
    """A report over its sources."""

    title: str
    included: list[Chapter]
    missing: list[LeftOut]


def check_citations(
    delivery: Delivery | None, citations: Sequence[str], inline: Sequence[str], today: date
) -> tuple[list[CheckedCitation], list[str]]:
    """What is known about each citation, and a line for each that must not be sent.

    `delivery` is what the host delivered, or None; `inline` are the records as the caller copied them, in
    the order of `citations`, and count only where the host delivers nothing.
    """
    checked: list[CheckedCitation] = []
    refused: list[str] = []
    if delivery is None and inline and len(inline) != len(citations):
        return [], [f"{len(inline)} records for {len(citations)} citations: give one for each, or none"]
    for position, uri in enumerate(citations):
        if delivery is not None:
            record = delivery.record(uri)
        elif inline:
            record = Record(uri, inline[position])
        else:
            checked.append(CheckedCitation(uri=uri, verified=False, record="none"))
            continue
        problem = str(record) if isinstance(record, Missing) else _too_old(record, today)
        if problem is not None:
            refused.append(problem)
        elif isinstance(record, Record):
            day = observed_at(record)
            checked.append(
                CheckedCitation(
                    uri=uri,
                    verified=delivery is not None,
                    record="inline" if delivery is None else "delivered",
                    observed=day.isoformat() if day else None,
                )
            )
    return checked, refused


def _too_old(record: Record, today: date) -> str | None:
    day = observed_at(record)
    if day is None:
        return f"{record.uri}: the record has no observedAt date, so its age is not known"
    age = (today - day).days
    if age > OLDEST_DAYS:
        return f"{record.uri}: too old, observed {day.isoformat()}, {age} days ago; at most {OLDEST_DAYS} count"
    return None


def _refusal(heading: str, reasons: Sequence[str]) -> CallToolResult:
    lines = [heading, *(f"- {reason}" for reason in reasons)]
    return CallToolResult(content=[text_block("\n".join(lines))], is_error=True)


def _sent_result(message: SentMessage, checked: list[CheckedCitation], notice: str) -> CallToolResult:
    lines = [f"Sent as {message.uri}.", *(_sent_line(each) for each in checked)]
    if notice:
        lines.append(notice)
    link = ResourceLink(
        type="resource_link", uri=message.uri, name=f"sent-{message.id}", mime_type="application/json"
    )
    structured = Sent(uri=message.uri, citations=checked).model_dump(mode="json")
    return CallToolResult(content=[text_block("\n".join(lines)), link], structured_content=structured)


def _sent_line(checked: CheckedCitation) -> str:
    match checked.record:
        case "delivered":
            return f"- {checked.uri}: verified, observed {checked.observed}"
        case "inline":
            return f"- {checked.uri}: observed {checked.observed} by the record you gave; not verified"
        case "none":
            return f"- {checked.uri}: kept as a reference, not verified"


def build(folder: Path, cited: list[str], reported: list[str]) -> DemoServer:
    """The server; `cited` and `reported` are the schemes that its tools declare, from its configuration."""
    store = SentStore(folder)
    server = DemoServer(
        "outbox",
        title="Outbox",
        instructions="Messages go out only with citations that hold.",
        listing=lambda: [
            Resource(uri=each.uri, name=f"sent-{each.id}", title=each.body[:60], mime_type="application/json")
            for each in store.messages()
        ],
    )

    @server.resource("outbox://sent/{id}", title="A sent message", mime_type="application/json")
    def sent(id: str, context: Context[Any, Any]) -> str:
        """A message that was sent, with what was known about its citations."""
        for each in store.messages():
            if str(each.id) == id:
                return each.to_json()
        raise not_found(context, f"no sent message {id}")

    _add_send(server, store, cited)
    _add_quote(server, cited)
    _add_report(server, reported)
    return server


def _add_send(server: DemoServer, store: SentStore, schemes: list[str]) -> None:
    @server.tool(
        title="Send with citations",
        annotations=ToolAnnotations(
            read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True
        ),
        meta=declaration({"citations": schemes}),
    )
    async def send_with_citations(
        context: Context[Any, Any],
        body: Annotated[str, Field(title="Body", description="The text of the message.", min_length=1)],
        citations: Annotated[
            list[str],
            Field(title="Citations", description="The records that the message rests on, by their URI."),
        ] = [],  # noqa: B006 - the schema shows the default, and nothing changes it
        records: Annotated[
            list[str],
            Field(title="Records", description=INLINE + "the text of each cited record, in the same order."),
        ] = [],  # noqa: B006
    ) -> Annotated[CallToolResult, Sent]:
        """Send a message. Refused where a cited record is missing, or its event is more than 180 days ago."""
        delivery = delivered(context)
        checked, refused = check_citations(delivery, citations, records, date.today())
        if refused:
            return _refusal("Not sent. These citations do not hold:", refused)
        if delivery is None and citations:
            notice = "The host delivered no records, so nothing was verified."
        elif delivery is not None and records:
            notice = "The records you gave were passed over: the host delivered them."
        else:
            notice = ""
        message = store.add(body, [each.model_dump(mode="json") for each in checked])
        await context.notify_resources_changed()
        return _sent_result(message, checked, notice)


def _add_quote(server: DemoServer, schemes: list[str]) -> None:
    @server.tool(title="Quote a record", annotations=READS, meta=declaration({"source": schemes}))
    def quote_record(
        context: Context[Any, Any],
        source: Annotated[str, Field(title="Source", description="The record to quote, by its URI.")],
        quote: Annotated[str, Field(title="Quote", description="The words, exactly as they stand.", min_length=1)],
        record: Annotated[
            str | None, Field(title="Record", description=INLINE + "the text of the record.")
        ] = None,
    ) -> Annotated[CallToolResult, Quoted]:
        """Check that a record contains exactly these words, and give them back as a quotation."""
        delivery = delivered(context)
        held: Record | Missing | None = None
        if delivery is not None:
            held = delivery.record(source)
        elif record is not None:
            held = Record(source, record)
        if isinstance(held, Missing):
            return _refusal("Not quoted.", [str(held)])
        if held is not None and not quotes(held, quote):
            return _refusal("Not quoted.", [f"{source}: the record does not contain exactly these words: {quote}"])
        verified = delivery is not None
        note = "" if verified else "\nThe host delivered no record, so the wording was not verified."
        return CallToolResult(
            content=[text_block(f"“{quote}” ({source}){note}")],
            structured_content=Quoted(source=source, quote=quote, verified=verified).model_dump(mode="json"),
        )


def _add_report(server: DemoServer, schemes: list[str]) -> None:
    @server.tool(title="Compile a report", annotations=READS, meta=declaration({"sources": schemes}))
    async def compile_report(
        context: Context[Any, Any],
        title: Annotated[str, Field(title="Title", description="The report's title.", min_length=1)],
        sources: Annotated[
            list[str], Field(title="Sources", description="Records, texts and messages, by their URI.")
        ],
    ) -> Annotated[CallToolResult, Report]:
        """Compile a report from its sources. What the host did not deliver is left out, and listed."""
        delivery = delivered(context)
        report = Report(title=title, included=[], missing=[])
        for number, uri in enumerate(sources, 1):
            await context.report_progress(number, len(sources), uri)
            held = delivery.record(uri) if delivery else Missing(uri, None, "the host delivers no records")
            if isinstance(held, Record):
                report.included.append(Chapter(uri=uri, characters=len(held.text)))
            else:
                report.missing.append(LeftOut(uri=uri, code=held.code, meaning=held.meaning))
        lines = [f"{title}: {len(report.included)} of {len(sources)} sources."]
        lines += [f"- {each.uri}: {each.characters} characters" for each in report.included]
        lines += [f"- {Missing(each.uri, each.code, each.meaning)}; left out" for each in report.missing]
        return CallToolResult(
            content=[text_block("\n".join(lines))],
            structured_content=report.model_dump(mode="json"),
        )


def _schemes(text: str) -> list[str]:
    return [scheme.strip() for scheme in text.split(",") if scheme.strip()]


def main(arguments: Sequence[str]) -> None:
    """Serve over stdio until stdin closes."""
    parser = argparse.ArgumentParser(prog="outbox", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the sent messages")
    parser.add_argument("--cite", type=_schemes, required=True, help="schemes that a message may cite: crm,…")
    parser.add_argument("--report", type=_schemes, required=True, help="schemes that a report takes: crm,vault,…")
    options = parser.parse_args(arguments)
    serve_over(options.data, lambda folder: build(folder, options.cite, options.report))
