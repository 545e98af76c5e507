//! Sandboxed MCP servers in a single Python file, as seen by other programs.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::{TempHome, perigee_command};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::support::{BIN, has_whole_sandbox, soon};

const SERVER: &str = r#"
import os, socket
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")

@mcp.tool()
def keep(name: str, text: str) -> str:
    """Keeps a note."""
    with open(os.path.join(os.environ["MCP_SANDBOX_DIR"], name), "w") as file:
        file.write(text)
    return "kept"

@mcp.tool()
def call_home(port: int) -> str:
    """Calls somebody."""
    socket.create_connection(("127.0.0.1", port))
    return "reached"

@mcp.tool()
def look(path: str) -> str:
    """Reads a file."""
    return open(path).read()

mcp.run()
"#;

struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Server {
    async fn start(home: &TempHome, file: &Path, storage: &Path) -> Self {
        let mut command = perigee_command(Path::new(BIN), home.path(), ["mcp", "run"]);
        command.arg(file).arg("--storage").arg(storage).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut server = Self { child, stdin, stdout: BufReader::new(stdout).lines(), next: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"},
        });
        assert_eq!(server.ask("initialize", hello).await["serverInfo"]["name"], "notes");
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        server
    }

    async fn send(&mut self, message: &Value) {
        self.stdin.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})).await;
        let line = soon(method, self.stdout.next_line()).await.unwrap().expect("an answer");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], self.next, "{line}");
        answer["result"].clone()
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        (result["isError"] == true, result["content"][0]["text"].as_str().unwrap_or_default().to_owned())
    }
}

#[tokio::test]
async fn a_server_works_in_its_storage_and_nowhere_else() {
    if !has_whole_sandbox().await {
        return;
    }
    let (home, folder) = (TempHome::new(), tempfile::tempdir().unwrap());
    let (file, storage) = (folder.path().join("server.py"), folder.path().join("sandbox"));
    let secret = folder.path().parent().unwrap().join(format!("secret-{}", std::process::id()));
    std::fs::write(&file, SERVER).unwrap();
    std::fs::write(&secret, "sesame").unwrap();
    std::fs::create_dir(&storage).unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut server = Server::start(&home, &file, &storage).await;
    let tools = server.ask("tools/list", json!({})).await;
    let names: Vec<_> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["keep", "call_home", "look"]);
    assert_eq!(server.call("keep", json!({"name": "a", "text": "moon"})).await, (false, "kept".into()));
    assert_eq!(std::fs::read_to_string(storage.join("a")).unwrap(), "moon");
    let port = listener.local_addr().unwrap().port();
    let (failed, why) = server.call("call_home", json!({"port": port})).await;
    assert!(failed && why.contains("not permitted"), "{why}");
    for path in [secret.to_str().unwrap(), "/etc/shadow"] {
        let (failed, why) = server.call("look", json!({"path": path})).await;
        assert!(failed && why.contains("No such file"), "{path}: {why}");
    }
    let (failed, why) = server.call("keep", json!({"name": "../server.py", "text": "other"})).await;
    assert!(failed && why.contains("Read-only"), "{why}");
    // It ends at the end of its input.
    drop(server.stdin);
    assert!(soon("the end", server.child.wait()).await.unwrap().success());
    std::fs::remove_file(secret).unwrap();
}
