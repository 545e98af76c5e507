//! A workspace and a running program that works in it.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::ScriptedReply;

use super::{Client, Event, Setup, Stage};

pub struct Work {
    pub stage: Stage,
    pub folder: tempfile::TempDir,
}

impl Work {
    pub async fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, "").await
    }

    pub async fn with(files: &[(&str, &str)], settings: &str) -> Self {
        // Contains a space, as many folder names do.
        let folder = tempfile::Builder::new().prefix("my project ").tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let stage = Setup::new().await.table(&format!("[code]\n{settings}\n")).start().await;
        let work = Self { stage, folder };
        let chosen = work.owner().post("/api/code/root", json!({"path": work.folder.path()})).await;
        assert_eq!(chosen.status, 200, "{}", chosen.text());
        work
    }

    pub fn owner(&self) -> Client {
        self.stage.owner()
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap_or_default()
    }

    /// Scripts a tool call.
    pub fn calls(&self, name: &str, arguments: Value) -> &Self {
        self.stage.model.reply(ScriptedReply::empty().tool_call("c1", name, &arguments.to_string()));
        self
    }

    pub fn says(&self, text: &str) -> &Self {
        self.stage.model.reply(text);
        self
    }

    pub async fn asks(&self, body: Value) -> Vec<Event> {
        let owner = self.owner();
        owner.open(owner.request(Method::POST, "/api/code/stream").json(&body)).await.rest().await
    }

    pub async fn proposal(&self, id: &Value) -> Value {
        self.owner().get(&format!("/api/code/proposals/{}", id.as_str().unwrap())).await.json()
    }

    pub async fn does(&self, id: &Value, what: &str, body: Value) -> (u16, Value) {
        let path = format!("/api/code/proposals/{}/{what}", id.as_str().unwrap());
        let answer = self.owner().post(&path, body).await;
        (answer.status, serde_json::from_str(&answer.text()).unwrap_or(Value::Null))
    }
}

pub fn meta(events: &[Event]) -> &Value {
    &events.iter().find(|event| event.kind() == "meta").unwrap_or_else(|| panic!("{events:?}")).data
}

pub fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

pub const BUGGY: &[(&str, &str)] = &[
    (
        "shop/prices.py",
        "def total(prices):\n    result = 0\n    for price in prices[1:]:\n        result += price\n    return result\n",
    ),
    ("shop/names.py", "def greeting(name):\n    return 'Hello ' + name\n"),
    (
        "test_shop.py",
        "import unittest\nfrom shop.prices import total\n\nclass Shop(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([1, 2, 3]), 6)\n",
    ),
    ("AGENTS.md", "Keep functions short.\n"),
];
