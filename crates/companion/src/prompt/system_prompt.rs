use jiff::Zoned;
use model::{ModelMessage, ModelRole};
use protocol::{Fragment, FragmentKind};

use super::text::{MESSAGE_OVERHEAD, TokenCounter, fit};
use super::tool_format::ToolFormat;
use crate::soul::SoulFile;

const DATE_LINE: &str = "\n\nToday is ";

/// The fixed beginning of a prompt: soul, tools, skills, date and tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemPrompt {
    pub text: String,
    pub fragments: Vec<Fragment>,
    pub format: ToolFormat,
    /// Example questions and answers before every conversation, from which a very small model takes its manner.
    pub examples: Vec<(String, String)>,
}

/// The parts beside the soul: tools, skills, and, after the date, the tone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrefixParts {
    pub tools: Option<String>,
    pub skills: Option<String>,
    /// The current personality in words.
    pub tone: Option<String>,
    pub format: ToolFormat,
}

impl SystemPrompt {
    /// Composes the soul files in order, cut at the budget, the abilities, the date without the time, and the tone.
    pub fn compose(
        files: &[SoulFile],
        parts: &PrefixParts,
        now: &Zoned,
        budget: u32,
        count: TokenCounter<'_>,
    ) -> Self {
        let date = format!("{}{}.", DATE_LINE.trim_start(), now.strftime("%A, %-d %B %Y"));
        let date_tokens = count(&date);
        let further = [(FragmentKind::Tools, &parts.tools), (FragmentKind::Skills, &parts.skills)];
        let further: Vec<Fragment> = further
            .into_iter()
            .filter_map(|(kind, text)| {
                let text = text.clone()?;
                let source = if kind == FragmentKind::Tools { "tools" } else { "skills" };
                Some(Fragment { kind, source: source.into(), tokens: count(&text), text })
            })
            .collect();
        let tone = parts.tone.as_ref().map(|text| Fragment {
            kind: FragmentKind::Tone,
            source: "personality".into(),
            tokens: count(text),
            text: text.clone(),
        });
        let taken = date_tokens
            + tone.as_ref().map_or(0, |tone| tone.tokens)
            + further.iter().map(|fragment| fragment.tokens).sum::<u32>();
        let mut left = budget.saturating_sub(taken);
        let mut fragments = Vec::new();
        for file in files {
            let text = fit(&file.text, left, count);
            if text.is_empty() {
                break;
            }
            let tokens = count(&text);
            left = left.saturating_sub(tokens);
            fragments.push(Fragment { kind: FragmentKind::Soul, source: file.source.clone(), text, tokens });
        }
        fragments.extend(further);
        fragments.push(Fragment {
            kind: FragmentKind::Date,
            source: "date".into(),
            text: date,
            tokens: date_tokens,
        });
        fragments.extend(tone);
        let texts: Vec<&str> = fragments.iter().map(|fragment| fragment.text.as_str()).collect();
        Self { text: texts.join("\n\n"), fragments, format: parts.format, examples: Vec::new() }
    }

    /// Composes the short text about Luna and the examples, without other parts.
    pub fn tiny(
        files: &[SoulFile],
        examples: Vec<(String, String)>,
        budget: u32,
        count: TokenCounter<'_>,
    ) -> Self {
        let text = files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>().join("\n\n");
        let text = fit(&text, budget, count);
        let soul = Fragment {
            kind: FragmentKind::Soul,
            source: "soul".into(),
            tokens: count(&text),
            text: text.clone(),
        };
        let told =
            examples.iter().map(|(asked, answered)| format!("{asked}\n{answered}")).collect::<Vec<_>>();
        let told = told.join("\n");
        let tokens = count(&told) + MESSAGE_OVERHEAD * 2 * u32::try_from(examples.len()).unwrap_or(0);
        let shown = Fragment { kind: FragmentKind::Soul, source: "examples".into(), tokens, text: told };
        Self { text, fragments: vec![soul, shown], format: ToolFormat::Text, examples }
    }

    /// Returns the messages at the beginning of every conversation.
    pub fn messages(&self) -> Vec<ModelMessage> {
        let examples = self.examples.iter().flat_map(|(asked, answered)| {
            [
                ModelMessage::text(ModelRole::User, asked.as_str()),
                ModelMessage::text(ModelRole::Assistant, answered.as_str()),
            ]
        });
        std::iter::once(ModelMessage::text(ModelRole::System, self.text.as_str())).chain(examples).collect()
    }

    /// Restores a beginning that was fixed earlier. It is divided into the current parts if the text before the date is
    /// the same.
    pub fn fixed(text: String, today: &Self, count: TokenCounter<'_>) -> Self {
        if text == today.text {
            return today.clone();
        }
        let soul = text.rsplit_once(DATE_LINE).map_or(text.as_str(), |(soul, _)| soul);
        let rest = text[soul.len()..].trim_start();
        let (date, tone) = rest.split_once("\n\n").unwrap_or((rest, ""));
        let (date, tone) = (date.to_owned(), tone.to_owned());
        let mut fragments: Vec<Fragment> = Vec::new();
        if soul == today.soul() {
            let kept = today
                .fragments
                .iter()
                .filter(|fragment| !matches!(fragment.kind, FragmentKind::Date | FragmentKind::Tone));
            fragments.extend(kept.cloned());
        } else {
            let (text, tokens) = (soul.to_owned(), count(soul));
            fragments.push(Fragment { kind: FragmentKind::Soul, source: "soul".into(), text, tokens });
        }
        let tokens = count(&date);
        fragments.push(Fragment { kind: FragmentKind::Date, source: "date".into(), text: date, tokens });
        if !tone.is_empty() {
            let tokens = count(&tone);
            let source = "personality".into();
            fragments.push(Fragment { kind: FragmentKind::Tone, source, text: tone, tokens });
        }
        Self { text, fragments, format: today.format, examples: today.examples.clone() }
    }

    /// Returns the text without the date and the tone. A change of this part begins a new epoch.
    pub fn soul(&self) -> &str {
        soul_of(&self.text)
    }

    pub fn has_soul_of(&self, text: &str) -> bool {
        soul_of(text) == self.soul()
    }
}

fn soul_of(text: &str) -> &str {
    text.rsplit_once(DATE_LINE).map_or(text, |(soul, _)| soul)
}
