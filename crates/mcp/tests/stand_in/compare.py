"""The same requests to both packages, and the answers side by side."""

import copy
import json

from stand_in.harness import Server

LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")


class Step:
    """One request. The marks say in what respect the answers may differ; see differences.py."""

    def __init__(self, method, params=None, names=None, words=None, differs=None):
        self.method, self.params = method, params
        # Both refuse a value, in their own words, and both name this place.
        self.names = names
        # Both answer with an error in their own words; these words of the author's stand in both.
        self.words = words
        # The answers differ as DIFFERENCES[differs] says; only ours is checked, by `ours`.
        self.differs = differs

    def __repr__(self):
        return f"{self.method} {json.dumps(self.params)[:200]}"


def tool(name, arguments=None, **marks):
    meta = marks.pop("meta", None)
    params = {"name": name, "arguments": arguments or {}}
    return Step("tools/call", {**params, "_meta": meta} if meta else params, **marks)


def read(uri, **marks):
    return Step("resources/read", {"uri": uri}, **marks)


def prompt(name, arguments=None, **marks):
    return Step("prompts/get", {"name": name, "arguments": arguments or {}}, **marks)


def record(source, flavour, steps, hello=None, answers=None):
    """Every answer of one flavour, and the notifications that came before each."""
    with Server(source, flavour, hello) as server:
        server.answers = answers or {}
        found = [("initialize", server.introduction, [])]
        for step in [*(Step(m) for m in LISTS), *steps]:
            server.notifications = []
            server.asked = []
            answer = server.request(step.method, step.params)
            found.append((step, answer, server.notifications + [_without_id(a) for a in server.asked]))
    return found


def check(test, source, steps, hello=None, answers=None):
    """Compare both flavours step by step."""
    official = record(source, "official", steps, hello, answers)
    ours = record(source, "ours", steps, hello, answers)
    for (step, theirs, their_notes), (_step, own, own_notes) in zip(official, ours):
        with test.subTest(step=str(step)):
            compare_answers(test, step, theirs, own)
            if not (isinstance(step, Step) and step.differs):
                test.assertEqual(their_notes, own_notes, "notifications and questions")


def compare_answers(test, step, theirs, own):
    marks = step if isinstance(step, Step) else Step("initialize")
    if marks.differs:
        return
    if marks.names:
        for flavour, answer in (("official", theirs), ("ours", own)):
            test.assertTrue(answer["result"]["isError"], f"{flavour}: {answer}")
            test.assertIn(marks.names, answer["result"]["content"][0]["text"], flavour)
        return
    if "error" in theirs or "error" in own:
        test.assertIn("error", theirs, f"only ours is an error: {own}")
        test.assertIn("error", own, f"only the official one is an error: {theirs}")
        test.assertEqual(theirs["error"]["code"], own["error"]["code"], (theirs, own))
        if marks.words:
            test.assertIn(marks.words, theirs["error"]["message"])
            test.assertIn(marks.words, own["error"]["message"])
        return
    found = difference(normal(theirs), normal(own))
    test.assertIsNone(found, found)


def difference(theirs, own, place="result"):
    """The first place where two JSON values differ, in words, or None. True is not 1, but 1.0 is."""
    if isinstance(theirs, dict) and isinstance(own, dict):
        for key in {**theirs, **own}:
            if key not in theirs or key not in own:
                return f"{place}.{key} is only {'ours' if key in own else 'official'}: {(own if key in own else theirs)[key]!r}"
            found = difference(theirs[key], own[key], f"{place}.{key}")
            if found:
                return found
        return None
    if isinstance(theirs, list) and isinstance(own, list) and len(theirs) == len(own):
        parts = (difference(a, b, f"{place}[{n}]") for n, (a, b) in enumerate(zip(theirs, own)))
        return next((part for part in parts if part), None)
    same = theirs == own and isinstance(theirs, bool) == isinstance(own, bool)
    return None if same else f"{place}: official {theirs!r}, ours {own!r}"


def normal(answer):
    """An answer without what is known to differ everywhere."""
    result = copy.deepcopy(answer["result"])
    if "serverInfo" in result:
        result["serverInfo"].pop("version")
        result["capabilities"].pop("logging", None)
    for each in result.get("tools", ()):
        _without_content_descriptions(each.get("outputSchema"))
        _without_content_descriptions(each.get("inputSchema"))
    return result


_PROTOCOL_CLASSES = {
    "Annotations", "AudioContent", "BlobResourceContents", "EmbeddedResource", "ImageContent", "ResourceLink",
    "TextContent", "TextResourceContents", "Icon",
}  # fmt: skip


def _without_content_descriptions(schema):
    for part in [schema, *(schema or {}).get("$defs", {}).values()]:
        if part and part.get("title") in _PROTOCOL_CLASSES:
            part.pop("description", None)


def _without_id(message):
    return {key: value for key, value in message.items() if key != "id"}
