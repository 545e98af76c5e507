//! Collects the parts of a reply and trims the whitespace between them.

use crate::reply_part::ReplyPart;

/// Collects the parts of a reply.
#[derive(Debug)]
pub struct PartCollector {
    lead: Lead,
    parts: Vec<ReplyPart>,
}

/// Whitespace before the first word.
#[derive(Debug)]
enum Lead {
    /// Only this whitespace so far. Reasoning or a call drops it.
    Kept(String),
    /// Further whitespace is dropped.
    Dropped,
    /// There was a word.
    Over,
}

impl Default for PartCollector {
    fn default() -> Self {
        Self { lead: Lead::Kept(String::new()), parts: Vec::new() }
    }
}

impl PartCollector {
    /// Returns the parts since the last call.
    pub fn take(&mut self) -> Vec<ReplyPart> {
        std::mem::take(&mut self.parts)
    }

    /// Returns the last parts.
    pub fn finish(mut self) -> Vec<ReplyPart> {
        self.end_lead();
        self.parts
    }

    /// Adds text. Whitespace before the first word waits until it is known if a word or a call follows.
    pub fn add_text(&mut self, text: &str) {
        if matches!(self.lead, Lead::Over) {
            self.append(text);
            return;
        }
        let words = text.trim_start();
        if let Lead::Kept(space) = &mut self.lead {
            space.push_str(&text[..text.len() - words.len()]);
        }
        if !words.is_empty() {
            self.end_lead();
            self.append(words);
        }
    }

    /// Begins a thought and drops the whitespace before it.
    pub fn begin_thought(&mut self) {
        self.drop_lead();
    }

    pub fn add_thought(&mut self, thought: &str) {
        match self.parts.last_mut() {
            _ if thought.is_empty() => {}
            Some(ReplyPart::Reasoning(last)) => last.push_str(thought),
            _ => self.parts.push(ReplyPart::Reasoning(thought.to_owned())),
        }
    }

    /// Ends a thought and drops the whitespace after it.
    pub fn end_thought(&mut self) {
        self.lead = Lead::Dropped;
    }

    /// Returns true if there was a word since the beginning or since the last thought.
    pub fn has_text(&self) -> bool {
        matches!(self.lead, Lead::Over)
    }

    /// Returns true if only whitespace came since a thought.
    pub fn follows_thought(&self) -> bool {
        matches!(self.lead, Lead::Dropped)
    }

    /// Adds calls and the words that the model says with them, separated from earlier text by a space. Returns the last
    /// character of those words.
    pub fn add_calls(&mut self, parts: Vec<ReplyPart>, previous: Option<char>) -> Option<char> {
        self.drop_lead();
        let mut spoken = None;
        for part in parts {
            let ReplyPart::Text(words) = part else {
                self.parts.push(part);
                continue;
            };
            if spoken.or(previous).is_some_and(|before: char| !before.is_whitespace()) {
                self.add_text(" ");
            }
            self.add_text(&words);
            spoken = words.chars().next_back();
        }
        spoken
    }

    /// Adds a call that cannot be read, with the reason.
    pub fn add_flawed(&mut self, text: &str, why: String) {
        self.end_lead();
        self.parts.push(ReplyPart::Flawed { text: text.to_owned(), why });
    }

    /// Ends the leading whitespace because a word follows.
    fn end_lead(&mut self) {
        if let Lead::Kept(space) = std::mem::replace(&mut self.lead, Lead::Over) {
            self.append(&space);
        }
    }

    fn drop_lead(&mut self) {
        if matches!(self.lead, Lead::Kept(_)) {
            self.lead = Lead::Dropped;
        }
    }

    fn append(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(ReplyPart::Text(last)) => last.push_str(text),
            _ => self.parts.push(ReplyPart::Text(text.to_owned())),
        }
    }
}
