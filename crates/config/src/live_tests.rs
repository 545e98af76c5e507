use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::*;

struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn with(files: &[(&str, &str)]) -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            home.write(name, text);
        }
        home
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn open(&self) -> LiveConfig {
        self.open_with(&[], Flags::default())
    }

    fn open_with(&self, environment: &[(&str, &str)], flags: Flags) -> LiveConfig {
        LiveConfig::open(Folders::within(self.path()), environment.iter().copied().collect(), flags)
    }
}

fn patch(pairs: &[(&str, Value)]) -> ConfigPatch {
    ConfigPatch(pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

fn fatal(live: &LiveConfig) -> Vec<(Option<u32>, Option<u32>)> {
    let problems = live.problems();
    problems.iter().filter(|problem| problem.fatal).map(|problem| (problem.line, problem.column)).collect()
}

const GOOD: &str = "# mine\n[llm]\nmodel = \"good\" # yes\n";

#[test]
fn no_file_means_the_defaults() {
    let home = Home::with(&[]);
    let live = home.open();
    assert_eq!(*live.current(), Config::default());
    assert_eq!(live.problems(), []);
    assert_eq!(live.report().path, home.path().join("config.toml").display().to_string());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "reading writes nothing");
}

#[test]
fn with_both_files_toml_counts_and_says_so() {
    let home = Home::with(&[("config.toml", GOOD), ("config.json", r#"{"llm": {"model": "other"}}"#)]);
    let live = home.open();
    assert_eq!(live.current().llm.model.as_deref(), Some("good"));
    assert!(live.problems()[0].message.contains("config.toml is used"));
    fs::remove_file(home.path().join("config.toml")).unwrap();
    assert!(live.reload_if_changed());
    assert_eq!(live.current().llm.model.as_deref(), Some("other"));
    assert_eq!(live.problems(), []);
}

#[test]
fn a_broken_file_leaves_the_last_good_settings() {
    for (name, good, broken, place) in [
        ("config.toml", GOOD, "[llm]\nmodel = \n", (Some(2), Some(9))),
        ("config.json", r#"{"llm": {"model": "good"}}"#, "{\n\"llm\": {\"model\": }}", (Some(2), Some(18))),
    ] {
        let home = Home::with(&[(name, good)]);
        let live = home.open();
        home.write(name, broken);
        assert!(live.reload_if_changed());
        assert_eq!(fatal(&live), [place]);
        assert_eq!(live.current().llm.model.as_deref(), Some("good"), "while it runs");

        let again = home.open();
        assert_eq!(fatal(&again), [place]);
        assert_eq!(again.current().llm.model.as_deref(), Some("good"), "at the next start");

        home.write(name, good);
        assert!(again.reload_if_changed());
        assert_eq!(again.problems(), []);
    }
}

#[test]
fn a_first_file_that_is_broken_gives_the_defaults() {
    let home = Home::with(&[("config.toml", "nonsense")]);
    let live = home.open();
    assert_eq!(*live.current(), Config::default());
    assert_eq!(fatal(&live).len(), 1);
    assert!(live.problems()[0].message.contains("The defaults are in force until you fix it"));
}

#[test]
fn what_cannot_be_read_is_reported() {
    let home = Home::with(&[]);
    fs::create_dir(home.path().join("config.toml")).unwrap();
    assert_eq!(fatal(&home.open()).len(), 1);
    let home = Home::with(&[("config.json", &"x".repeat(10 << 20))]);
    assert_eq!(fatal(&home.open()).len(), 1);
}

#[tokio::test]
async fn changes_of_the_file_arrive() {
    let home = Home::with(&[("config.toml", GOOD)]);
    let live = home.open();
    let mut changes = live.subscribe();
    assert!(!live.reload_if_changed());
    home.write("config.toml", "[llm]\nmodel = \"best\" # yes\n");
    assert!(live.reload_if_changed());
    changes.changed().await.unwrap();
    assert_eq!(changes.borrow_and_update().llm.model.as_deref(), Some("best"));

    home.write("config.toml", "[llm]\nmodel = \"best\" # other words\n");
    assert!(live.reload_if_changed());
    assert!(!changes.has_changed().unwrap(), "a comment is no change");
}

#[tokio::test]
async fn a_setting_is_written_without_losing_a_comment() {
    let json = "{\n  // mine\n  \"llm\": { \"model\": \"good\" /* yes */ }\n}\n";
    for (name, before, after) in [
        ("config.toml", GOOD, GOOD.replace("good", "better")),
        ("config.json", json, json.replace("good", "better")),
    ] {
        let home = Home::with(&[(name, before)]);
        let live = home.open();
        let mut changes = live.subscribe();
        live.set(&patch(&[("llm.model", json!("better"))])).unwrap();
        assert_eq!(home.text(name), after);
        changes.changed().await.unwrap();
        assert_eq!(live.current().llm.model.as_deref(), Some("better"));
        assert!(!live.reload_if_changed(), "our own change is no surprise");
        assert_eq!(home.open().current(), live.current());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for file in [name.to_owned(), format!("{name}.last-good")] {
                let mode = fs::metadata(home.path().join(file)).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o600);
            }
        }
        live.set(&patch(&[("llm.model", json!(null))])).unwrap();
        assert_eq!(live.current().llm.model, None);
        assert_eq!(live.source("llm.model"), SettingSource::Default);
        assert!(home.text(name).contains("mine") && home.text(name).contains("yes"));
    }
}

#[test]
fn the_first_change_makes_the_file() {
    let home = Home::with(&[]);
    let live = home.open();
    live.set(&patch(&[("server.port", json!(0)), ("llm.api_key", json!("sesame")), ("debug", json!(true))]))
        .unwrap();
    assert_eq!(live.current().llm.api_key.expose(), "sesame");
    assert_eq!(live.source("server.port"), SettingSource::File);
    assert!(home.text("config.toml").contains("# Perigee's settings."));
    assert_eq!(home.open().current(), live.current());
}

#[test]
fn a_change_under_a_foreign_name_moves_to_its_own() {
    let home =
        Home::with(&[("config.json", "{\n  \"server_port\": 9000, // Moonlet's\n  \"debug\": true\n}\n")]);
    let live = home.open();
    assert_eq!(live.current().server.port, 9000);
    live.set(&patch(&[("server.port", json!(9001))])).unwrap();
    assert_eq!(live.current().server.port, 9001);
    assert!(
        !home.text("config.json").contains("server_port")
            && home.text("config.json").contains("// Moonlet's")
    );
    live.set(&patch(&[("server.port", json!(null))])).unwrap();
    assert_eq!(live.current().server.port, 8899);
}

#[test]
fn a_refused_change_writes_nothing() {
    let home = Home::with(&[("config.toml", GOOD)]);
    let live = home.open_with(&[("PERIGEE_LLM__NUM_CTX", "4096")], Flags::default().with("server.port", 1));
    let cases = [
        ("llm.modle", json!("x"), "there is no setting `llm.modle`. Did you mean `llm.model`?"),
        (
            "llm.temperature",
            json!("warm"),
            "`llm.temperature` should be a number, not text. Nothing was changed",
        ),
        ("llm.num_ctx", json!(8192), "the environment variable PERIGEE_LLM__NUM_CTX"),
        ("llm.num_ctx", json!(null), "the environment variable PERIGEE_LLM__NUM_CTX"),
        ("server.port", json!(2), "a command-line flag"),
        ("mcpServers", json!({}), "Change it in the file"),
        ("auth.enabled", json!(false), "cannot be switched off"),
        ("auth.api_key", json!("short"), "at least 8 characters"),
        ("chat.summarise_to", json!(0.9), "should be less than"),
        ("llm.base_url", json!("http://•••@host/v1"), "should be an address"),
    ];
    for (key, value, reason) in cases {
        let good = ("companion.name", json!("Selene"));
        let error = live.set(&patch(&[good, (key, value)])).unwrap_err().to_string();
        assert!(error.contains(reason), "{key}: {error}");
        assert_eq!(home.text("config.toml"), GOOD, "{key}");
    }
    assert_eq!(live.current().companion.name, "Luna");
}

#[test]
fn a_broken_file_is_never_overwritten() {
    for (name, text) in [
        ("config.toml", "llm = \n"),
        ("config.json", "{"),
        ("config.toml", "llm = 5\n"),
        ("config.json", "[]"),
    ] {
        let home = Home::with(&[(name, text)]);
        let error = home.open().set(&patch(&[("llm.model", json!("x"))])).unwrap_err();
        assert!(matches!(error, SetError::Broken { .. }), "{error}");
        assert_eq!(home.text(name), text);
    }
}

#[test]
fn an_edit_by_hand_and_one_from_the_page_both_hold() {
    let home = Home::with(&[("config.toml", GOOD)]);
    let live = home.open();
    home.write("config.toml", &GOOD.replace("# mine", "debug = true # mine"));
    live.set(&patch(&[("llm.model", json!("better"))])).unwrap();
    assert!(live.current().debug);
    assert_eq!(live.current().llm.model.as_deref(), Some("better"));
    assert_eq!(live.problems(), []);
}

#[test]
fn no_secret_is_shown_anywhere() {
    let file = r#"{
        "llm": { "api_key": "SESAME-1", "base_url": "http://ada:SESAME-2@localhost:1/v1" },
        "auth": { "api_key": "SESAME-3" },
        "builtin_tools": { "web_search": { "brave": { "api_key": "SESAME-4" } } },
        "mcpServers": { "s": { "command": "c", "args": ["--key", "SESAME-5"], "env": { "KEY": "SESAME-6" } } },
    }"#;
    let home = Home::with(&[("config.json", file)]);
    let environment = [("PERIGEE_LLM__API_KEY", "SESAME-7"), ("PERIGEE_SERVER__PORT", "SESAME-8")];
    let live = home.open_with(&environment, Flags::default().with("auth.api_key", "SESAME-9"));
    let config = live.current();
    assert_eq!(config.llm.api_key.expose(), "SESAME-7");
    assert_eq!(config.auth.api_key.expose(), "SESAME-9");
    assert_eq!(config.llm.base_url.as_ref().unwrap().as_str(), "http://ada:SESAME-2@localhost:1/v1");
    let report = live.report();
    let shown = [
        serde_json::to_string(&report).unwrap(),
        format!("{config:?}{live:?}{report:?}"),
        format!("{:?}{:?}", live.environment, live.flags),
        format!("{:?}", config.mcp_servers),
        config.llm.base_url.as_ref().unwrap().to_string(),
        live.set(&patch(&[("auth.api_key", json!("SESAME-10"))])).unwrap_err().to_string(),
        live.set(&patch(&[("llm.temperature", json!("SESAME-11"))])).unwrap_err().to_string(),
    ];
    for (index, text) in shown.iter().enumerate() {
        // The arguments are part of the settings that a program is started with, so only reports hide them.
        let text = if index == 1 || index == 3 { text.replace("SESAME-5", "") } else { text.clone() };
        assert!(!text.contains("SESAME"), "{index}: {text}");
    }
    let field = |key: &str| {
        let fields = report.sections.iter().flat_map(|section| &section.fields);
        fields.clone().find(|field| field.key == key).unwrap().clone()
    };
    assert_eq!(
        (field("llm.api_key").value, field("llm.api_key").from.as_str()),
        (json!(true), "environment")
    );
    assert_eq!(field("llm.api_key").default, json!(false));
    assert_eq!(field("auth.api_key").from, "flag");
    assert_eq!(field("llm.base_url").value, json!("http://•••@localhost:1/v1"));
    assert_eq!(field("llm.temperature").value, json!(0.7));
    assert_eq!(field("llm.provider").choices[0], "auto");
    assert!(!field("stt.enabled").effective && field("llm.model").effective);
}

#[test]
fn settings_without_effect_are_named_where_they_stand() {
    let home = Home::with(&[(
        "config.toml",
        "[llm]\nmodel = \"m\"\n[stt]\nenabled = true\n[tts]\nenabled = true\n",
    )]);
    let idle = home.open().idle_keys();
    assert_eq!(
        idle,
        [UnusedSetting { key: "stt.enabled", line: 4 }, UnusedSetting { key: "tts.enabled", line: 6 }]
    );
}

#[test]
fn many_threads_change_and_read_at_once() {
    let home = Home::with(&[("config.toml", GOOD)]);
    let live = home.open();
    let keys = ["companion.name", "companion.user_name", "llm.model", "stt.language"];
    std::thread::scope(|scope| {
        for key in keys {
            let live = &live;
            scope.spawn(move || {
                for round in 0..10 {
                    live.set(&patch(&[(key, json!(format!("{key} {round}")))])).unwrap();
                    live.reload_if_changed();
                }
            });
        }
    });
    let config = home.open().current();
    assert_eq!(config.companion.name, "companion.name 9");
    assert_eq!(config.companion.user_name.as_deref(), Some("companion.user_name 9"));
    assert_eq!(config.llm.model.as_deref(), Some("llm.model 9"));
    assert_eq!(config.stt.language, "stt.language 9");
    assert!(home.text("config.toml").starts_with("# mine"));
}

#[test]
fn a_server_is_put_into_the_file_and_taken_out_of_it() {
    let server = json!({"command": "npx", "args": ["-y", "files"], "env": {"KEY": "x y"}});
    let other = json!({"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer k"}});
    for (name, text) in [
        ("config.toml", "# mine\ndebug = true\n\n[mcpServers.old]\ncommand = \"old\" # keep\n"),
        (
            "config.json",
            "{\n  // mine\n  \"debug\": true,\n  \"mcpServers\": { \"old\": { \"command\": \"old\" } }\n}\n",
        ),
    ] {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(name);
        fs::write(&path, text).unwrap();
        let live = LiveConfig::open(Folders::within(home.path()), Environment::default(), Flags::default());
        let names = || live.current().mcp_servers.keys().cloned().collect::<Vec<_>>();
        live.set_mcp_server("files", server.as_object()).unwrap();
        assert_eq!(names(), ["files", "old"], "{name}");
        live.set_mcp_server("files", other.as_object()).unwrap();
        assert!(matches!(live.current().mcp_servers["files"].reach, crate::McpTransport::Http { .. }));
        live.set_mcp_server("old", None).unwrap();
        assert_eq!(names(), ["files"]);
        let wrong = live.set_mcp_server("bad", json!({"args": []}).as_object());
        assert!(matches!(wrong, Err(SetError::Invalid { .. })), "{wrong:?}");
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.contains("mine") && live.current().debug, "{written}");
    }
}
