use std::fmt::Write as _;

use protocol::FieldKind;
use serde_json::Value;

use crate::Config;
use crate::edit::toml_value;
use crate::settings::SECTIONS;
use crate::table::Field;

const HEAD: &str = "\
# Every setting of Perigee with its default. Copy those that you change to `config.toml` in the data folder,
# without the leading `#`.
#
# An environment variable overrides the file: `llm.base_url` is PERIGEE_LLM__BASE_URL, with capital letters and two
# underscores for each dot. A command-line flag overrides both. PERIGEE_HOME names the data folder.
#
# Lumina's `config.json` is read as it is, comments included, if there is no `config.toml`.
#
# This file is generated from the declaration of the settings (`cargo xtask codegen`).
";

/// Renders the commented example file.
pub fn example() -> String {
    let defaults = Config::default();
    let mut text = String::from(HEAD);
    let mut tables = String::new();
    for section in SECTIONS {
        push(&mut text, format_args!("\n\n{}", commented(section.about())));
        if !section.name.is_empty() {
            push(&mut text, format_args!("[{}]\n", section.name));
        }
        for field in section.fields {
            let about = commented(&described(field));
            if field.kind == FieldKind::Table {
                // A table header would capture the keys after it, so tables come last.
                push(&mut tables, format_args!("\n\n{about}#[{}.NAME]\n", field.key));
                tables.push_str("#command = \"program\"\n#args = []\n#env = {}\n");
                continue;
            }
            let key = field.path().next_back().unwrap_or(field.key);
            push(&mut text, format_args!("\n{about}#{key} = {}\n", default_text(field, &defaults)));
        }
    }
    text + &tables
}

fn push(text: &mut String, piece: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(piece);
}

fn described(field: &Field) -> String {
    let mut about = field.about().to_owned();
    if !field.choices.is_empty() {
        push(&mut about, format_args!(" One of: {}.", field.choices.join(", ")));
    }
    if !field.effective {
        about.push_str(" No effect yet.");
    }
    about
}

fn default_text(field: &Field, defaults: &Config) -> String {
    let shown = match ((field.shown)(defaults), field.kind) {
        // The report shows a secret only as set or not set, and an unset number has no TOML spelling.
        (_, FieldKind::Secret) => Value::from(""),
        (Value::Null, FieldKind::Number) => Value::from(1),
        (value, _) => value,
    };
    toml_value(&shown).to_string()
}

/// Formats text as comment lines of at most 110 characters.
fn commented(words: &str) -> String {
    let mut text = String::new();
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.chars().count() + word.chars().count() >= 110 {
            push(&mut text, format_args!("{line}\n"));
            line = String::from("#");
        }
        push(&mut line, format_args!(" {word}"));
    }
    text + &line + "\n"
}
