"""Matching, lookup and overlaps: against the SDK's matcher, and against themselves at other sizes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from inspector.templates import OwnershipMap, UriTemplate, find_overlaps
from tests.benchmarks.row import Row

COMMON = [
    ("crm://signals/{id}", ["crm://signals/42", "crm://signals/42/more", "mail://inbox/1"]),
    ("crm://{kind}/{id}", ["crm://signals/42", "crm://signals", "crm://a/b/c"]),
    ("file:///{+path}", ["file:///home/me/notes/today.md", "files:///x", "file:///"]),
    ("repo://{owner}/{name}/contents/{+path}", ["repo://a/b/contents/c/d.py", "repo://a/b/commits/c"]),
    ("db://{database}/tables/{table}/rows/{row}", ["db://main/tables/users/rows/17", "db://main/tables/users"]),
    ("docs://find{?q,lang}", ["docs://find?q=a&lang=en", "docs://find", "docs://find?lang=en&q=a"]),
    ("weather://{city}/forecast{?days}", ["weather://oslo/forecast?days=3", "weather://oslo/now"]),
    ("archive://boxes{/path*}", ["archive://boxes/a/b/c", "archive://crates/a"]),
]


def benchmarks() -> Iterator[Row]:
    """The bars on speed, each a ratio within this run."""
    yield from _matches()
    for name, template, uri in _SHAPES:
        yield from _lookups(name, template, uri)
    for name, template, make in _HURTING:
        yield from _growth(name, template, make)
    yield _overlaps()


def _seconds(work: Callable[[], object], least: float = 0.02) -> float:
    """Seconds of one run of the work: the best of seven goes, each long enough to be told."""
    count = 1
    while True:
        started = time.perf_counter()
        for _ in range(count):
            work()
        taken = time.perf_counter() - started
        if taken >= least:
            break
        count = max(count * 2, int(count * least / max(taken, 1e-9)))
    best = taken / count
    for _ in range(6):
        started = time.perf_counter()
        for _ in range(count):
            work()
        best = min(best, (time.perf_counter() - started) / count)
    return best


def _matches() -> Iterator[Row]:
    # Here: a module that is only imported should not load the SDK.
    from mcp.shared.uri_template import UriTemplate as SdkTemplate

    ratios = []
    for text, uris in COMMON:
        mine, sdk = UriTemplate.parse(text), SdkTemplate.parse(text)
        for uri in uris:
            ours, theirs = _seconds(partial(mine.match, uri)), _seconds(partial(sdk.match, uri))
            # Once more, with the pattern that a template in use is matched by.
            ours = _seconds(partial(mine.match, uri))
            ratios.append((ours / theirs, text, uri))
    detail = f"{len(ratios)} pairs of template and URI"
    yield Row("a match / the SDK's, median", statistics.median(ratio for ratio, _, _ in ratios), 0.4, detail)
    worst, text, uri = max(ratios)
    yield Row("a match / the SDK's, worst", worst, 0.7, f"{text} on {uri}")


_SHAPES: list[tuple[str, Callable[[int], str], Callable[[int], str]]] = [
    ("a prefix of its own", lambda n: f"s{n}://things/{{id}}", lambda n: f"s{n}://things/7"),
    ("told apart in the middle", lambda n: f"crm://{{kind}}/t{n}/{{id}}", lambda n: f"crm://deals/t{n}/7"),
    ("told apart at the end", lambda n: f"f://{{+p}}.ext{n}", lambda n: f"f://a/b/c.ext{n}"),
]


def _map(count: int, template: Callable[[int], str]) -> dict[str, list[str]]:
    servers = min(50, count)
    return {f"server{s}": [template(n) for n in range(s, count, servers)] for s in range(servers)}


def _lookups(name: str, template: Callable[[int], str], uri: Callable[[int], str]) -> Iterator[Row]:
    from mcp.shared.uri_template import UriTemplate as SdkTemplate

    wanted = uri(57)
    few = OwnershipMap(_map(100, template))
    few.claims(wanted)
    started = time.perf_counter()
    many = OwnershipMap(_map(10_000, template))
    assert len(many.claims(wanted)) == 1
    built = time.perf_counter() - started
    sdk = [SdkTemplate.parse(template(n)) for n in range(10_000)]

    def scan() -> None:
        for each in sdk:
            each.match(wanted)

    scan()
    started = time.perf_counter()
    scan()
    scanned = time.perf_counter() - started
    one = _seconds(lambda: many.claims(wanted))
    detail = f"{one * 1e6:.0f} µs among 10,000"
    yield Row(f"lookup / scan with the SDK: {name}", one / scanned, 1 / 200, detail)
    yield Row(f"lookup among 10,000 / among 100: {name}", one / _seconds(lambda: few.claims(wanted)), 3.0, detail)
    yield Row(f"build and first lookup / 1 s: {name}", built, 1.0, f"{built * 1000:.0f} ms")


def _adjacent(count: int, between: str = "") -> str:
    return between.join(f"{{+a{number}}}" for number in range(count))


_HURTING: list[tuple[str, str, Callable[[int], str]]] = [
    ("six {+a} parted by /x, no end", f"h://{_adjacent(6, '/x')}/end", lambda n: "h://" + "/x" * (n // 2)),
    ("twenty {+a} parted by /x", f"h://{_adjacent(20, '/x')}/end", lambda n: f"h://{'/x' * (n // 2)}/end"),
    ("twenty {+a} parted by /x, a miss", f"h://{_adjacent(20, '/x')}/end", lambda n: f"h://{'/x' * (n // 2)}/enD"),
    ("three exploded queries", "h://q{?x*}{&y*}{&z*}", lambda n: f"h://q?a=1{'&b=2' * (n // 4)}"),
    ("three exploded queries, a miss", "h://q{?x*}{&y*}{&z*}", lambda n: f"h://q?a=1{'&b=2' * (n // 4)}#"),
    ("fifty adjacent {+a}", f"h://{_adjacent(50)}", lambda n: f"h://{'a/' * (n // 2)}"),
    ("fifty adjacent {+a}, a miss", f"h://{_adjacent(50)}!end", lambda n: f"h://{'a/!en' * (n // 5)}"),
]


def _growth(name: str, text: str, make: Callable[[int], str]) -> Iterator[Row]:
    template = UriTemplate.parse(text)
    small, large = make(16 * 1024), make(64 * 1024)
    template.match(small)
    quick, slow = _seconds(lambda: template.match(small), 0.0), _seconds(lambda: template.match(large), 0.0)
    yield Row(f"64 KiB / 16 KiB: {name}", slow / quick, 6.0, f"{slow * 1000:.1f} ms for 64 KiB")
    yield Row(f"64 KiB / 1 s: {name}", slow, 1.0, "")


def _overlaps() -> Row:
    kinds = ["signals", "accounts", "deals", "notes", "files"]
    texts = {
        f"server{s}": [
            f"app{s % 7}://{kind}{n if (s + n) % 3 else ''}/{{id}}{'{?fields*}' if n % 2 else ''}"
            for n in range(5)
            for kind in kinds
        ]
        for s in range(20)
    }
    ownership = OwnershipMap(texts)
    started = last = time.perf_counter()
    slice_, found = 0.0, 0
    for overlap in find_overlaps(ownership):
        found += overlap is not None
        now = time.perf_counter()
        slice_, last = max(slice_, now - last), now
    seconds = time.perf_counter() - started
    detail = f"{seconds * 1000:.0f} ms, {found} overlaps, longest slice {slice_ * 1000:.0f} ms"
    return Row("all overlaps among 500 templates / 2 s", seconds / 2, 1.0, detail)
