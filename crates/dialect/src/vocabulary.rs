use std::collections::BTreeSet;

use crate::candidate::FIRST_KEYS;
use crate::openings::{Opening, Openings};

/// The names that count. Everything else is text.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    tools: BTreeSet<String>,
    openings: Openings,
    /// The names of fences that hold calls.
    fences: Vec<&'static str>,
    /// A call of a tool that nobody knows is a call all the same.
    minds_strangers: bool,
}

impl Default for Vocabulary {
    /// No tools and no tags: text and reasoning alone.
    fn default() -> Self {
        Self::new(Vec::<String>::new(), Vec::<String>::new())
    }
}

impl Vocabulary {
    pub fn new<T: Into<String>, G: Into<String>>(
        tools: impl IntoIterator<Item = T>,
        tags: impl IntoIterator<Item = G>,
    ) -> Self {
        let tools = tools.into_iter().map(Into::into).filter(|name: &String| is_name(name)).collect();
        let tags = tags.into_iter().map(Into::into).filter(|name: &String| is_name(name));
        let mut openings = Openings::default();
        openings.add(&["<think>"], &Opening::Think);
        for name in tags {
            openings.add(&[&format!("[{name}:")], &Opening::Tag(name.into()));
        }
        add_tools(&tools, &mut openings);
        Self { tools, openings, fences: Vec::new(), minds_strangers: false }
    }

    /// For models that write their calls into fences of these names, such as `tool_code`.
    #[must_use]
    pub fn with_fences(mut self, names: &[&'static str]) -> Self {
        if !self.tools.is_empty() {
            self.openings.add(&["```"], &Opening::Fence);
            self.fences = names.to_vec();
        }
        self
    }

    /// For whoever can answer that there is no such tool: what stands in `<tool_call>` and names an unknown one is a call,
    /// and no text to be shown. Nothing else is, since a name alone makes no call of prose.
    #[must_use]
    pub fn with_strangers(self) -> Self {
        Self { minds_strangers: true, ..self }
    }

    pub(crate) fn minds_strangers(&self) -> bool {
        self.minds_strangers
    }

    pub(crate) fn fences(&self) -> &[&'static str] {
        &self.fences
    }

    pub(crate) fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Whether a text is the beginning of a tool's name, or all of it. Names lead as far as their opening bracket
    /// among the openings; what begins with a bracket there is something else.
    pub(crate) fn begins_tool(&self, text: &str) -> bool {
        let walked = self.openings.walk(Openings::ROOT, text);
        walked.is_some_and(|(_, length)| length == text.len()) && !text.starts_with(['<', '[', '{', '`'])
    }

    pub(crate) fn has_tool(&self, name: &str) -> bool {
        self.tools.contains(name)
    }
}

/// A name has no white space: a line's indent begins none.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}

fn add_tools(tools: &BTreeSet<String>, openings: &mut Openings) {
    if tools.is_empty() {
        return;
    }
    openings.add(&["[TOOL_CALL:"], &Opening::ToolCall);
    openings.add(&["[TOOL_CALLS]"], &Opening::Mistral);
    openings.add(&["<tool_call>"], &Opening::Element("</tool_call>"));
    openings.add(&["<function_calls>"], &Opening::Element("</function_calls>"));
    openings.add(&["<|python_tag|>"], &Opening::PythonTag);
    for (key, kind) in FIRST_KEYS {
        for key in [format!("\"{key}\""), format!("'{key}'")] {
            openings.add(&["{", &key], &Opening::Object(kind));
            openings.add(&["[", "{", &key], &Opening::Object(kind));
        }
    }
    for name in tools {
        openings.add(&[&format!("{name}(")], &Opening::Function(name.as_str().into()));
        for (tag, closing) in [
            (format!("<function={name}>"), "</function>"),
            (format!("<function=\"{name}\">"), "</function>"),
            (format!("<function name=\"{name}\">"), "</function>"),
            (format!("<invoke name=\"{name}\">"), "</invoke>"),
            (format!("<invoke name='{name}'>"), "</invoke>"),
        ] {
            openings.add(&[&tag], &Opening::Xml(name.as_str().into(), closing));
        }
    }
}
