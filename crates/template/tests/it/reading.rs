use std::sync::Arc;

use dialect::{LearnedFormat, ReplyParser, ReplyPart, ReplyVocabulary, TemplateInput};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use template::Template;

use crate::families::Family;
use crate::replies::{Expected, Reply, tools};

/// Parses replies of one family with nothing but the syntax learned from its template.
pub struct Reader {
    pub learned: LearnedFormat,
    vocabulary: Arc<ReplyVocabulary>,
    opening: String,
    end: &'static str,
}

impl Reader {
    pub fn of(family: &Family) -> Self {
        let template = Self::template(family);
        let learned = template.learn();
        let messages = vec![json!({"role": "user", "content": "Does it rain in Lyon?"})];
        let given: Vec<Value> = tools().into_iter().map(described).collect();
        let prompt = template
            .render(&TemplateInput {
                messages,
                tools: given,
                add_generation_prompt: true,
                enable_thinking: None,
            })
            .unwrap();
        let opening = learned.syntax.thought_opened_by(&prompt).unwrap_or_default().to_owned();
        let mut vocabulary =
            ReplyVocabulary::new(tools().into_iter().map(|(name, _)| name), Vec::<String>::new())
                .with_unknown_tools()
                .with_syntax(&learned.syntax);
        for (name, schema) in tools() {
            let properties = schema["properties"].as_object().unwrap();
            vocabulary = vocabulary.with_parameters(name, properties.keys().cloned());
        }
        Self { learned, vocabulary: Arc::new(vocabulary), opening, end: family.end() }
    }

    pub fn template(family: &Family) -> Template {
        let now = Arc::new(|| Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC));
        Template::new(family.template, "<s>", "</s>", now).unwrap()
    }

    /// Returns the parts of a reply that arrives in pieces of the given number of characters.
    pub fn read(&self, reply: &Reply, length: usize) -> Vec<ReplyPart> {
        let characters: Vec<char> = reply.text.chars().collect();
        let pieces = characters.chunks(length.min(characters.len()).max(1));
        self.read_pieces(reply, pieces.map(|piece| piece.iter().collect()))
    }

    pub fn read_cut_at(&self, reply: &Reply, at: usize) -> Vec<ReplyPart> {
        let (one, other) = reply.text.split_at(reply.text.floor_char_boundary(at));
        self.read_pieces(reply, [one.to_owned(), other.to_owned()].into_iter())
    }

    /// Returns the parts of a reply followed by its end-of-turn mark.
    pub fn read_with_end(&self, reply: &Reply) -> Vec<ReplyPart> {
        self.read_pieces(reply, [reply.text.clone(), self.end.to_owned()].into_iter())
    }

    /// Returns the parts of a reply that arrives in the given pieces.
    pub fn read_pieces(&self, reply: &Reply, pieces: impl Iterator<Item = String>) -> Vec<ReplyPart> {
        let mut parser = ReplyParser::new(Arc::clone(&self.vocabulary));
        assert_eq!(reply.is_opened, !self.opening.is_empty(), "{}: {:?}", reply.name, self.learned);
        let mut parts = parser.push(&self.opening);
        for piece in pieces {
            parts.extend(parser.push(&piece));
        }
        parts.extend(parser.finish());
        let mut joined: Vec<ReplyPart> = Vec::new();
        for part in parts {
            match (joined.last_mut(), part) {
                (Some(ReplyPart::Text(last)), ReplyPart::Text(text))
                | (Some(ReplyPart::Reasoning(last)), ReplyPart::Reasoning(text)) => last.push_str(&text),
                (_, part) => joined.push(part),
            }
        }
        joined
    }

    pub fn result(pieces: Vec<ReplyPart>) -> Expected {
        let mut result = Expected::default();
        for piece in pieces {
            match piece {
                ReplyPart::Text(text) => result.text += &text,
                ReplyPart::Reasoning(text) => result.reasoning += &text,
                ReplyPart::Flawed { text, why } => result.text.extend(["FLAWED ", &why, ": ", &text]),
                ReplyPart::Call(call) => {
                    let schema = tools().into_iter().find(|(name, _)| *name == call.name);
                    let schema = schema.map_or(Value::Null, |(_, schema)| schema);
                    result.calls.push((call.name, Value::Object(call.arguments.fit(&schema))));
                }
            }
        }
        result.text = result.text.trim().to_owned();
        result.reasoning = result.reasoning.trim().to_owned();
        result
    }
}

fn described((name, parameters): (&str, Value)) -> Value {
    json!({"type": "function", "function": {"name": name, "description": "Does it.", "parameters": parameters}})
}
