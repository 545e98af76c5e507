//! Composes the context of a code request: parts with a source and a cap each, in order of priority, under a common
//! budget.

use protocol::ContextPart;

use crate::prompt::text::{TokenCounter, fit};

/// A part of the context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextText {
    /// A short label, such as `focus file src/main.rs`.
    pub source: String,
    pub text: String,
    /// The greatest share of the budget for this part, in percent.
    pub share: u32,
}

impl ContextText {
    pub fn new(source: impl Into<String>, text: impl Into<String>, share: u32) -> Self {
        Self { source: source.into(), text: text.into(), share }
    }
}

/// Fits the parts into the budget, earlier ones first, each within its share. Returns their texts and costs.
pub fn fit_parts(
    parts: Vec<ContextText>,
    budget: u32,
    count: TokenCounter<'_>,
) -> (Vec<String>, Vec<ContextPart>) {
    let mut left = budget;
    let (mut texts, mut costs) = (Vec::new(), Vec::new());
    for ContextText { source, text, share } in parts {
        if text.trim().is_empty() {
            continue;
        }
        let heading = format!("{}:\n", tools::capital(&source));
        let most = (budget.saturating_mul(share) / 100).min(left);
        let room = most.saturating_sub(count(&heading) + REST);
        // The whitespace before the first word belongs to its line and is kept.
        let (lead, words) = text.trim_end().split_at(text.len() - text.trim_start().len());
        let kept = fit(words, room, count);
        if kept.is_empty() {
            costs.push(ContextPart { source, tokens: 0, cut: true });
            continue;
        }
        let cut = kept.len() < words.len();
        let rest = if cut { "\n[the rest has no room]" } else { "" };
        let text = format!("{heading}{}{kept}{rest}", lead.trim_start_matches('\n'));
        let tokens = count(&text);
        left = left.saturating_sub(tokens);
        texts.push(text);
        costs.push(ContextPart { source, tokens, cut });
    }
    (texts, costs)
}

/// The tokens reserved for the note that a part was cut.
const REST: u32 = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::cast_possible_truncation, reason = "test texts are short")]
    fn words(text: &str) -> u32 {
        text.split_whitespace().count() as u32
    }

    #[test]
    fn each_part_has_its_share_and_all_of_them_the_budget() {
        let long = "word ".repeat(1_000);
        let parts = vec![
            ContextText::new("focus file a.rs", long.clone(), 50),
            ContextText::new("empty", "  \n", 50),
            ContextText::new("reference file b.rs", "short one", 30),
            ContextText::new("repo map", long.clone(), 30),
            ContextText::new("files", long, 100),
        ];
        for budget in [0, 10, 40, 100, 400, 5_000] {
            let (texts, costs) = fit_parts(parts.clone(), budget, &words);
            let used: u32 = texts.iter().map(|text| words(text)).sum();
            assert!(used <= budget, "{used} of {budget}");
            assert_eq!(used, costs.iter().map(|cost| cost.tokens).sum::<u32>());
            assert_eq!(costs.len(), 4, "an empty part is none");
            let focus = &costs[0];
            assert!(focus.tokens <= budget / 2 && focus.cut == (budget < 2_100), "{budget}: {focus:?}");
        }
        let (texts, costs) = fit_parts(parts, 400, &words);
        assert!(
            texts[0].starts_with("Focus file a.rs:\nword") && texts[0].ends_with("[the rest has no room]")
        );
        assert_eq!((texts[1].as_str(), costs[1].cut), ("Reference file b.rs:\nshort one", false));
    }

    #[test]
    fn a_part_that_fits_is_whole_and_keeps_its_first_line() {
        let parts = vec![ContextText::new("file a.rs", "    1\tfn main() {}\n    2\t\n", 50)];
        let (texts, costs) = fit_parts(parts, 100, &words);
        assert_eq!(texts, ["File a.rs:\n    1\tfn main() {}\n    2"]);
        assert!(!costs[0].cut);
    }
}
