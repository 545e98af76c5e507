use crate::call::Piece;

/// Collects the parts of a reply.
#[derive(Debug)]
pub struct Output {
    lead: LeadingSpace,
    pieces: Vec<Piece>,
}

/// Whitespace before the first word.
#[derive(Debug)]
enum LeadingSpace {
    /// Only this whitespace so far. Reasoning or a call drops it.
    Kept(String),
    /// Further whitespace is dropped.
    Dropped,
    /// There was a word.
    Over,
}

impl Default for Output {
    fn default() -> Self {
        Self { lead: LeadingSpace::Kept(String::new()), pieces: Vec::new() }
    }
}

impl Output {
    /// Returns the parts since the last call.
    pub fn take(&mut self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces)
    }

    /// Returns the last parts.
    pub fn finish(mut self) -> Vec<Piece> {
        self.end_lead();
        self.pieces
    }

    pub fn say(&mut self, text: &str) {
        if matches!(self.lead, LeadingSpace::Over) {
            self.append(text);
            return;
        }
        let words = text.trim_start();
        if let LeadingSpace::Kept(space) = &mut self.lead {
            space.push_str(&text[..text.len() - words.len()]);
        }
        if !words.is_empty() {
            self.end_lead();
            self.append(words);
        }
    }

    pub fn begin_thought(&mut self) {
        self.drop_lead();
    }

    pub fn think(&mut self, thought: &str) {
        match self.pieces.last_mut() {
            _ if thought.is_empty() => {}
            Some(Piece::Reasoning(last)) => last.push_str(thought),
            _ => self.pieces.push(Piece::Reasoning(thought.to_owned())),
        }
    }

    /// Ends a thought and drops the whitespace after it.
    pub fn end_thought(&mut self) {
        self.lead = LeadingSpace::Dropped;
    }

    /// Returns true if there was a word since the beginning or since the last thought.
    pub fn has_said(&self) -> bool {
        matches!(self.lead, LeadingSpace::Over)
    }

    /// Returns true if only whitespace came since a thought.
    pub fn is_behind_thought(&self) -> bool {
        matches!(self.lead, LeadingSpace::Dropped)
    }

    /// Adds calls and the words spoken with them, separated from earlier text by a space. Returns the last character of
    /// those words.
    pub fn act(&mut self, pieces: Vec<Piece>, previous: Option<char>) -> Option<char> {
        self.drop_lead();
        let mut spoken = None;
        for piece in pieces {
            let Piece::Text(words) = piece else {
                self.pieces.push(piece);
                continue;
            };
            if spoken.or(previous).is_some_and(|before: char| !before.is_whitespace()) {
                self.say(" ");
            }
            self.say(&words);
            spoken = words.chars().next_back();
        }
        spoken
    }

    pub fn explain(&mut self, text: &str, why: String) {
        self.end_lead();
        self.pieces.push(Piece::Flawed { text: text.to_owned(), why });
    }

    /// Ends the leading whitespace because a word follows.
    fn end_lead(&mut self) {
        if let LeadingSpace::Kept(space) = std::mem::replace(&mut self.lead, LeadingSpace::Over) {
            self.append(&space);
        }
    }

    fn drop_lead(&mut self) {
        if matches!(self.lead, LeadingSpace::Kept(_)) {
            self.lead = LeadingSpace::Dropped;
        }
    }

    fn append(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }
}
