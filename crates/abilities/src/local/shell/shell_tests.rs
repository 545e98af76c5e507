use std::fs;

use config::Config;
use serde_json::json;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;

/// A shell on a machine without a sandbox: a sandboxing process restarts itself as the launcher, which a unit test
/// cannot do. The sandboxed case is tested through the app's routes.
struct Shell {
    folder: TempDir,
    tool: RunCommand,
}

impl Shell {
    fn new() -> Self {
        Self::reaching(&[])
    }

    fn reaching(hosts: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.bash.hosts = hosts.iter().map(ToString::to_string).collect();
        config.bash.folder = Some(folder.path().join("work"));
        config.bash.timeout_seconds = 2;
        let config = Arc::new(config);
        let folders = Folders::within(folder.path().join("data"));
        fs::create_dir(folder.path().join("data")).unwrap();
        let sandbox = Sandbox::none(vec!["a test has none".to_owned()]);
        let tool = RunCommand::new(Arc::new(move || Arc::clone(&config)), folders, Arc::new(sandbox));
        Self { folder, tool }
    }

    fn rules(&self, rules: &serde_json::Value) {
        fs::write(self.folder.path().join("data/commands.json"), rules.to_string()).unwrap();
    }

    fn ruling(&self, command: &str) -> Ruling {
        self.tool.ruling(&Arguments { command: command.to_owned() })
    }

    async fn run(&self, command: &str) -> ToolOutput {
        let invocation = Invocation {
            arguments: serde_json::Map::new(),
            user: protocol::UserId::new(1),
            folder: self.folder.path().into(),
            conversation: protocol::ConversationId::new(1),
            origins: Vec::new(),
            cancel: CancellationToken::new(),
            user_channel: Arc::new(tools::NoUser),
        };
        self.tool.run(Arguments { command: command.to_owned() }, &invocation).await.unwrap()
    }
}

#[tokio::test]
async fn the_exit_code_decides_whether_it_went_well() {
    let shell = Shell::new();
    for (command, failed, text) in [
        ("echo error: all is lost", false, "It went well:\nerror: all is lost\n"),
        ("echo all is well; exit 3", true, "It failed with exit code 3:\nall is well\n"),
        ("true", false, "It went well, and printed nothing."),
        ("kill -9 $$", true, "It was ended by signal 9, and printed nothing."),
        (
            "sleep 60",
            true,
            "It took longer than 2 seconds and was ended, with all that it had started, and printed nothing.",
        ),
        (
            "echo begun; sleep 60",
            true,
            "It took longer than 2 seconds and was ended, with all that it had started:\nbegun\n",
        ),
    ] {
        let output = shell.run(command).await;
        assert_eq!((output.failed, output.text.as_str()), (failed, text), "{command}");
        assert!(matches!(output.origins[..], [Origin::Workspace(_)]));
    }
}

#[tokio::test]
async fn it_works_in_its_folder_which_is_made_for_it() {
    let shell = Shell::new();
    shell.run("echo moon > file").await;
    assert_eq!(fs::read_to_string(shell.folder.path().join("work/file")).unwrap(), "moon\n");
}

#[test]
fn what_perigee_keeps_is_no_work_folder() {
    let shell = Shell::new();
    for folder in ["data", "data/inner", ""] {
        let mut config = Config::default();
        config.bash.folder = Some(shell.folder.path().join(folder));
        let config = Arc::new(config);
        let tool = RunCommand {
            settings: Arc::new(move || Arc::clone(&config)),
            folders: Folders::within(shell.folder.path().join("data")),
            sandbox: Arc::clone(&shell.tool.sandbox),
            rules: CommandRuleFile::new(PathBuf::new()),
        };
        assert!(tool.workspace().is_err(), "{folder}");
    }
}

#[test]
fn without_walls_every_command_asks_but_what_is_forbidden_stays_so() {
    let shell = Shell::new();
    let asks =
        |command: &str| matches!(shell.ruling(command), Ruling::Ask(why) if why.contains("no sandbox"));
    assert!(asks("ls"));
    shell.rules(&json!([
        {"id": "listing", "verdict": "allow", "pattern": "ls ...", "matches": ["ls -l"]},
        {"id": "away", "verdict": "deny", "pattern": "rm ...", "matches": ["rm -rf x"]},
    ]));
    assert!(asks("ls"), "even what a rule allows");
    assert!(matches!(shell.ruling("true && rm x"), Ruling::Refuse(why) if why.contains("rm ...")));
    assert_eq!(shell.tool.risk(), Risk::Dangerous);
}

#[test]
fn rules_that_cannot_be_read_allow_nothing() {
    let shell = Shell::new();
    fs::write(shell.folder.path().join("data/commands.json"), "not json").unwrap();
    assert!(matches!(shell.ruling("ls"), Ruling::Ask(why) if why.contains("cannot be read")));
}

#[test]
fn who_may_reach_a_host_may_send_something_out() {
    let effects = |hosts: &[&str]| Shell::reaching(hosts).tool.effects();
    assert!(!effects(&[]).contains(&Effect::SendsOut));
    assert!(effects(&["example.org"]).contains(&Effect::SendsOut));
}
