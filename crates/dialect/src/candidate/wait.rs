//! What has been read as a call may still be spoken of: what follows it tells.

/// What a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// It is meant if nothing else stands on its line.
    LineEnd,
    /// The same, but another element may follow.
    LineEndOrElement,
    /// It is meant unless this quote closes right behind it.
    Quote(char),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Wait,
    Meant,
    SpokenOf,
}

impl Wait {
    /// For a quote that stands right before a call.
    pub fn for_quote(opening: char) -> Option<Self> {
        let closing = match opening {
            '"' | '\'' => opening,
            '“' => '”',
            '‘' => '’',
            '«' => '»',
            '»' => '«',
            '„' => '“',
            '‚' => '‘',
            '「' => '」',
            _ => return None,
        };
        Some(Self::Quote(closing))
    }

    pub fn answer(self, next: char) -> Answer {
        match (self, next) {
            (Self::Quote(closing), _) if next == closing => Answer::SpokenOf,
            (Self::Quote(_), _) | (_, '\n') | (Self::LineEndOrElement, '<') => Answer::Meant,
            (_, ' ' | '\t' | '\r') => Answer::Wait,
            _ => Answer::SpokenOf,
        }
    }
}
