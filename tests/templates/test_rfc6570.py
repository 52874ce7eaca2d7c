"""RFC 6570's own examples (section 3.2), forwards and backwards, and the official suite where it is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.templates import InvalidTemplate, UriTemplate

VALUES: dict[str, Any] = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": {},
    "undef": None,
}

EXAMPLES = {
    "3.2.1 variable expansion": """
        {count}            one,two,three
        {count*}           one,two,three
        {/count}           /one,two,three
        {/count*}          /one/two/three
        {;count}           ;count=one,two,three
        {;count*}          ;count=one;count=two;count=three
        {?count}           ?count=one,two,three
        {?count*}          ?count=one&count=two&count=three
        {&count*}          &count=one&count=two&count=three
    """,
    "3.2.2 simple string": """
        {var}              value
        {hello}            Hello%20World%21
        {half}             50%25
        O{empty}X          OX
        O{undef}X          OX
        {x,y}              1024,768
        {x,hello,y}        1024,Hello%20World%21,768
        ?{x,empty}         ?1024,
        ?{x,undef}         ?1024
        ?{undef,y}         ?768
        {var:3}            val
        {var:30}           value
        {list}             red,green,blue
        {list*}            red,green,blue
        {keys}             semi,%3B,dot,.,comma,%2C
        {keys*}            semi=%3B,dot=.,comma=%2C
    """,
    "3.2.3 reserved": """
        {+var}             value
        {+hello}           Hello%20World!
        {+half}            50%25
        {base}index        http%3A%2F%2Fexample.com%2Fhome%2Findex
        {+base}index       http://example.com/home/index
        O{+empty}X         OX
        O{+undef}X         OX
        {+path}/here       /foo/bar/here
        here?ref={+path}   here?ref=/foo/bar
        up{+path}{var}/here    up/foo/barvalue/here
        {+x,hello,y}       1024,Hello%20World!,768
        {+path,x}/here     /foo/bar,1024/here
        {+path:6}/here     /foo/b/here
        {+list}            red,green,blue
        {+list*}           red,green,blue
        {+keys}            semi,;,dot,.,comma,,
        {+keys*}           semi=;,dot=.,comma=,
    """,
    "3.2.4 fragment": """
        {#var}             #value
        {#hello}           #Hello%20World!
        {#half}            #50%25
        foo{#empty}        foo#
        foo{#undef}        foo
        {#x,hello,y}       #1024,Hello%20World!,768
        {#path,x}/here     #/foo/bar,1024/here
        {#path:6}/here     #/foo/b/here
        {#list}            #red,green,blue
        {#list*}           #red,green,blue
        {#keys}            #semi,;,dot,.,comma,,
        {#keys*}           #semi=;,dot=.,comma=,
    """,
    "3.2.5 label": """
        {.who}             .fred
        {.who,who}         .fred.fred
        {.half,who}        .50%25.fred
        www{.dom*}         www.example.com
        X{.var}            X.value
        X{.empty}          X.
        X{.undef}          X
        X{.var:3}          X.val
        X{.list}           X.red,green,blue
        X{.list*}          X.red.green.blue
        X{.keys}           X.semi,%3B,dot,.,comma,%2C
        X{.keys*}          X.semi=%3B.dot=..comma=%2C
        X{.empty_keys}     X
        X{.empty_keys*}    X
    """,
    "3.2.6 path segments": """
        {/who}             /fred
        {/who,who}         /fred/fred
        {/half,who}        /50%25/fred
        {/who,dub}         /fred/me%2Ftoo
        {/var}             /value
        {/var,empty}       /value/
        {/var,undef}       /value
        {/var,x}/here      /value/1024/here
        {/var:1,var}       /v/value
        {/list}            /red,green,blue
        {/list*}           /red/green/blue
        {/list*,path:4}    /red/green/blue/%2Ffoo
        {/keys}            /semi,%3B,dot,.,comma,%2C
        {/keys*}           /semi=%3B/dot=./comma=%2C
    """,
    "3.2.7 path-style parameters": """
        {;who}             ;who=fred
        {;half}            ;half=50%25
        {;empty}           ;empty
        {;v,empty,who}     ;v=6;empty;who=fred
        {;v,undef,who}     ;v=6;who=fred
        {;x,y}             ;x=1024;y=768
        {;x,y,empty}       ;x=1024;y=768;empty
        {;x,y,undef}       ;x=1024;y=768
        {;hello:5}         ;hello=Hello
        {;list}            ;list=red,green,blue
        {;list*}           ;list=red;list=green;list=blue
        {;keys}            ;keys=semi,%3B,dot,.,comma,%2C
        {;keys*}           ;semi=%3B;dot=.;comma=%2C
    """,
    "3.2.8 query": """
        {?who}             ?who=fred
        {?half}            ?half=50%25
        {?x,y}             ?x=1024&y=768
        {?x,y,empty}       ?x=1024&y=768&empty=
        {?x,y,undef}       ?x=1024&y=768
        {?var:3}           ?var=val
        {?list}            ?list=red,green,blue
        {?list*}           ?list=red&list=green&list=blue
        {?keys}            ?keys=semi,%3B,dot,.,comma,%2C
        {?keys*}           ?semi=%3B&dot=.&comma=%2C
    """,
    "3.2.9 query continuation": """
        {&who}             &who=fred
        {&half}            &half=50%25
        ?fixed=yes{&x}     ?fixed=yes&x=1024
        {&x,y,empty}       &x=1024&y=768&empty=
        {&x,y,undef}       &x=1024&y=768
        {&var:3}           &var=val
        {&list}            &list=red,green,blue
        {&list*}           &list=red&list=green&list=blue
        {&keys}            &keys=semi,%3B,dot,.,comma,%2C
        {&keys*}           &semi=%3B&dot=.&comma=%2C
    """,
}
CASES = [
    pytest.param(*line.split(), id=f"{section}: {line.split()[0]}")
    for section, lines in EXAMPLES.items()
    for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("template", "uri"), CASES)
def test_example_expands(template: str, uri: str) -> None:
    assert UriTemplate.parse(template).expand(VALUES) == uri


@pytest.mark.parametrize(("template", "uri"), CASES)
def test_example_is_matched_and_its_values_expand_back(template: str, uri: str) -> None:
    parsed = UriTemplate.parse(template)
    values = parsed.match(uri)
    assert values is not None
    assert parsed.expand(values) == uri


SUITE = Path(__file__).parents[2].parent / "shared" / "uritemplate-test"


def suite() -> Iterator[tuple[str, dict[str, Any], Any]]:
    for path in sorted(SUITE.glob("*.json")):
        for group in json.loads(path.read_text(encoding="utf-8")).values():
            for template, expected in group["testcases"]:
                yield template, group["variables"], expected


@pytest.mark.skipif(not SUITE.is_dir(), reason="the official suite is not here")
def test_official_suite() -> None:
    for template, variables, expected in suite():
        if expected is False:
            assert refused(template, variables), template
            continue
        alternatives = expected if isinstance(expected, list) else [expected]
        parsed = UriTemplate.parse(template)
        assert parsed.expand(variables) in alternatives
        for uri in alternatives:
            values = parsed.match(uri)
            assert values is not None, (template, uri)
            assert parsed.expand(values) == uri


def refused(template: str, variables: dict[str, Any]) -> bool:
    """As a template, with a position in it; or, for `:n` on a list, in expansion."""
    try:
        parsed = UriTemplate.parse(template)
    except InvalidTemplate as fault:
        return 0 <= fault.position <= len(template)
    with pytest.raises(ValueError, match="not of a list"):
        parsed.expand(variables)
    return True
