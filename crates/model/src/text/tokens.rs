use std::sync::atomic::{AtomicU32, Ordering};

use crate::{ContentPart, MessageContent, ModelMessage, ModelRequest, TokenCount};

/// Tokens added to every message for its role and markers.
const PER_MESSAGE: f32 = 4.0;
/// Tokens of an image in common vision models, at their default size.
const PER_IMAGE: f32 = 1000.0;
/// The minimum weight to learn from. Below it, a report says more about the template than about the text.
const WORTH_LEARNING: f32 = 64.0;
/// The minimum plausible ratio. A report below it counts only the uncached tokens.
const PLAUSIBLE: f32 = 0.4;
const LOWEST: f32 = 0.75;
const HIGHEST: f32 = 3.0;

/// Estimates the number of tokens of a text when no tokenizer is available, rather too high than too low.
///
/// Each response that reports the true length of its prompt corrects the estimate: at once if it was too low, gradually
/// if it was too high.
#[derive(Debug)]
pub struct TokenEstimator {
    /// The bits of an `f32`: tokens per unit of [`weight`] with this model.
    factor: AtomicU32,
}

impl Default for TokenEstimator {
    fn default() -> Self {
        Self { factor: AtomicU32::new(1.0_f32.to_bits()) }
    }
}

impl TokenEstimator {
    pub fn count(&self, text: &str) -> TokenCount {
        TokenCount { tokens: self.tokens(weight(text)), exact: false }
    }

    /// Estimates the tokens of a whole prompt.
    pub fn count_request(&self, request: &ModelRequest) -> u32 {
        self.tokens(request_weight(request))
    }

    /// Learns from the true length of a prompt, as reported by the server.
    pub fn learn(&self, request_weight: f32, reported: u32) {
        let seen = as_f32(reported) / request_weight;
        if request_weight < WORTH_LEARNING || seen < PLAUSIBLE {
            return;
        }
        let factor = self.factor();
        let better = if seen > factor { seen } else { factor + (seen - factor) * 0.2 };
        self.factor.store(better.clamp(LOWEST, HIGHEST).to_bits(), Ordering::Relaxed);
    }

    fn factor(&self) -> f32 {
        f32::from_bits(self.factor.load(Ordering::Relaxed))
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and a cast saturates"
    )]
    pub(crate) fn tokens(&self, weight: f32) -> u32 {
        (weight * self.factor()).ceil() as u32
    }
}

#[allow(clippy::cast_precision_loss, reason = "an estimate")]
fn as_f32(count: u32) -> f32 {
    count as f32
}

/// Returns an upper estimate of a text's tokens, from how finely common tokenizers split each script.
pub(crate) fn weight(text: &str) -> f32 {
    text.chars().map(character_weight).sum()
}

fn character_weight(character: char) -> f32 {
    match character {
        ' ' => 0.1,
        'a'..='z' | 'A'..='Z' => 0.3,
        '0'..='9' => 0.8,
        '\0'..='\u{7f}' => 0.85,
        // Accented Latin, Greek, Cyrillic.
        '\u{80}'..='\u{52f}' => 0.65,
        // Armenian to Georgian, with Hebrew, Arabic, the Indic scripts and Thai in between.
        '\u{530}'..='\u{10ff}' => 1.3,
        '\u{1100}'..='\u{2fff}' => 1.2,
        // Chinese, Japanese, Korean.
        '\u{3000}'..='\u{d7ff}' | '\u{f900}'..='\u{ffff}' => 1.4,
        // Private use, emoji, rare scripts: up to one token per byte.
        _ => 3.0,
    }
}

pub(crate) fn request_weight(request: &ModelRequest) -> f32 {
    let messages: f32 = request.messages.iter().map(message_weight).sum();
    let tools: f32 = request
        .tools
        .iter()
        .map(|tool| {
            weight(&tool.name)
                + weight(&tool.description)
                + weight(&tool.parameters.to_string())
                + PER_MESSAGE
        })
        .sum();
    messages + tools
}

fn message_weight(message: &ModelMessage) -> f32 {
    let content: f32 = match &message.content {
        MessageContent::Text(text) => weight(text),
        MessageContent::Parts(parts) => parts
            .iter()
            .map(|part| match part {
                ContentPart::Text(text) => weight(text),
                ContentPart::Image { .. } => PER_IMAGE,
            })
            .sum(),
    };
    let calls: f32 = message.tool_calls.iter().map(|call| weight(&call.name) + weight(&call.arguments)).sum();
    content + calls + PER_MESSAGE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelRole;

    #[test]
    fn the_guess_is_above_the_truth_and_not_absurd() {
        // The larger of the counts by the tokenizers of Llama 3 and GPT-4.
        let cases = [
            ("The quick brown fox jumps over the lazy dog.", 10),
            ("fn main() { let x = 42; println!(\"{x}\"); }", 16),
            ("{\"a\": [1, 2, {\"b\": null}]}", 15),
            ("Der Mond ist aufgegangen, die goldnen Sternlein prangen.", 16),
            ("你好，世界。今天天气很好。", 16),
            ("안녕하세요, 오늘 날씨가 좋네요.", 21),
            ("Привет, как твои дела сегодня?", 16),
            ("नमस्ते, आप कैसे हैं?", 20),
            ("مرحبا كيف حالك اليوم", 15),
            ("🌙🌟 good night 👩‍👩‍👧", 20),
            ("2026-01-31T23:59:59", 12),
        ];
        for (text, truth) in cases {
            let guess = TokenEstimator::default().count(text).tokens;
            assert!(guess >= truth && guess <= truth * 2, "{text}: {guess} for {truth}");
        }
        assert_eq!(TokenEstimator::default().count("").tokens, 0);
    }

    #[test]
    fn it_learns_quickly_upwards_and_slowly_downwards() {
        let estimator = TokenEstimator::default();
        let text = "word ".repeat(200);
        let first = estimator.count(&text).tokens;
        estimator.learn(weight(&text), first * 2);
        assert_eq!(estimator.count(&text).tokens, first * 2);
        estimator.learn(weight(&text), first);
        let lower = estimator.count(&text).tokens;
        assert!(lower > first && lower < first * 2, "{lower}");
    }

    #[test]
    fn nonsense_reports_do_not_spoil_it() {
        let estimator = TokenEstimator::default();
        let text = "word ".repeat(200);
        let first = estimator.count(&text).tokens;
        estimator.learn(weight(&text), 0);
        estimator.learn(1.0, 4000);
        assert_eq!(estimator.count(&text).tokens, first);
        estimator.learn(weight(&text), u32::MAX);
        assert!(estimator.count(&text).tokens <= first * 3);
    }

    #[test]
    fn pictures_tools_and_roles_count() {
        let estimator = TokenEstimator::default();
        let mut request = ModelRequest {
            messages: vec![ModelMessage::text(ModelRole::User, "")],
            ..ModelRequest::default()
        };
        let bare = estimator.count_request(&request);
        assert!(bare > 0);
        let image = ContentPart::Image { mime: "image/png".into(), bytes: vec![0; 8].into() };
        request.messages[0].content = MessageContent::Parts(vec![image]);
        assert!(estimator.count_request(&request) > bare + 500);
    }
}
