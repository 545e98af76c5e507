use crate::transcript::Transcript;
use crate::vocabulary::Vocabulary;

/// llama.cpp has two implementations of attention over the known tokens. The one for batches smaller than this takes
/// several times longer per token.
const TILE: usize = 64;
/// The number of known tokens from which on attention dominates the cost.
const DEEP: usize = 2048;
/// Batches smaller than this are faster than a whole tile.
const LEAST_WORTH_FILLING: usize = 36;

/// The way to get a prompt into a sequence: the tokens to keep, and those to evaluate after them.
pub struct EvaluationPlan {
    /// The number of tokens to keep.
    pub keep: usize,
    pub pending: Transcript,
}

impl EvaluationPlan {
    /// Plans to evaluate everything from the beginning.
    pub fn afresh(prompt: &str, vocabulary: Vocabulary<'_>) -> Self {
        Self { keep: 0, pending: vocabulary.prompt(prompt) }
    }

    /// Plans the least evaluation, given the contents of a sequence.
    pub fn after(held: &Transcript, prompt: &str, vocabulary: Vocabulary<'_>) -> Self {
        let overlap = held.overlap(prompt.as_bytes(), |token| vocabulary.is_control(token));
        let mut plan = if overlap.tokens == 0 {
            // Tokens may match although the texts differ: some vocabularies spell a token depending on its neighbours.
            let whole = vocabulary.prompt(prompt);
            let keep = held.shared_tokens(whole.tokens());
            Self { keep, pending: whole.after(keep) }
        } else {
            let mut pending = Transcript::default();
            vocabulary.continuation(&prompt.as_bytes()[overlap.bytes..], &mut pending);
            Self { keep: overlap.tokens, pending }
        };
        if plan.pending.len() == 0 {
            // The prompt's last token is always evaluated, because its output yields the first token of the response.
            plan.step_back(1, held);
        }
        plan
    }

    /// Evaluates some known tokens again if the larger batch is faster.
    pub fn fill_a_tile(&mut self, held: &Transcript) {
        self.step_back(missing_for_tile(self.keep, self.pending.len()), held);
    }

    /// Moves the last kept tokens to the pending ones. Anything that the sequence holds after them (such as an earlier
    /// response to the same prompt) is ignored.
    fn step_back(&mut self, tokens: usize, held: &Transcript) {
        let tokens = tokens.min(self.keep);
        self.keep -= tokens;
        let mut pending = held.after(self.keep);
        pending.truncate(tokens);
        pending.append(&self.pending);
        self.pending = pending;
    }

    /// Returns the number of tokens of the whole prompt.
    pub fn tokens(&self) -> usize {
        self.keep + self.pending.len()
    }
}

fn missing_for_tile(known: usize, new: usize) -> usize {
    if known >= DEEP && (LEAST_WORTH_FILLING..TILE).contains(&new) { TILE - new } else { 0 }
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
            assert_eq!(missing_for_tile(known, new), back, "{new} after {known}");
        }
    }
}
