"""Broken and hostile input, on ours alone. After each attack the server still answers."""

import json
import random
import unittest

from stand_in.harness import HELLO, Server

SOURCE = '''
from typing import Any
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("target")
@mcp.tool()
def echo(value: Any = None) -> str:
    return repr(value)[:200]
@mcp.tool()
def size(text: str) -> int:
    return len(text)
@mcp.tool()
def give(count: int) -> str:
    return "x" * count
@mcp.tool()
def same(text: str) -> str:
    return text
@mcp.tool()
def numbers() -> dict:
    return {"nan": float("nan"), "inf": [float("-inf")]}
@mcp.tool()
def structured_nan() -> dict[str, float]:
    return {"nan": float("nan")}
@mcp.tool()
def loop() -> list:
    value = []
    value.append(value)
    return {"value": value}
@mcp.tool()
def items(values: list[int]) -> int:
    return sum(values)
@mcp.resource("r://{a}/{b}")
def r(a: str, b: str) -> str:
    return a + b
@mcp.prompt()
def p(a: str) -> str:
    return a
mcp.run()
'''

PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602
OK = {"jsonrpc": "2.0", "id": 1}

# (line, code that is answered or None for no answer, id that is answered)
LINES = [
    (b"hello", PARSE, None),
    (b"{", PARSE, None),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"', PARSE, None),
    (b"\x00\x01\x02\x03", PARSE, None),
    (b"\xff\xfe\x00garbage\x80", PARSE, None),
    (b"Content-Length: 42", PARSE, None),
    (b"[" * 200000, PARSE, None),
    (b'{"a":' * 200000, PARSE, None),
    (b"9" * 100000, PARSE, None),
    (b"", None, None),
    (b"   \t ", None, None),
    (b"null", REQUEST, None),
    (b"5", REQUEST, None),
    (b'"text"', REQUEST, None),
    (b"[]", REQUEST, None),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', REQUEST, None),
    (b"{}", REQUEST, None),
    (b'{"id": 1, "method": "ping"}', REQUEST, 1),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', REQUEST, 1),
    (b'{"jsonrpc": 2.0, "id": 1, "method": "ping"}', REQUEST, 1),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": [1], "method": "ping"}', REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', REQUEST, None),
    (b'{"jsonrpc": "2.0", "id": 1}', REQUEST, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', REQUEST, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": null}', REQUEST, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "x"}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}', METHOD, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": ""}', METHOD, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "__class__"}', METHOD, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": []}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": []}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": 5}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": ""}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "p", "arguments": {"a": {}}}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "loud"}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": {}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 5}}', PARAMS, 1),
    (b'{"jsonrpc": "2.0", "id": "", "method": "no/such"}', METHOD, ""),
    (b'{"jsonrpc": "2.0", "method": "no/such"}', None, None),
    (b'{"jsonrpc": "2.0", "method": "notifications/cancelled"}', None, None),
    (b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}}', None, None),
    (b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}', None, None),
    (b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}', None, None),
    (b'{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": []}}', None, None),
    (b'{"jsonrpc": "2.0", "id": 7, "result": {}}', None, None),
    (b'{"jsonrpc": "2.0", "id": [], "result": {}}', None, None),
    (b'{"jsonrpc": "2.0", "id": 7, "error": "x"}', None, None),
]


class Hostile(unittest.TestCase):
    def setUp(self):
        self.server = Server(SOURCE)

    def tearDown(self):
        self.assertEqual(self.server.close(), 0)
        for line in self.server.raw:
            self.assertTrue(line.endswith(b"\n"))
            self.assertIn("jsonrpc", json.loads(line.decode("utf-8")))

    def assert_alive(self):
        self.assertEqual(self.server.text("echo", {"value": 1}), "1")

    def test_lines(self):
        for line, code, answered in LINES:
            with self.subTest(line=line[:80]):
                self.server.send_bytes(line + b"\n")
                if code is None:
                    self.assertEqual(self.server.request("ping")["result"], {})
                    continue
                answer = self.server.message()
                self.assertEqual(answer["error"]["code"], code, answer)
                self.assertEqual(answer["id"], answered)
                self.assertTrue(answer["error"]["message"])
        self.assert_alive()

    def test_before_initialize(self):
        with Server(SOURCE, start=False) as server:
            for method in ("tools/list", "tools/call", "resources/read", "logging/setLevel"):
                self.assertIn("error", server.request(method, {"name": "echo", "uri": "r://a/b"}))
            self.assertEqual(server.request("ping")["result"], {})
            self.assertIn("result", server.request("initialize", HELLO))
            self.assertIn("result", server.request("tools/list"))

    def test_line_of_eight_megabytes(self):
        empty = {**OK, "method": "tools/call", "params": {"name": "size", "arguments": {"text": ""}}}
        room = 8 * 1024 * 1024 - len(json.dumps(empty))
        empty["params"]["arguments"]["text"] = "x" * room
        self.server.send(empty)
        self.assertEqual(self.server.answer(1)["result"]["structuredContent"], {"result": room})
        empty["params"]["arguments"]["text"] += "x"
        self.server.send(empty)
        answer = self.server.message()
        self.assertEqual((answer["error"]["code"], answer["id"]), (PARSE, None))
        self.server.send_bytes(b"y" * (20 * 1024 * 1024) + b"\n")
        self.assertEqual(self.server.message()["error"]["code"], PARSE)
        self.assert_alive()

    def test_invalid_utf8_inside_a_text(self):
        line = json.dumps({**OK, "method": "tools/call", "params": {"name": "echo", "arguments": {"value": "a?b"}}})
        self.server.send_bytes(line.encode().replace(b"a?b", b"a\xff\xfeb") + b"\n")
        self.assertIn("a", self.server.answer(1)["result"]["content"][0]["text"])
        self.assert_alive()

    def test_half_a_surrogate_pair(self):
        line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"same","arguments":{"text":"a\\ud800b"}}}\n'
        self.server.send_bytes(line)
        self.assertEqual(self.server.answer(1)["result"]["content"][0]["text"], "a?b")
        self.assert_alive()

    def test_numbers_that_json_lacks(self):
        self.server.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"value":NaN}}}\n')
        self.server.answer(1)
        self.assertIn("NaN", self.server.text("numbers"))
        result = self.server.call("structured_nan")["result"]
        self.assertEqual(result["structuredContent"], {"nan": None})

    def test_result_that_contains_itself(self):
        self.assertTrue(self.server.call("loop")["result"]["isError"])
        self.assert_alive()

    def test_json_text_that_nests_deeply(self):
        self.assertTrue(self.server.call("items", {"values": "[" * 100000})["result"]["isError"])
        self.assertIn("[", self.server.text("echo", {"value": "[" * 100000}))
        self.assert_alive()

    def test_strange_arguments(self):
        for arguments in ({"": 1}, {"__class__": 1}, {"self": 1}, {"value": {"$ref": "#"}}, {"\u0000": []}, {"value": 10**4000}):
            self.assertIn("result", self.server.call("echo", arguments))
        self.assert_alive()

    def test_windows_line_ends_and_pieces(self):
        line = json.dumps({**OK, "method": "ping"}).encode() + b"\r\n"
        for byte in line:
            self.server.send_bytes(bytes([byte]))
        self.assertEqual(self.server.answer(1)["result"], {})

    def test_the_same_id_twice(self):
        call = {**OK, "method": "tools/call", "params": {"name": "give", "arguments": {"count": 3000000}}}
        self.server.send(call)
        self.server.send(call)
        answers = [self.server.message(), self.server.message()]
        self.assertTrue(any("result" in answer for answer in answers))
        self.assert_alive()

    def test_flood(self):
        slow = "import time\nfrom mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\ndef wait() -> str:\n    time.sleep(0.5)\n    return 'x'\nmcp.run()"
        with Server(slow) as server:
            call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "wait"}}
            server.send_bytes(b"".join(json.dumps({**call, "id": n}).encode() + b"\n" for n in range(10, 1300)))
            refused = server.answer(1299)
            self.assertIn("error", refused)
            self.assertEqual(server.request("ping")["result"], {})

    def test_random_bytes(self):
        chance = random.Random(1)
        for _ in range(200):
            self.server.send_bytes(bytes(chance.randrange(256) for _ in range(chance.randrange(60))) + b"\n")
        valid = json.dumps({**OK, "method": "tools/call", "params": {"name": "echo", "arguments": {"value": [1]}}}).encode()
        for _ in range(300):
            changed = bytearray(valid)
            for _ in range(chance.randrange(1, 4)):
                changed[chance.randrange(len(changed))] = chance.randrange(32, 127)
            self.server.send_bytes(bytes(changed) + b"\n")
        self.server.request("ping")
        self.assert_alive()

    def test_end_in_the_middle_of_a_line(self):
        self.server.send_bytes(b'{"jsonrpc": "2.0", "id": 5, "meth')

    def test_large_result(self):
        self.assertEqual(len(self.server.text("give", {"count": 20_000_000})), 20_000_000)


if __name__ == "__main__":
    unittest.main()
