use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use client::Client;
use protocol::{ConfigField, ConfigPatch, ConfigReport, FieldKind};
use serde_json::{Map, Value};
use terminal::{Screen, Table, TableCell, TextStyle, clean, clean_line, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  perigee config                        the file, and the settings that differ from their defaults
  perigee config --all                  every setting
  perigee config get llm.temperature
  perigee config set llm.temperature 0.5
  perigee config set llm.api_key -      reads the value from standard input
  perigee config unset llm.temperature  reset to the default")]
pub struct ConfigCommandOptions {
    #[command(subcommand)]
    action: Option<Action>,
    /// Show every setting, not only those that differ from the default.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print one setting.
    Get {
        key: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Change a setting in the file. Comments in it are kept.
    Set {
        key: String,
        /// The value; `-` reads it from standard input, which keeps a secret out of the shell history.
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Reset a setting to its default.
    Unset { key: String },
}

/// The setting that may contain the owner's token.
const TOKEN: &str = "auth.api_key";

pub async fn run(client: &Client, options: ConfigCommandOptions) -> anyhow::Result<ExitCode> {
    let report: ConfigReport = client.get("/api/config").await?;
    match options.action {
        None if options.json => print_json(&report),
        None => {
            terminal::print(&overview(&report, options.all, Screen::stdout()));
            Ok(ExitCode::SUCCESS)
        }
        Some(Action::Get { key, json }) => {
            let field = field(&report, &key)?;
            if json {
                return print_json(field);
            }
            print_line!("{}", display_value(field));
            Ok(ExitCode::SUCCESS)
        }
        Some(Action::Set { key, value }) => {
            let value = if value == "-" { std::io::read_to_string(std::io::stdin())? } else { value };
            let value = parse(field(&report, &key)?, value.trim_end_matches('\n'))?;
            change(client, &key, value).await
        }
        Some(Action::Unset { key }) => {
            field(&report, &key)?;
            change(client, &key, Value::Null).await
        }
    }
}

/// Shows or changes settings from within a conversation.
pub async fn show_or_change(client: &Client, key: Option<&str>, value: Option<&str>) -> anyhow::Result<()> {
    let report: ConfigReport = client.get("/api/config").await?;
    match (key, value) {
        (None, _) => terminal::print(&overview(&report, false, Screen::stdout())),
        (Some(key), None) => print_line!("{}", display_value(field(&report, key)?)),
        (Some(key), Some(value)) => {
            change(client, key, parse(field(&report, key)?, value)?).await?;
        }
    }
    Ok(())
}

async fn change(client: &Client, key: &str, value: Value) -> anyhow::Result<ExitCode> {
    let patch = ConfigPatch(Map::from_iter([(key.to_owned(), value)]));
    let report: ConfigReport = client.patch("/api/config", &patch).await?;
    let field = field(&report, key)?;
    print_line!("{key} = {}", display_value(field));
    if !field.effective {
        eprintln!("Nothing reads this setting yet.");
    }
    if client.is_own().await {
        return Ok(ExitCode::SUCCESS);
    }
    if key == TOKEN {
        eprintln!(
            "This is the token from now on. Connections that used the old one are closed; browsers stay signed in."
        );
    } else if ["server.host", "server.port"].contains(&key) {
        eprintln!("This takes effect when the server is restarted.");
    }
    Ok(ExitCode::SUCCESS)
}

fn field<'a>(report: &'a ConfigReport, key: &str) -> anyhow::Result<&'a ConfigField> {
    let mut fields = report.sections.iter().flat_map(|section| &section.fields);
    fields.find(|field| field.key == key).with_context(|| {
        format!("there is no setting {}: `perigee config --all` lists them all", clean_line(key))
    })
}

/// Parses a value from the command line as the type of the setting.
fn parse(field: &ConfigField, text: &str) -> anyhow::Result<Value> {
    Ok(match field.kind {
        FieldKind::Switch => match text {
            "true" | "on" | "yes" => Value::Bool(true),
            "false" | "off" | "no" => Value::Bool(false),
            _ => anyhow::bail!("{} is a switch: set it to true or false", field.key),
        },
        FieldKind::Number => {
            let number = serde_json::from_str(text).ok().filter(Value::is_number);
            number
                .with_context(|| format!("{} needs a number, and {} is none", field.key, clean_line(text)))?
        }
        FieldKind::Text | FieldKind::Secret | FieldKind::Choice => Value::String(text.to_owned()),
        FieldKind::List => match serde_json::from_str(text) {
            Ok(Value::Array(list)) => Value::Array(list),
            _ => text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Value::from).collect(),
        },
        FieldKind::Table => anyhow::bail!("{} is a table: change it in the file", field.key),
    })
}

fn display_value(field: &ConfigField) -> String {
    match (&field.value, field.kind) {
        (Value::Bool(true), FieldKind::Secret) => "set".to_owned(),
        (_, FieldKind::Secret) | (Value::Null, _) => "not set".to_owned(),
        (Value::String(text), _) => clean_line(text),
        (value, _) => clean_line(&value.to_string()),
    }
}

fn overview(report: &ConfigReport, all: bool, screen: Screen) -> String {
    let mut out = format!("{}\n", clean_line(&report.path));
    for problem in &report.problems {
        out.extend(["  ", &clean(&problem.message), "\n"]);
    }
    let fields = report.sections.iter().flat_map(|section| &section.fields);
    let fields: Vec<_> = fields.filter(|field| all || field.from != "default").collect();
    if fields.is_empty() {
        out.push_str("Every setting is at its default.\n");
        return out;
    }
    let mut table = Table::with_columns(&["key", "value", "from", ""]);
    for field in fields {
        let note = if field.effective { "" } else { "no effect yet" };
        table.row([
            field.key.as_str().into(),
            display_value(field).into(),
            field.from.as_str().into(),
            TableCell::styled(TextStyle::DIM, note),
        ]);
    }
    out.push('\n');
    out + &table.render(screen)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use terminal::Painter;

    fn setting(key: &str, kind: FieldKind, value: Value, from: &str) -> ConfigField {
        ConfigField {
            key: key.into(),
            about: String::new(),
            kind,
            choices: Vec::new(),
            value,
            default: Value::Null,
            from: from.into(),
            effective: true,
        }
    }

    #[test]
    fn a_value_gets_the_type_of_its_setting() {
        for (kind, text, expected) in [
            (FieldKind::Switch, "on", Some(json!(true))),
            (FieldKind::Switch, "maybe", None),
            (FieldKind::Number, "0.5", Some(json!(0.5))),
            (FieldKind::Number, "-3", Some(json!(-3))),
            (FieldKind::Number, "much", None),
            (FieldKind::Text, "8899", Some(json!("8899"))),
            (FieldKind::List, "a, b", Some(json!(["a", "b"]))),
            (FieldKind::List, "[\"a,b\"]", Some(json!(["a,b"]))),
            (FieldKind::List, "", Some(json!([]))),
            (FieldKind::Table, "{}", None),
        ] {
            assert_eq!(
                parse(&setting("k", kind, Value::Null, "file"), text).ok(),
                expected,
                "{kind:?} {text}"
            );
        }
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(display_value(&setting("k", FieldKind::Secret, json!(true), "file")), "set");
        assert_eq!(display_value(&setting("k", FieldKind::Secret, json!(false), "file")), "not set");
    }

    #[test]
    fn what_differs_from_the_default_is_shown() {
        let fields = vec![
            setting("llm.model", FieldKind::Text, json!("tiny"), "file"),
            setting("llm.top_k", FieldKind::Number, json!(40), "default"),
        ];
        let section = protocol::ConfigSection { name: "llm".into(), about: String::new(), fields };
        let report =
            ConfigReport { path: "/data/config.toml".into(), sections: vec![section], problems: Vec::new() };
        let paper = Screen { painter: Painter::new(false), width: None };
        assert_eq!(
            overview(&report, false, paper),
            "/data/config.toml\n\nkey        value  from\nllm.model  tiny   file\n"
        );
        assert!(overview(&report, true, paper).contains("llm.top_k"));
    }
}
