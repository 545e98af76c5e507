use serde::{Deserialize, Serialize};

/// How one model writes thoughts and calls, as far as its template tells.
///
/// Marks are literal texts without white space at their ends. Whatever is empty was not learned, and the marks that
/// every model's parser knows hold for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Syntax {
    pub thoughts: Vec<Thought>,
    /// What stands around the words of an answer, such as `<|START_RESPONSE|>`, and what ends a turn. Nobody reads it.
    pub frame: Vec<String>,
    pub calls: Option<CallSyntax>,
    /// The names of code fences that hold calls.
    pub fences: Vec<String>,
}

/// What stands around a thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// Empty where the prompt has opened it in a way that the model never writes.
    pub open: String,
    pub close: String,
}

/// How calls are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSyntax {
    /// The marks before a call, the outermost first. None, where a call begins with its own first word.
    pub open: Vec<String>,
    /// The marks behind a call, the innermost first.
    pub close: Vec<String>,
    pub form: CallForm,
}

/// What a call itself looks like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallForm {
    /// One JSON object holds the name under one key and the arguments under another.
    Object {
        name: String,
        arguments: String,
        /// The arguments are a JSON text in a string.
        is_text: bool,
        /// The objects stand in a list, also a single one.
        is_list: bool,
    },
    /// `{"NAME": {…}}`
    Keyed { is_list: bool },
    /// The name stands by itself.
    Named {
        /// Directly before the name, as in `functions.NAME`.
        prefix: String,
        /// Between the name and the arguments.
        infix: String,
        arguments: ArgumentForm,
    },
}

/// How the arguments of a call that begins with its name are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArgumentForm {
    /// One JSON object.
    Json,
    /// `NAME(city="Lyon", days=3)`
    Python,
    /// `NAME{city:QUOTElyonQUOTE,days:3}`
    Braces { quote: String },
    /// A key between two marks and a value between two others.
    Pairs(Pairs),
    /// `<parameter=city>Lyon</parameter>`, with what stands before the tool's name and before the key.
    Tags { function: String, parameter: String, close: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    pub key_open: String,
    pub key_close: String,
    pub value_open: String,
    pub value_close: String,
}

impl Syntax {
    /// With what is known of the model of this name, where no template told it.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        if self.fences.is_empty() {
            self.fences = crate::learn::fences_of_name(name, self.calls.is_some());
        }
        self
    }

    /// The opening of a thought that a prompt ends with: the first words of the reply stand within one.
    pub fn opened_by(&self, prompt: &str) -> Option<&str> {
        let prompt = prompt.trim_end();
        let learned = self.thoughts.iter().map(|thought| thought.open.as_str());
        let known = crate::known::THOUGHTS.iter().map(|(open, _)| *open);
        learned.chain(known).find(|open| !open.is_empty() && prompt.ends_with(open))
    }

    /// The marks of thoughts, which are there whatever is asked.
    pub fn thought_marks(&self) -> impl Iterator<Item = &str> {
        let learned =
            self.thoughts.iter().flat_map(|thought| [thought.open.as_str(), thought.close.as_str()]);
        learned.chain(crate::known::thought_marks().map(|mark| mark as &str))
    }

    /// Every mark that a reader of replies has to see, control tokens among them.
    pub fn marks(&self) -> impl Iterator<Item = &str> {
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
        let learned = calls.chain(thoughts).chain(&self.frame).map(String::as_str);
        learned.chain(crate::known::marks().map(|mark| mark as &str))
    }
}
