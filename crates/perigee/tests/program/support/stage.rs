use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use testkit::{Flavour, PerigeeProcess, ScriptedModel, TempHome, perigee_command};

use super::client::Means;
use super::{Client, soon};

pub const BIN: &str = env!("CARGO_BIN_EXE_perigee");
const STARTER: &str = "start";

/// A data folder, a scripted model, and the program that uses both.
pub struct Stage {
    pub home: TempHome,
    pub model: ScriptedModel,
    server: Option<PerigeeProcess>,
    environment: Vec<(&'static str, String)>,
    /// A folder with the script that starts the program with special limits.
    starter: Option<TempHome>,
}

/// The setup of a stage, before the program starts.
pub struct Setup {
    pub home: TempHome,
    pub model: ScriptedModel,
    /// Lines of the `[llm]` table.
    llm: String,
    title: &'static str,
    /// Complete tables.
    tables: String,
    environment: Vec<(&'static str, String)>,
    starter: Option<TempHome>,
}

/// The result of a command.
#[derive(Debug)]
pub struct Output {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Setup {
    pub async fn new() -> Self {
        Self::of(Flavour::OpenAi).await
    }

    pub async fn of(flavour: Flavour) -> Self {
        Self {
            home: TempHome::new(),
            model: ScriptedModel::start_as(flavour).await,
            // A script contains answers only, and nothing may change after `done`.
            title: "off",
            tables: String::new(),
            llm: String::new(),
            environment: Vec::new(),
            starter: None,
        }
    }

    /// Enables titles made from the first words.
    pub fn titled(mut self) -> Self {
        self.title = "words";
        self
    }

    /// Enables titles written by the model.
    pub fn named_by_the_model(mut self) -> Self {
        self.title = "auto";
        self
    }

    pub fn llm(mut self, line: &str) -> Self {
        self.llm.push_str(line);
        self.llm.push('\n');
        self
    }

    pub fn table(mut self, lines: &str) -> Self {
        self.tables.push_str(lines);
        self.tables.push('\n');
        self
    }

    pub fn variable(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Limits the number of open files, even if the program tries to raise it.
    pub fn open_files(self, most: usize) -> Self {
        self.started_after(&format!("ulimit -n {most}"))
    }

    /// Ignores SIGXFSZ, so that writing beyond the file size limit fails with an error, as on a full disk.
    pub fn without_a_signal_for_no_room(self) -> Self {
        self.started_after("trap '' XFSZ")
    }

    fn started_after(mut self, line: &str) -> Self {
        let starter = TempHome::new();
        let script = starter.write(STARTER, format!("#!/bin/sh\n{line}\nexec '{BIN}' \"$@\"\n"));
        std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755)).expect("a file of ours");
        self.starter = Some(starter);
        self
    }

    /// Starts the program with the scripted model.
    pub async fn start(self) -> Stage {
        let Self { llm, title, tables, .. } = &self;
        let base_url = self.model.url();
        let settings =
            format!("[llm]\nbase_url = \"{base_url}/v1\"\n{llm}\n[chat]\ntitle = \"{title}\"\n{tables}");
        self.start_with(&settings).await
    }

    /// Starts the program with these settings only.
    pub async fn start_with(self, settings: &str) -> Stage {
        self.home.write("config.toml", settings);
        let Self { home, model, environment, starter, .. } = self;
        let mut stage = Stage { home, model, server: None, environment, starter };
        stage.start_server().await;
        stage
    }
}

impl Stage {
    pub async fn start() -> Self {
        Setup::new().await.start().await
    }

    pub async fn start_server(&mut self) {
        let environment: Vec<_> =
            self.environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let bin = self.starter.as_ref().map_or(BIN.into(), |starter| starter.join(STARTER));
        self.server = Some(PerigeeProcess::start_with(bin, self.home.path(), &[], &environment).await);
    }

    pub fn server(&self) -> &PerigeeProcess {
        self.server.as_ref().expect("the program runs")
    }

    /// Kills the program, as in a power failure.
    pub async fn kill(&mut self) {
        self.server.take().expect("the program runs").kill().await;
    }

    /// Stops the program cleanly and returns the exit code.
    pub async fn stop(&mut self) -> Option<i32> {
        self.server.take().expect("the program runs").stop().await.code()
    }

    pub fn address(&self) -> &str {
        self.server().address()
    }

    /// Returns `127.0.0.1:PORT`, as in a `Host` header.
    pub fn host(&self) -> &str {
        self.address().strip_prefix("http://").expect("an address")
    }

    pub fn owner(&self) -> Client {
        Client::new(self.address(), Means::Token(self.server().token().to_owned()))
    }

    pub fn stranger(&self) -> Client {
        Client::new(self.address(), Means::Nothing)
    }

    pub fn with_token(&self, token: &str) -> Client {
        Client::new(self.address(), Means::Token(token.to_owned()))
    }

    pub fn with_cookie(&self, cookie: &str) -> Client {
        Client::new(self.address(), Means::Cookie(cookie.to_owned()))
    }

    /// A client with a token of the owner that has only these scopes.
    pub async fn lesser(&self, scopes: &[&str]) -> Client {
        let made =
            self.owner().post("/api/tokens", json!({ "name": scopes.join(" "), "scopes": scopes })).await;
        self.with_token(made.json()["secret"].as_str().expect("a secret"))
    }

    /// A client of another user with full access to their own data.
    pub async fn person(&self, name: &str) -> Client {
        let user = self.owner().post("/api/users", json!({ "name": name })).await.json();
        let request = json!({ "name": "laptop", "scopes": ["all"], "user": user["id"] });
        let made = self.owner().post("/api/tokens", request).await.json();
        self.with_token(made["secret"].as_str().expect("a secret"))
    }

    /// Signs a browser in and returns its cookie as `name=value`.
    pub async fn sign_in(&self) -> String {
        let request = json!({ "token": self.server().token() });
        let answer = self.stranger().post("/api/auth/login", request).await;
        let cookie = answer.header("set-cookie").expect("a cookie");
        cookie.split(';').next().unwrap_or_default().to_owned()
    }

    /// Runs another command on the same data folder.
    pub async fn run(&self, args: &[&str]) -> Output {
        run(self.home.path(), args, None).await
    }

    pub async fn run_with_input(&self, args: &[&str], input: &str) -> Output {
        run(self.home.path(), args, Some(input)).await
    }

    /// Returns the program's log so far.
    pub fn log(&self) -> String {
        self.server().log()
    }

    pub async fn is_alive(&self) -> bool {
        self.stranger().get("/api/health").await.status == 200
    }
}

impl Output {
    /// Returns the output of a command that must have succeeded.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    pub fn json(self) -> serde_json::Value {
        let text = self.ok();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"))
    }
}

async fn run(home: &Path, args: &[&str], input: Option<&str>) -> Output {
    use tokio::io::AsyncWriteExt as _;
    let mut command = perigee_command(Path::new(BIN), home, args);
    command.env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped());
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.spawn().expect("the program can be started");
    if let Some(input) = input {
        // A command may close its input before reading all of it.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes()).await;
    }
    let output = soon(&args.join(" "), child.wait_with_output()).await.expect("the program ran");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    Output { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Waits for a condition that can only be polled, such as a file of another process.
pub async fn eventually(what: &str, is_so: impl Fn() -> bool) {
    soon(what, async {
        while !is_so() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    })
    .await;
}
