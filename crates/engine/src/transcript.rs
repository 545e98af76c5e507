use llama_cpp_2::token::LlamaToken;

/// The contents of a sequence: its tokens, and the text of each.
///
/// A reply is kept as exactly the tokens that were sampled. Tokenizing its text again may yield different ones, which
/// would make the evaluated state useless from there on; so a prompt is compared as text, and only the part after the
/// common beginning is tokenized.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    tokens: Vec<LlamaToken>,
    text: Vec<u8>,
    /// The end of each token's text.
    ends: Vec<usize>,
}

/// The common beginning of a new prompt and a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// The number of tokens that can be kept.
    pub tokens: usize,
    /// The number of bytes of the prompt that they cover.
    pub bytes: usize,
}

impl Transcript {
    pub fn push(&mut self, token: LlamaToken, piece: &[u8]) {
        self.tokens.push(token);
        self.text.extend_from_slice(piece);
        self.ends.push(self.text.len());
    }

    pub fn truncate(&mut self, tokens: usize) {
        self.tokens.truncate(tokens);
        self.ends.truncate(tokens);
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn tokens(&self) -> &[LlamaToken] {
        &self.tokens
    }

    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the overlap of a prompt with this transcript. If the two diverge within a text, the cut is moved back to
    /// the last control token (`is_control`), so that it lies between messages and not within a word.
    pub fn overlap(&self, prompt: &[u8], is_control: impl Fn(LlamaToken) -> bool) -> Overlap {
        let common = self.text.iter().zip(prompt).take_while(|(ours, theirs)| ours == theirs).count();
        let mut tokens = self.ends.partition_point(|&end| end <= common);
        let diverges = common < self.text.len();
        if diverges {
            while tokens > 0 && !is_control(self.tokens[tokens - 1]) {
                tokens -= 1;
            }
        }
        Overlap { tokens, bytes: if tokens == 0 { 0 } else { self.ends[tokens - 1] } }
    }

    /// Returns the tokens from this index on, as a separate transcript.
    pub fn after(&self, tokens: usize) -> Self {
        let start = if tokens == 0 { 0 } else { self.ends[tokens - 1] };
        Self {
            tokens: self.tokens[tokens..].to_vec(),
            text: self.text[start..].to_vec(),
            ends: self.ends[tokens..].iter().map(|end| end - start).collect(),
        }
    }

    pub fn append(&mut self, other: &Self) {
        let start = self.text.len();
        self.tokens.extend_from_slice(&other.tokens);
        self.text.extend_from_slice(&other.text);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }

    /// Returns the number of tokens that make up exactly this many bytes of text.
    pub fn tokens_of(&self, bytes: usize) -> Option<usize> {
        self.ends.iter().rposition(|&end| end == bytes).map(|last| last + 1)
    }

    /// Returns the number of leading tokens that two sequences share.
    pub fn shared_tokens(&self, other: &[LlamaToken]) -> usize {
        self.tokens.iter().zip(other).take_while(|(a, b)| a == b).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: LlamaToken = LlamaToken(0);

    fn transcript(pieces: &[&str]) -> Transcript {
        let mut transcript = Transcript::default();
        for (i, piece) in pieces.iter().enumerate() {
            let id = if *piece == "<|>" { 0 } else { i32::try_from(i).unwrap() + 1 };
            transcript.push(LlamaToken(id), piece.as_bytes());
        }
        transcript
    }

    #[test]
    fn two_parts_make_the_whole_again() {
        let whole = transcript(&["<|>", "a", "bc", "", "d"]);
        for place in 0..=whole.len() {
            let mut first = whole.clone();
            first.truncate(place);
            first.append(&whole.after(place));
            assert_eq!(
                (first.tokens(), first.text(), &first.ends),
                (whole.tokens(), whole.text(), &whole.ends)
            );
        }
    }

    #[test]
    fn overlap_keeps_what_the_prompt_repeats() {
        let pieces = ["<|>", "user", " Hel", "lo", "<|>", "bot", " Hi", " the", "re"];
        let cases = [
            // (prompt, kept tokens, reason)
            (
                "<|>user Hello<|>bot Hi there<|>user",
                9,
                "an extension keeps everything, sampled tokens included",
            ),
            ("<|>user Hello<|>bot Hi there", 9, "the same again"),
            ("<|>user Hello<|>bot Hi you", 5, "a changed reply is cut at the control token before it"),
            ("<|>user Help", 1, "a changed question likewise"),
            ("<|>user Hello", 5 - 4, "a prompt that ends inside is cut back to the last control token"),
            ("something else", 0, "nothing in common"),
            ("", 0, "no prompt"),
        ];
        for (prompt, tokens, why) in cases {
            let overlap = transcript(&pieces).overlap(prompt.as_bytes(), |token| token == CONTROL);
            assert_eq!(overlap.tokens, tokens, "{why}");
            let bytes: usize = pieces[..tokens].iter().map(|piece| piece.len()).sum();
            assert_eq!(overlap.bytes, bytes, "{why}");
        }
    }

    #[test]
    fn truncating_drops_the_text_too() {
        let mut transcript = transcript(&["<|>", "a", "b"]);
        transcript.truncate(1);
        assert_eq!(transcript.text(), b"<|>");
        transcript.truncate(0);
        assert_eq!((transcript.text(), transcript.len()), (&b""[..], 0));
    }
}
