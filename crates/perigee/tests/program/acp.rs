//! The Agent Client Protocol, from an editor's side.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};
use testkit::{ScriptedReply, perigee_command};

use crate::support::{BIN, Setup, Stage};

struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Notifications that arrived while another message was awaited.
    told: Vec<Value>,
    next: u64,
}

impl Editor {
    fn start(home: &Path) -> Self {
        let mut child = perigee_command(Path::new(BIN), home, ["acp"])
            .into_std()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut editor = Self { child, input, output, told: Vec::new(), next: 0 };
        let said = editor.asks("initialize", json!({"protocolVersion": 1, "clientCapabilities": {}}));
        assert_eq!(
            (&said["protocolVersion"], &said["agentCapabilities"]["loadSession"]),
            (&json!(1), &json!(true))
        );
        editor
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn begins(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Waits for the response; requests in between are answered with this option.
    fn ends(&mut self, id: u64, option: &str) -> Value {
        loop {
            let line = self.line();
            if line["method"] == "session/request_permission" {
                let outcome = json!({"outcome": {"outcome": "selected", "optionId": option}});
                self.send(&json!({"jsonrpc": "2.0", "id": line["id"], "result": outcome}));
            }
            if line.get("method").is_some() {
                self.told.push(line);
            } else if line["id"] == id {
                return line;
            }
        }
    }

    fn asks(&mut self, method: &str, params: Value) -> Value {
        let id = self.begins(method, params);
        self.ends(id, "yes")["result"].clone()
    }

    fn session(&mut self, folder: &Path) -> Value {
        self.asks("session/new", json!({"cwd": folder, "mcpServers": []}))["sessionId"].clone()
    }

    fn updates(&self, kind: &str) -> Vec<&Value> {
        let updates = self.told.iter().map(|told| &told["params"]["update"]);
        updates.filter(|update| update["sessionUpdate"] == kind).collect()
    }

    fn closes(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

async fn stage() -> (Stage, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("names.py"), "def greeting(name):\n    return 'Hello ' + name\n").unwrap();
    (Setup::new().await.table("[code]\nverify = false\n").start().await, folder)
}

fn shorter(stage: &Stage) {
    let edit = json!({"path": "names.py", "old_string": "Hello ", "new_string": "Hi "});
    stage.model.reply(ScriptedReply::empty().tool_call("c1", "search_replace", &edit.to_string()));
    stage.model.reply("Shorter.");
}

fn prompt(session: &Value, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

#[tokio::test]
async fn an_editor_sees_each_change_and_says_yes() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    shorter(&stage);
    tokio::task::spawn_blocking(move || {
        let mut editor = Editor::start(&home);
        let session = editor.session(&root);
        let ended = editor.asks("session/prompt", prompt(&session, "Make the greeting shorter"));
        assert_eq!(ended["stopReason"], "end_turn", "{ended}");
        let words: String = editor
            .updates("agent_message_chunk")
            .iter()
            .map(|chunk| chunk["content"]["text"].as_str().unwrap())
            .collect();
        assert!(words.contains("Shorter."), "{words}");
        let calls = editor.updates("tool_call");
        assert!(
            calls.iter().any(|call| call["kind"] == "edit" && call["title"] == "search_replace names.py")
        );
        let shown = calls.iter().find(|call| call["content"][0]["type"] == "diff").unwrap();
        assert!(shown["content"][0]["newText"].as_str().unwrap().contains("'Hi '"), "{shown}");
        assert_eq!(shown["content"][0]["path"], json!(root.canonicalize().unwrap().join("names.py")));
        assert!(fs::read_to_string(root.join("names.py")).unwrap().contains("'Hi '"));
        editor.closes();
    })
    .await
    .unwrap();
    drop(folder);
}

#[tokio::test]
async fn a_no_leaves_the_file_and_reading_modes_change_nothing() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    shorter(&stage);
    shorter(&stage);
    tokio::task::spawn_blocking(move || {
        let mut editor = Editor::start(&home);
        let session = editor.session(&root);
        let id = editor.begins("session/prompt", prompt(&session, "Make the greeting shorter"));
        assert_eq!(editor.ends(id, "no")["result"]["stopReason"], "end_turn");
        assert!(fs::read_to_string(root.join("names.py")).unwrap().contains("'Hello '"));
        editor.asks("session/set_mode", json!({"sessionId": session, "modeId": "ask"}));
        editor.told.clear();
        editor.asks("session/prompt", prompt(&session, "Make the greeting shorter"));
        assert!(fs::read_to_string(root.join("names.py")).unwrap().contains("'Hello '"));
        assert!(
            editor.told.iter().all(|told| told["method"] != "session/request_permission"),
            "nothing to ask"
        );
        let id = editor.begins("session/set_mode", json!({"sessionId": session, "modeId": "fast"}));
        assert!(editor.ends(id, "yes")["error"].is_object());
        let id = editor.begins("session/new", json!({"cwd": "/", "mcpServers": []}));
        assert!(editor.ends(id, "yes")["error"]["message"].is_string(), "no workspace at all");
        let id = editor.begins("session/nonsense", json!({}));
        assert_eq!(editor.ends(id, "yes")["error"]["code"], -32601);
        // An editor that connects later receives the earlier messages.
        let mut other = Editor::start(&home);
        other.asks("session/load", json!({"sessionId": session, "cwd": root, "mcpServers": []}));
        assert_eq!(other.updates("user_message_chunk").len(), 2);
        other.closes();
        editor.closes();
    })
    .await
    .unwrap();
    drop(folder);
}

#[tokio::test]
async fn work_is_stopped_by_the_editor() {
    let (stage, folder) = stage().await;
    let (home, root) = (stage.home.path().to_owned(), folder.path().to_owned());
    stage.model.reply(ScriptedReply::text("One moment. ").then_silence());
    tokio::task::spawn_blocking(move || {
        let mut editor = Editor::start(&home);
        let session = editor.session(&root);
        let id = editor.begins("session/prompt", prompt(&session, "Make the greeting shorter"));
        while editor.updates("agent_message_chunk").is_empty() {
            let line = editor.line();
            editor.told.push(line);
        }
        editor.send(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}));
        assert_eq!(editor.ends(id, "yes")["result"]["stopReason"], "cancelled");
        editor.closes();
    })
    .await
    .unwrap();
    drop(folder);
}
