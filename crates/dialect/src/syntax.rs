//! The syntax that one model uses in its replies.

use serde::{Deserialize, Serialize};

/// The syntax of thoughts and calls of one model, as learned from its template.
///
/// Markers are literal texts without whitespace at their ends. An empty field was not learned; the markers known for
/// all models apply instead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReplySyntax {
    pub thoughts: Vec<ThoughtMarkers>,
    /// Markers around the text of an answer, such as `<|START_RESPONSE|>`, and those that end a turn. They are not
    /// shown.
    #[serde(rename = "frame")]
    pub turn_markers: Vec<String>,
    pub calls: Option<CallSyntax>,
    /// The names of code fences that contain calls.
    pub fences: Vec<String>,
}

/// The markers around a thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThoughtMarkers {
    /// The opening marker. Empty if the prompt opens the thought in a way that the model never writes.
    pub open: String,
    pub close: String,
}

/// The syntax of calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSyntax {
    /// The markers before a call, the outermost first. Empty if a call begins with its own first word.
    pub open: Vec<String>,
    /// The markers after a call, the innermost first.
    pub close: Vec<String>,
    pub form: CallForm,
}

/// The form of a call without its markers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallForm {
    /// One JSON object with the name under one key and the arguments under another.
    Object {
        name: String,
        arguments: String,
        /// True if the arguments are JSON text in a string.
        is_text: bool,
        /// True if the objects are in a list, even a single one.
        is_list: bool,
    },
    /// An object with the name as its key: `{"NAME": {…}}`.
    Keyed { is_list: bool },
    /// The name on its own, followed by the arguments.
    Named {
        /// The text directly before the name, as in `functions.NAME`.
        prefix: String,
        /// The text between the name and the arguments.
        infix: String,
        arguments: ArgumentForm,
    },
}

/// The form of the arguments of a call that begins with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentForm {
    /// One JSON object.
    Json,
    /// Python syntax: `NAME(city="Lyon", days=3)`.
    Python,
    /// Unquoted keys in braces: `NAME{city:QUOTElyonQUOTE,days:3}`.
    Braces { quote: String },
    /// A key between two markers and a value between two others.
    Pairs(KeyValueMarkers),
    /// `<parameter=city>Lyon</parameter>`, with the tags of the tool name and of the key.
    Tags { function: String, parameter: String, close: String },
}

/// The markers around keys and values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyValueMarkers {
    pub key_open: String,
    pub key_close: String,
    pub value_open: String,
    pub value_close: String,
}

impl ReplySyntax {
    /// Adds knowledge about the model with this name that its template does not contain.
    #[must_use]
    pub fn for_model(mut self, name: &str) -> Self {
        if self.fences.is_empty() {
            self.fences = crate::known_fences::of_name(name, self.calls.is_some());
        }
        self
    }

    /// Returns the opening marker of a thought at the end of a prompt. The reply then begins within that thought.
    pub fn thought_opened_by(&self, prompt: &str) -> Option<&str> {
        let prompt = prompt.trim_end();
        let learned = self.thoughts.iter().map(|thought| thought.open.as_str());
        let known = crate::known_markers::THOUGHTS.iter().map(|(open, _)| *open);
        learned.chain(known).find(|open| !open.is_empty() && prompt.ends_with(open))
    }

    /// Returns the markers of thoughts, which may occur in every reply.
    pub fn thought_markers(&self) -> impl Iterator<Item = &str> {
        let learned =
            self.thoughts.iter().flat_map(|thought| [thought.open.as_str(), thought.close.as_str()]);
        learned.chain(crate::known_markers::thought_markers().map(|marker| marker as &str))
    }

    /// Returns every marker that a parser of replies must see, including control tokens.
    pub fn markers(&self) -> impl Iterator<Item = &str> {
        let calls = self.calls.iter().flat_map(|calls| {
            let inner = match &calls.form {
                CallForm::Named { prefix, infix, arguments } => {
                    let more: Vec<&String> = match arguments {
                        ArgumentForm::Pairs(pairs) => {
                            vec![&pairs.key_open, &pairs.key_close, &pairs.value_open, &pairs.value_close]
                        }
                        ArgumentForm::Tags { function, parameter, close } => vec![function, parameter, close],
                        ArgumentForm::Braces { quote } => vec![quote],
                        ArgumentForm::Json | ArgumentForm::Python => Vec::new(),
                    };
                    [vec![prefix, infix], more].concat()
                }
                CallForm::Object { .. } | CallForm::Keyed { .. } => Vec::new(),
            };
            calls.open.iter().chain(&calls.close).chain(inner)
        });
        let thoughts = self.thoughts.iter().flat_map(|thought| [&thought.open, &thought.close]);
        let learned = calls.chain(thoughts).chain(&self.turn_markers).map(String::as_str);
        learned.chain(crate::known_markers::markers().map(|marker| marker as &str))
    }
}
