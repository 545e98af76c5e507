use serde_json::json;

use super::*;
use crate::document::{Format, parse};
use crate::edit::{Change, edit};

/// The sample from Lumina's documentation.
const LUMINA: &str = include_str!("../tests/lumina.jsonc");

fn read(format: Format, text: &str) -> LoadedSettings {
    load(&parse(format, text.as_bytes()).unwrap(), &Environment::default(), &Flags::default())
}

fn messages(loaded: &LoadedSettings) -> Vec<String> {
    loaded
        .problems
        .iter()
        .map(|problem| {
            let place = |number: Option<u32>| number.map_or("-".into(), |number| number.to_string());
            format!("{}:{} {}", place(problem.line), place(problem.column), problem.message)
        })
        .collect()
}

/// Returns every leaf of a document with its dotted key. A table-valued setting counts as one leaf.
fn leaves(entries: &[SettingEntry], prefix: &str) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for entry in entries {
        let key = format!("{prefix}{}", entry.key);
        match &entry.node {
            SettingNode::Table(inner) if field(&key).is_none() => {
                found.extend(leaves(inner, &format!("{key}.")));
            }
            node => found.push((key, node.to_value())),
        }
    }
    found
}

#[test]
fn every_key_of_luminas_sample_is_read() {
    let document = parse(Format::Json, LUMINA.as_bytes()).unwrap();
    let loaded = load(&document, &Environment::default(), &Flags::default());
    let leaves = leaves(&document.entries, "");
    assert_eq!(leaves.len(), 45);
    for (key, value) in &leaves {
        let field = field(key).unwrap_or_else(|| panic!("{key} is not typed"));
        let wanted = match (key.as_str(), field.kind) {
            ("mcpServers", _) => json!({ "server-name": { "command": "...", "args": 0, "env": [] } }),
            ("tts.qwen3_instruct", _) => Value::Null,
            // A secret is shown only as set; `auth.enabled = false` is not honoured.
            ("auth.enabled", _) | (_, FieldKind::Secret) => json!(true),
            _ => value.clone(),
        };
        assert_eq!((field.shown)(&loaded.config), wanted, "{key}");
        assert_eq!(loaded.source(key), SettingSource::File, "{key}");
    }
    assert_eq!(loaded.in_file.len(), leaves.len());
    assert_eq!(loaded.config.llm.api_key.expose(), "...");
    let problems = messages(&loaded);
    assert_eq!(problems.len(), 2, "{problems:#?}");
    assert!(problems[0].contains("`auth.enabled = false` is not honoured"));
    assert!(problems[1].contains("from the documentation"));
}

#[test]
fn toml_says_the_same_as_json() {
    let document = parse(Format::Json, LUMINA.as_bytes()).unwrap();
    let changes: Vec<Change> = leaves(&document.entries, "")
        .into_iter()
        .map(|(key, value)| Change { path: key.split('.').map(str::to_owned).collect(), value: Some(value) })
        .collect();
    let toml = edit(Format::Toml, "", &changes).unwrap();
    assert_eq!(read(Format::Toml, &toml).config, read(Format::Json, LUMINA).config, "{toml}");
}

#[test]
fn keys_beyond_the_sample_have_homes() {
    let loaded = read(
        Format::Json,
        r#"{
            "emotion": { "enabled": false },
            "wakeword": { "model_file": "luna.onnx" },
            "builtin_tools": { "mcp_servers_allow_network": true },
            "background": "night.png",
            "debug": true,
            "debug_log_path": "/tmp/debug.log",
            "use_chat_tools": false,
            "server_port": 9000,
        }"#,
    );
    assert_eq!(messages(&loaded), Vec::<String>::new());
    let config = &loaded.config;
    assert!(!config.emotion.enabled && config.builtin_tools.mcp_servers_allow_network && config.debug);
    assert_eq!(config.wakeword.model_file.as_deref(), Some("luna.onnx".as_ref()));
    assert_eq!(config.background.as_deref(), Some("night.png"));
    assert_eq!(config.debug_log_path.as_deref(), Some("/tmp/debug.log".as_ref()));
    assert_eq!(config.llm.tools, crate::ToolStyle::Text);
    assert_eq!(config.server.port, 9000);
    assert_eq!(loaded.source("server.port"), SettingSource::File);

    let loaded =
        read(Format::Toml, "DEBUG = true\nSERVER_PORT = 1\nuse_chat_tools = true\n[server]\nport = 2\n");
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert!(loaded.config.debug);
    assert_eq!(loaded.config.server.port, 2, "the setting's own name wins");
    assert_eq!(loaded.config.llm.tools, crate::ToolStyle::Auto);
}

#[test]
fn flags_win_over_environment_over_file_over_default() {
    let file = "[server]\nport = 1\n";
    let cases = [
        (false, false, false, 8899, "default"),
        (true, false, false, 1, "file"),
        (true, true, false, 2, "environment"),
        (false, true, false, 2, "environment"),
        (true, true, true, 3, "flag"),
        (true, false, true, 3, "flag"),
        (false, false, true, 3, "flag"),
    ];
    for (in_file, in_environment, in_flags, port, from) in cases {
        let document = parse(Format::Toml, if in_file { file.as_bytes() } else { b"" }).unwrap();
        let environment = in_environment.then_some(("PERIGEE_SERVER__PORT", "2")).into_iter().collect();
        let flags = if in_flags { Flags::default().with("server.port", 3) } else { Flags::default() };
        let loaded = load(&document, &environment, &flags);
        assert_eq!((loaded.config.server.port, loaded.source("server.port").as_str()), (port, from));
        assert_eq!(loaded.problems, []);
    }
}

#[test]
fn every_setting_has_a_variable_of_its_own() {
    let names: HashSet<String> = fields().map(Field::variable).collect();
    assert_eq!(names.len(), fields().count());
    assert!(names.contains("PERIGEE_BUILTIN_TOOLS__WEB_SEARCH__BRAVE__API_KEY"));
    assert!(names.contains("PERIGEE_DEBUG"));
}

#[test]
fn the_environment_speaks_every_kind() {
    let environment = Environment::from_iter([
        ("PERIGEE_DEBUG", "on"),
        ("PERIGEE_MODELS__PIP", "0"),
        ("PERIGEE_LLM__NUM_CTX", "4096"),
        ("PERIGEE_LLM__TEMPERATURE", "0.25"),
        ("PERIGEE_LLM__SEED", "7"),
        ("PERIGEE_LLM__PROVIDER", "ollama"),
        ("PERIGEE_LLM__MODEL", "123"),
        ("PERIGEE_LLM__STOP", r#"["a, b", "c"]"#),
        ("PERIGEE_SERVER__ALLOWED_HOSTS", "luna.local, moon.local,"),
        ("PERIGEE_MCPSERVERS", r#"{"files": {"command": "mcp-files", "env": {"KEY": "hidden"}}}"#),
        ("PERIGEE_COMPANION__NAME", ""),
    ]);
    let loaded = load(&Document::default(), &environment, &Flags::default());
    assert_eq!(messages(&loaded), Vec::<String>::new());
    let config = loaded.config;
    assert!(config.debug && !config.models.pip);
    assert_eq!((config.llm.num_ctx, config.llm.temperature, config.llm.seed), (4096, 0.25, Some(7)));
    assert_eq!(config.llm.provider, crate::Provider::Ollama);
    assert_eq!(config.llm.model.as_deref(), Some("123"));
    assert_eq!(config.llm.stop, ["a, b", "c"]);
    assert_eq!(config.server.allowed_hosts, ["luna.local", "moon.local"]);
    assert_eq!(key_of(&config, "files"), "hidden");
    assert_eq!(config.companion.name, "Luna");
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_only_that_falls_back() {
    let text = r#"
debgu = true
[llm]
num_ctx = "many"
temperature = 9
model = "good"
provider = "telepathy"
base_url = "localhost:1234"
stop = ["a", 1]
api_key = 5
modle = "x"
[server]
port = 70000
[horoscope]
city = "Rome"
"#;
    let loaded = read(Format::Toml, text);
    let expected = [
        "2:1 `debgu` is not a setting. Did you mean `debug`?",
        "4:11 `llm.num_ctx` should be a whole number from 0 to 4294967295, not text. The default is used.",
        "5:15 `llm.temperature` should be from 0 to 5. The default is used.",
        "7:12 `llm.provider` should be one of auto, embedded, openai, ollama, llama-server, command. The default is used.",
        "8:12 `llm.base_url` should be an address that begins with http:// or https://. The default is used.",
        "9:8 `llm.stop` should contain only texts. The default is used.",
        "10:11 `llm.api_key` should be text, not this number. The default is used.",
        "11:1 `llm.modle` is not a setting. Did you mean `llm.model`?",
        "13:8 `server.port` should be a whole number from 0 to 65535, not this number. The default is used.",
        "14:2 `horoscope` is not a setting.",
    ];
    assert_eq!(messages(&loaded), expected);
    let wanted = Config {
        llm: crate::Llm { model: Some("good".into()), ..crate::Llm::default() },
        ..Config::default()
    };
    assert_eq!(loaded.config, wanted);
}

#[test]
fn json_places_are_right_too() {
    let loaded = read(
        Format::Json,
        "{\n  // é\n  \"llm\": { \"num_ctx\": 1, \"é\": 1 },\n  \"server\": 5,\n  \"debug\": true, \"debug\": false\n}",
    );
    let expected = [
        "3:23 `llm.num_ctx` should be from 512 to 4194304. The default is used.",
        "3:26 `llm.é` is not a setting.",
        "4:13 `server` should be a table. It is ignored.",
        "5:18 `debug` is in the file twice. The first one is used.",
    ];
    assert_eq!(messages(&loaded), expected);
    assert!(loaded.config.debug);
}

#[test]
fn a_wrong_variable_or_flag_leaves_what_was_below() {
    let document = parse(Format::Toml, b"[server]\nport = 1234\n").unwrap();
    let environment = Environment::from_iter([
        ("PERIGEE_SERVER__PORT", "http"),
        ("PERIGEE_LLM__MODLE", "x"),
        ("PERIGEE_LLM__API_KEY", "sesame"),
        ("PERIGEE_HOME", "/data"),
        ("PATH", "/bin"),
    ]);
    let loaded = load(&document, &environment, &Flags::default().with("llm.num_ctx", "x"));
    let expected = [
        "-:- `PERIGEE_SERVER__PORT` should be a whole number from 0 to 65535, not text. The value from the file is used.",
        "-:- PERIGEE_LLM__MODLE is set, but there is no such setting. Did you mean PERIGEE_LLM__MODEL?",
        "-:- `llm.num_ctx` should be a whole number from 0 to 4294967295, not text. The default is used.",
    ];
    assert_eq!(messages(&loaded), expected);
    assert_eq!(loaded.config.server.port, 1234);
}

#[test]
fn settings_that_do_not_fit_together_go_back_together() {
    let loaded = read(Format::Toml, "[chat]\nsummarise_at = 0.4\nsummarise_to = 0.6\n");
    assert_eq!(
        messages(&loaded),
        ["-:- `chat.summarise_to` should be less than `chat.summarise_at`. The defaults are used."]
    );
    assert_eq!(loaded.config, Config::default());
    assert_eq!(loaded.source("chat.summarise_at"), SettingSource::Default);
}

#[test]
fn a_broken_file_is_located() {
    let cases = [
        (Format::Toml, "a = 1\n[llm\nmodel = 1\n", (2, 5)),
        (Format::Toml, "[llm]\nmodel = \"a\ntop_k = 1\n", (2, 11)),
        (Format::Toml, "debug = true\ndebug = false\n", (2, 1)),
        (Format::Json, "{\n  \"llm\": {\n", (2, 10)),
        (Format::Json, "{\"a\": 1\n \"b\": 2}", (1, 8)),
        (Format::Json, "{\n  é: 1}", (2, 3)),
        (Format::Json, "[1]", (1, 1)),
        (Format::Json, "{} {}", (1, 4)),
        (Format::Json, "{ /* never closed", (1, 3)),
    ];
    for (format, text, place) in cases {
        let broken = parse(format, text.as_bytes()).err().unwrap_or_else(|| panic!("{text} is fine"));
        assert_eq!((broken.at.line, broken.at.column), place, "{text}: {}", broken.reason);
    }
}

#[test]
fn hostile_files_are_errors_at_worst() {
    let invalid = b"[llm]\nmodel = \"\xff\"\n";
    let broken = parse(Format::Toml, invalid).err().unwrap();
    assert_eq!((broken.at.line, broken.at.column), (2, 10));

    let huge = vec![b'#'; 10 << 20];
    let deep_json = format!("{{\"llm\":{}", "[".repeat(100_000));
    let deep_objects = "{\"a\":".repeat(40_000);
    let deep_toml = format!("a = {}", "[".repeat(100_000));
    let dotted = format!("{} = 1", vec!["a"; 50_000].join("."));
    for bytes in [
        &huge[..],
        deep_json.as_bytes(),
        deep_objects.as_bytes(),
        deep_toml.as_bytes(),
        dotted.as_bytes(),
        b"\0",
        b"\xff\xfe",
    ] {
        for format in [Format::Toml, Format::Json] {
            let small = &bytes[..bytes.len().min(20)];
            assert!(parse(format, bytes).is_err(), "{format:?} {}", String::from_utf8_lossy(small));
        }
    }
    for empty in ["", " \n", "\u{feff}", "# words\n"] {
        assert_eq!(read(Format::Toml, empty).config, Config::default());
    }
    for empty in ["", " \n", "\u{feff}", "// words\n", "{}", "\u{feff}{}"] {
        assert_eq!(read(Format::Json, empty).config, Config::default());
    }
}

#[test]
fn thousands_of_mistakes_do_not_hide_a_setting() {
    let mut text: String = (0..20_000).fold(String::new(), |text, index| text + &format!("k{index}=1\n"));
    text.push_str("[llm]\nmodel = \"good\"\n");
    let loaded = read(Format::Toml, &text);
    assert_eq!(loaded.problems.len(), MOST_PROBLEMS);
    assert_eq!(loaded.config.llm.model.as_deref(), Some("good"));
}

#[test]
fn no_value_of_any_type_makes_a_setting_panic() {
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("x\0y"),
        json!("http://"),
        json!([]),
        json!([[]]),
        json!([1, "a"]),
        json!({}),
        json!({"a": {"command": 1}}),
        json!({"a": 1}),
        json!({"a": {"command": "x", "args": "y"}}),
        json!({"a": {"command": "x", "env": {"K": 1}}}),
        json!("é".repeat(9999)),
    ];
    for field in fields() {
        for value in &values {
            let mut config = Config::default();
            match (field.put)(&mut config, value) {
                Ok(()) => drop((field.shown)(&config)),
                Err(reason) => assert!(
                    reason.starts_with("should ") && config == Config::default(),
                    "{}: {reason}",
                    field.key
                ),
            }
        }
    }
}

/// Cuts, duplicates and swaps pieces of good files at random: each must be read, refused or edited without a panic.
#[test]
fn damaged_files_are_read_refused_or_changed() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap()
    };
    let sources = [(Format::Json, LUMINA.to_owned()), (Format::Toml, crate::example().replace("\n#", "\n"))];
    let patches = [
        ("llm.model", json!("m")),
        ("llm.model", json!(null)),
        ("server.allowed_hosts", json!(["a"])),
        ("bash.enabled", json!(true)),
    ];
    for round in 0..3_000 {
        let (format, source) = &sources[round % 2];
        let mut text = source.clone();
        for _ in 0..=random(3) {
            let letters: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let (from, to) = (letters[random(letters.len())], letters[random(letters.len())]);
            let piece = text[from.min(to)..from.max(to)].chars().take(random(40)).collect::<String>();
            match random(3) {
                0 => text.replace_range(from.min(to)..from.min(to) + piece.len(), ""),
                1 => text.insert_str(from, &piece),
                _ => text.insert_str(from, ["\"", "{", "}", ",", "\n", "#", "/*", "[x]\n", "="][random(9)]),
            }
            if text.is_empty() {
                text.push(' ');
            }
        }
        let Ok(document) = parse(*format, text.as_bytes()) else { continue };
        load(&document, &Environment::default(), &Flags::default());
        let (key, value) = &patches[random(patches.len())];
        let path = key.split('.').map(str::to_owned).collect();
        let change = Change { path, value: Some(value.clone()).filter(|value| !value.is_null()) };
        if let Ok(edited) = edit(*format, &text, &[change]) {
            let document = parse(*format, edited.as_bytes())
                .unwrap_or_else(|error| panic!("{error:?}\n{text}\n---\n{edited}"));
            let found = leaves(&document.entries, "")
                .into_iter()
                .find(|(found, _)| found == key)
                .map(|(_, value)| value);
            assert_eq!(found.unwrap_or_default(), *value, "{text}\n---\n{edited}");
        }
    }
}

#[test]
fn hosts_are_hosts_and_no_addresses_of_pages() {
    let read = |hosts: &str| read(Format::Toml, &format!("[bash]\nhosts = {hosts}\n"));
    for hosts in ["[]", r#"["*"]"#, r#"["example.org", "*.example.org:8080", "127.0.0.1:5000"]"#] {
        assert_eq!(messages(&read(hosts)), Vec::<String>::new(), "{hosts}");
    }
    for (hosts, why) in [
        (r#"["https://example.org"]"#, "but https://example.org is not a host"),
        (r#"["localhost:8080"]"#, "but localhost:8080 is a name in your own network"),
        (r#"["*", "example.org"]"#, "but * already means every public host"),
    ] {
        let loaded = read(hosts);
        assert!(messages(&loaded)[0].contains(why), "{:?}", messages(&loaded));
        assert!(loaded.config.bash.hosts.is_empty(), "nobody is reached by mistake");
    }
}

fn key_of(config: &Config, server: &str) -> String {
    match &config.mcp_servers[server].reach {
        crate::McpTransport::Program { env, .. } => env["KEY"].expose().to_owned(),
        crate::McpTransport::Http { .. } => String::new(),
    }
}

#[test]
fn servers_are_read_in_the_form_that_other_clients_use() {
    let read = |server: Value| {
        let text = json!({ "mcpServers": { "s": server } }).to_string();
        let document = parse(Format::Json, text.as_bytes()).unwrap();
        let loaded = load(&document, &Environment::default(), &Flags::default());
        loaded.config.mcp_servers.get("s").cloned().ok_or(loaded.problems)
    };
    let program =
        read(json!({"command": "npx", "args": ["-y", "x"], "cwd": "/tmp", "autoApprove": ["a"]})).unwrap();
    assert!(
        matches!(&program.reach, crate::McpTransport::Program { args, cwd: Some(_), .. } if args.len() == 2)
    );
    let http = read(
        json!({"type": "http", "url": "https://x.example/mcp", "headers": {"Authorization": "Bearer k"}}),
    );
    assert!(matches!(http.unwrap().reach, crate::McpTransport::Http { headers, .. } if headers.len() == 1));
    assert!(read(json!({"command": "x", "disabled": true})).unwrap().disabled);
    for wrong in [
        json!({}),
        json!({"command": "x", "url": "https://x.example"}),
        json!({"command": ""}),
        json!({"type": "sse", "url": "https://x.example/sse"}),
        json!({"command": "x", "env": {"A": 1}}),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}
