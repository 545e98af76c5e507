"""Servers that try one thing after another, under both packages."""

import unittest
from pathlib import Path

from stand_in.compare import Step, check, prompt, read, tool
from stand_in.harness import HELLO, Server, official_python

SOURCES = Path(__file__).resolve().parent / "sources"

# Given to the one parameter of each tool in sources/annotations.py.
VALUES = [
    0, 1, -1, 5, 5.0, 5.5, "5", " 5 ", "5.0", "1.5", "abc", "", "a", "true", "no", True, None, [], [1], ["a"], [1, "2"],
    [1, "b"], [1.5], {}, {"a": 1}, {"1": 1}, {"x": 1}, {"x": "1", "y": "2.5"}, {"name": "n"}, {"name": "n", "extra": 1},
    {"name": "n", "inner": {"name": "m", "size": "l"}, "other_name": 4}, {"depth": 1}, {"depth": "2", "name": "q"},
    {"a": 1, "b": ["x"]}, {"start": {"x": 1}}, {"items": [{"name": "n"}], "where": {"x": 2}}, {"first": 1}, "red", "x",
    "l", 2, "2020-01-02", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.5+02:00", "03:04:05", "PT1H30M", "1 day",
    "12345678-1234-5678-1234-567812345678", 1700000000, '{"a": 1}', "[1, 2]", '{"x": 1}', "null", '"quoted"', "1e3",
    {"red": 1}, {"2020-01-02": 3}, [[1, "a"]], [None, 1], 10**20, "ünï", "aaaaaaa", 10, -0.5, "only", {"k": {"x": 1}},
]  # fmt: skip

# A known difference ("json text kept"): text that is JSON for a parameter that may be text.
KEPT_TEXT = {'{"a": 1}', "[1, 2]", '{"x": 1}', "null"}


@unittest.skipUnless(official_python(), "the official package is not there to compare with")
class Sources(unittest.TestCase):
    maxDiff = None

    def test_annotations(self):
        """Schemas of every annotation, and what each makes of every value."""
        with Server(SOURCES / "annotations.py", "official") as official, Server(SOURCES / "annotations.py") as ours:
            from stand_in.compare import compare_answers

            theirs, own = official.request("tools/list"), ours.request("tools/list")
            listed = {t["name"]: t for t in own["result"]["tools"]}
            for each in theirs["result"]["tools"]:
                with self.subTest(schema=each["name"]):
                    self.assertEqual(each["inputSchema"], listed[each["name"]]["inputSchema"])
            names = [n for n in listed if n[0] == "a" and n[1:].isdigit()]
            for name in names:
                for value in VALUES:
                    step = tool(name, {"value": value})
                    pair = [server.request(step.method, step.params) for server in (official, ours)]
                    if all(answer["result"]["isError"] for answer in pair):
                        self.assertIn("value", pair[1]["result"]["content"][0]["text"])
                        continue
                    if isinstance(value, str) and value in KEPT_TEXT and not pair[1]["result"]["isError"] and pair[0]["result"]["isError"]:
                        continue  # differences: "json text kept"
                    if value == "red" and "'const': 'red'" in str(listed[name]["inputSchema"]) and pair[0]["result"]["isError"]:
                        continue  # differences: "literal enum"
                    with self.subTest(schema=listed[name]["inputSchema"]["properties"], value=value):
                        compare_answers(self, step, *pair)

    def test_defaults(self):
        count = 28
        steps = [tool(f"d{n}", differs="validation words" if n == 16 else None) for n in range(count) if n != 23]
        steps += [tool("untyped", {"a": 1}), tool("untyped", {"a": "[1]", "json": '{"x": 1}', "schema": "4"})]
        steps += [tool("untyped", {}, names="a"), tool("mutable"), tool("mutable"), tool("mutable", {"items": [5]})]
        check(self, SOURCES / "annotations.py", steps)

    def test_returns(self):
        steps = [tool(f"r{n}") for n in range(92)]
        steps += [tool(f"w{n}", names=where) for n, where in enumerate(
            ["result", "result", "result", "result", "a", "result", "result", "note", "Model", "marks"])]  # fmt: skip
        steps += [tool("unstructured"), tool("forced")]
        check(self, SOURCES / "returns.py", steps)

    def test_context(self):
        client = {**HELLO, "capabilities": {"elicitation": {}, "sampling": {}}}
        answers = {
            "elicitation/create": {"action": "accept", "content": {"guests": 3, "confirmed": True}},
            "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"},
        }
        steps = [
            tool("logs"), tool("progress", {"n": 2}), tool("progress", {"n": 2}, meta={"progressToken": 7}),
            tool("plain_with_context", {"x": 1}, meta={"client_id": "me"}), tool("reads"),
            tool("reads_unknown", differs="error words"), tool("book"), tool("sample", {"text": "hello"}), tool("changed"),
            tool("from_server"), read("data://fixed"), read("data://part/3"), prompt("asking"), prompt("asking", {"topic": "x"}),
        ]  # fmt: skip
        check(self, SOURCES / "context.py", steps, client, answers)
        answers["elicitation/create"] = {"action": "decline"}
        check(self, SOURCES / "context.py", [tool("book")], client, answers)
        answers["elicitation/create"] = {"action": "accept", "content": {"guests": 0}}
        check(self, SOURCES / "context.py", [tool("book", names="guests")], client, answers)

    def test_offers(self):
        steps = [
            read("plain://text"), read("plain://json"), read("plain://bytes"), read("plain://fails", words="the shelf broke"),
            read("http://example.com"), read("http://example.com/"), read("upper://Case/Path"), read("UPPER://Case/Path"),
            read("people://ann/41"), read("people://ann/old", differs="error words"), read("people://ann/file.txt"),
            read("people://J%C3%B6rg/file.txt"), read("people://Jörg/file.txt"), read("people://a/b/c"),
            read("bad://luck", words="no luck"), read("made://by-hand"), read("none://x"), read("not an address"), Step("resources/read", {}),
            prompt("simple", {"topic": "x"}), prompt("simple", words="topic"), prompt("messages"), prompt("messages", {"count": "3"}),
            prompt("messages", {"count": "x"}), prompt("dicts"), prompt("dicts", {"a": "y", "b": "z", "more": "m"}), prompt("rich"),
            prompt("broken", words="no inspiration"), prompt("untyped", {"a": "1"}), prompt("none", words="none"),
            Step("prompts/get", {"name": "simple", "arguments": {"topic": 5}}), Step("prompts/get", {}),
        ]  # fmt: skip
        check(self, SOURCES / "offers.py", steps)

    def test_oddities(self):
        steps = [
            tool("forward", {"item": {"name": "a", "next": {"name": "b"}}}), tool("forward", {"item": {"name": "a", "next": {}}}, names="name"),
            tool("deep", {"matrix": [[1, 2], [3]]}), tool("deep", {"matrix": "[[1, 2]]"}), tool("deep", {"matrix": [[1, "x"]]}, names="matrix"),
            tool("wrapped", {"a": 3}), tool("keyword_only", {"a": 1}), tool("increase"), tool("increase", {"by": 4}), tool("wait"),
            tool("same", {"x": [1, {"a": 2}]}), tool("same", {"x": "5"}), tool("no_arguments"), tool("no_arguments", {"unknown": 1}),
            *(tool("fails", {"kind": k}) for k in ("key", "tool", "empty", "chain", "assert", "unicode", "fine")),
            tool("fails", {"kind": "recursion"}), tool("fails_async", {"message": "later"}), tool("first_is_kept"),
            tool("described", {"self_like": "s", "json": '{"a": 1}'}), tool("described", {"self_like": '{"a": 1}'}), tool("remove_me"),
            Step("tools/call", {"name": "no_arguments"}), Step("tools/call", {"name": "no_arguments", "arguments": None}),
            Step("tools/call", {"name": "no_arguments", "arguments": [1]}), Step("tools/call", {"arguments": {}}),
            Step("tools/call", {"name": 5}), Step("tools/call"), Step("ping"), Step("ping", {}), Step("tools/list", {"cursor": "x"}),
            Step("logging/setLevel", {"level": "error"}, differs="logging"), Step("no/such/method", differs="unknown method"),
            Step("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": ""}}, differs="completion"),
        ]  # fmt: skip
        check(self, SOURCES / "oddities.py", steps)

    def test_revisions(self):
        """The revision that is answered for each that is asked for."""
        for asked in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01", "2099-01-01", ""):
            with self.subTest(asked=asked):
                hello = {**HELLO, "protocolVersion": asked}
                pair = [Server(SOURCES / "oddities.py", flavour, hello) for flavour in ("official", "ours")]
                for server in pair:
                    server.close()
                versions = [server.introduction["result"]["protocolVersion"] for server in pair]
                self.assertEqual(*versions)

    def test_before_initialize(self):
        for method in ("ping", "tools/list", "tools/call"):
            with self.subTest(method=method):
                pair = [Server(SOURCES / "oddities.py", flavour, start=False) for flavour in ("official", "ours")]
                answers = [server.request(method, {"name": "wait"}) for server in pair]
                for server in pair:
                    server.close()
                self.assertEqual(*("error" in answer for answer in answers))
                self.assertEqual(*(answer.get("error", {}).get("code") for answer in answers))


if __name__ == "__main__":
    unittest.main()
