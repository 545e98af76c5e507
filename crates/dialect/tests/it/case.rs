//! The cases in `tests/replies/*.txt`.
//!
//! A file begins with a description and the lines of the vocabulary: `tools:`, `tags:`, `fences`, `unknown tools`,
//! and `parameters:` with a tool and its parameters. A case is its name after `===`, the reply, `---`, and one line for
//! each expected part:
//!
//! - `same`: the reply is unchanged text
//! - `text "…"` and `think "…"`
//! - `call NAME` with the body of a tag as a string, named arguments as an object, or unnamed ones as a list,
//!   optionally followed by named ones
//! - `flawed "part of the why"` if the reply has no other part, or `flawed "text" "part of the why"`

use std::path::Path;
use std::sync::Arc;

use dialect::{CallArguments, ParsedCall, ReplyPart, ReplyVocabulary};
use serde_json::{Deserializer, Map, Value};

pub struct Case {
    pub name: String,
    pub vocabulary: Arc<ReplyVocabulary>,
    pub reply: String,
    expected: Vec<ReplyPart>,
}

impl Case {
    pub fn all() -> Vec<Self> {
        // Read at run time, since the binary may have been built in another folder.
        let folder = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join("tests/replies");
        let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.iter().flat_map(|file| of_file(file)).collect()
    }

    /// Returns the difference between the parsed and the expected parts. The reason of a flaw only has to contain the
    /// expected one.
    pub fn difference(&self, mut parsed: Vec<ReplyPart>, how: &str) -> Option<String> {
        for (parsed, expected) in parsed.iter_mut().zip(&self.expected) {
            if let (ReplyPart::Flawed { why, .. }, ReplyPart::Flawed { why: part, .. }) = (parsed, expected)
                && why.contains(part.as_str())
            {
                why.clone_from(part);
            }
        }
        let Self { name, reply, expected, .. } = self;
        (parsed != *expected)
            .then(|| format!("{name}, {how}\n{reply}\nexpected: {expected:?}\n  parsed: {parsed:?}\n\n"))
    }
}

fn of_file(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut blocks = text.split("=== ");
    let vocabulary = Arc::new(vocabulary(blocks.next().unwrap()));
    let of = file.file_stem().unwrap().to_string_lossy();
    blocks.map(|block| of_block(block, &of, &vocabulary)).collect()
}

fn vocabulary(head: &str) -> ReplyVocabulary {
    let names = |key: &str| {
        let names = head.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
        names.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut vocabulary = ReplyVocabulary::new(names("tools:"), names("tags:"));
    if head.lines().any(|line| line == "unknown tools") {
        vocabulary = vocabulary.with_unknown_tools();
    }
    for line in head.lines().filter_map(|line| line.strip_prefix("parameters:")) {
        let mut words = line.split_whitespace();
        vocabulary = vocabulary.with_parameters(words.next().unwrap(), words);
    }
    if head.lines().any(|line| line == "fences") {
        return vocabulary.with_fences(&["tool_code", "tool_call"]);
    }
    if head.lines().any(|line| line == "fences: json") {
        vocabulary.with_fences(&["json"])
    } else {
        vocabulary
    }
}

fn of_block(block: &str, file: &str, vocabulary: &Arc<ReplyVocabulary>) -> Case {
    let (name, rest) = block.split_once('\n').unwrap();
    let name = format!("{file}: {name}");
    let (reply, expected) = match rest.strip_prefix("---\n") {
        Some(expected) => ("", expected),
        None => rest.split_once("\n---\n").unwrap_or_else(|| panic!("{name}: nothing is expected")),
    };
    let lines = expected.lines().filter(|line| !line.is_empty());
    let expected = lines.map(|line| part(line, reply).unwrap_or_else(|| panic!("{name}: {line}"))).collect();
    Case { name, vocabulary: Arc::clone(vocabulary), reply: reply.to_owned(), expected }
}

fn part(line: &str, reply: &str) -> Option<ReplyPart> {
    if line == "same" {
        return Some(ReplyPart::Text(reply.to_owned()));
    }
    let (kind, rest) = line.split_once(' ')?;
    if kind == "call" {
        let (name, arguments) = rest.split_once(' ')?;
        let arguments = match values(arguments)?.as_slice() {
            [Value::String(text)] => CallArguments::Text(text.clone()),
            [Value::Object(named)] => CallArguments::Named(named.clone()),
            [Value::Array(in_order)] => CallArguments::Positional(in_order.clone(), Map::new()),
            [Value::Array(in_order), Value::Object(named)] => {
                CallArguments::Positional(in_order.clone(), named.clone())
            }
            _ => return None,
        };
        return Some(ReplyPart::Call(ParsedCall { name: name.to_owned(), arguments }));
    }
    match (kind, values(rest)?.as_slice()) {
        ("text", [Value::String(text)]) => Some(ReplyPart::Text(text.clone())),
        ("think", [Value::String(text)]) => Some(ReplyPart::Reasoning(text.clone())),
        ("flawed", [Value::String(why)]) => {
            Some(ReplyPart::Flawed { text: reply.to_owned(), why: why.clone() })
        }
        ("flawed", [Value::String(text), Value::String(why)]) => {
            Some(ReplyPart::Flawed { text: text.clone(), why: why.clone() })
        }
        _ => None,
    }
}

fn values(text: &str) -> Option<Vec<Value>> {
    Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()
}
