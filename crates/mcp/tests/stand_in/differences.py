"""Where ours is known to differ from the official package, and why. The comparison refers to these by name."""

DIFFERENCES = {
    "version": "serverInfo.version names the stand-in.",
    "logging": "Ours answers logging/setLevel, so it declares the capability `logging`; the official one answers -32601.",
    "completion": "Ours answers completion/complete with an empty list; the official one answers -32601 without a handler.",
    "unknown method": "Ours answers -32601 as JSON-RPC says; the official one answers -32602.",
    "parse error": "Ours answers -32700 or -32600 with id null; the official one sends a log message and no answer.",
    "validation words": "Sentences about a value that does not fit are ours. Both name the place.",
    "error words": "The words of JSON-RPC errors are ours, save those that carry an author's message.",
    "content descriptions": "Schemas of mcp.types classes carry no descriptions: those sentences are not ours.",
    "cancelled": "Ours sends no answer to a cancelled request, as the protocol says; the official one sends an error.",
    "exit": "SystemExit and KeyboardInterrupt in a tool are errors of the tool; they end the official server.",
    "plain log": "ctx.info() and its kind without await in a plain function send the message; officially nothing is sent.",
    "json text kept": "`str | None` given text that is JSON keeps the text; officially it is unpacked and then refused.",
    "literal enum": "Literal[Color.RED] accepts the member's value, as its schema says; officially it is refused.",
    "partial TypedDict": "A returned TypedDict with total=False may lack keys; officially the answer is an error.",
    "opaque list": "`-> list[Image]` works without a schema; officially the server does not start.",
    "nested TypedDict": "typing.TypedDict may be nested on every Python; officially only from 3.12.",
    "capability asked": "Elicitation and sampling are refused when the client does not offer them; officially they are sent.",
    "order": "A tool that runs longer than a second no longer holds up the others; officially plain functions always do.",
    "serialization alias": "A model with serialization_alias is returned under it; officially its own schema refuses it.",
}
