use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// llama.cpp has two ways to look back at what is known. The one for fewer tokens than this at once takes several
/// times longer for each of them.
const TILE: usize = 64;
/// Looking back is what costs from here on.
const DEEP: usize = 2048;
/// Fewer tokens than this are done sooner than a whole tile.
const NEARLY_A_TILE: usize = 36;

/// How a sequence comes to hold a prompt: what stays of it, and what is evaluated after that.
pub struct Plan {
    /// Tokens that stay.
    pub keep: usize,
    pub pending: Transcript,
}

impl Plan {
    /// Everything from the beginning.
    pub fn afresh(prompt: &str, vocabulary: Vocabulary<'_>) -> Self {
        Self { keep: 0, pending: vocabulary.prompt(prompt) }
    }

    /// The least to evaluate after what a sequence holds.
    pub fn after(held: &Transcript, prompt: &str, vocabulary: Vocabulary<'_>) -> Self {
        let overlap = held.overlap(prompt.as_bytes(), |token| vocabulary.is_control(token));
        let mut plan = if overlap.tokens == 0 {
            // Tokens may agree where texts do not: some vocabularies spell a token by its surroundings.
            let whole = vocabulary.prompt(prompt);
            let keep = held.shared_tokens(whole.tokens());
            Self { keep, pending: whole.after(keep) }
        } else {
            let mut pending = Transcript::default();
            vocabulary.continuation(&prompt.as_bytes()[overlap.bytes..], &mut pending);
            Self { keep: overlap.tokens, pending }
        };
        if plan.pending.len() == 0 {
            // The prompt's last token is evaluated in any case: its outcome is what the answer begins with.
            plan.step_back(1, held);
        }
        plan
    }

    /// Evaluates known tokens again where that is quicker than to evaluate fewer.
    pub fn fill_a_tile(&mut self, held: &Transcript) {
        self.step_back(short_of_a_tile(self.keep, self.pending.len()), held);
    }

    /// Evaluates the last tokens that would stay once more. What the sequence holds after them (an earlier answer
    /// to the same prompt, say) is no part of it.
    fn step_back(&mut self, tokens: usize, held: &Transcript) {
        let tokens = tokens.min(self.keep);
        self.keep -= tokens;
        let mut pending = held.after(self.keep);
        pending.truncate(tokens);
        pending.append(&self.pending);
        self.pending = pending;
    }

    /// Tokens of the whole prompt.
    pub fn tokens(&self) -> usize {
        self.keep + self.pending.len()
    }
}

fn short_of_a_tile(known: usize, new: usize) -> usize {
    if known >= DEEP && (NEARLY_A_TILE..TILE).contains(&new) { TILE - new } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_in_a_conversation_a_batch_is_filled_up() {
        for (known, new, back) in [
            (3000, 53, 11),
            (3000, 36, 28),
            (3000, 35, 0),
            (3000, 64, 0),
            (3000, 500, 0),
            (2047, 53, 0),
            (0, 53, 0),
        ] {
            assert_eq!(short_of_a_tile(known, new), back, "{new} after {known}");
        }
    }
}
