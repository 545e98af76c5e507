use jiff::Zoned;

/// The tokens that a chat template adds around each message.
pub const MESSAGE_OVERHEAD: u32 = 6;

/// Counts the tokens of a text with the active model's tokenizer.
pub type TokenCounter<'a> = &'a (dyn Fn(&str) -> u32 + Sync);

/// Returns the block before a message, which stays with it permanently: the time, attachments, memories and the plan.
pub fn context_block(now: &Zoned, attached: &[String]) -> String {
    let mut block = format!("<context>\nIt is {}.\n", now.strftime("%A, %-d %B %Y, %H:%M"));
    for text in attached {
        block.push('\n');
        block.push_str(&harmless(text.trim_end()));
        block.push('\n');
    }
    block.push_str("</context>");
    block
}

/// Prevents a text from closing the context block that contains it.
pub fn harmless(text: &str) -> String {
    text.replace("</context", "<\u{2060}/context").replace("<context", "<\u{2060}context")
}

/// Returns a text file for the model, cut at the budget.
pub fn attached_text(name: &str, text: &str, budget: u32, count: TokenCounter<'_>) -> String {
    let fitted = fit(text, budget, count);
    let note = if fitted.len() < text.trim().len() { "\n[the rest of the file does not fit]" } else { "" };
    // The fence is longer than any in the file, so the file cannot close it.
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("Attached file {name}:\n{fence}\n{fitted}\n{fence}{note}")
}

/// Returns the greatest number of bytes that a number of tokens has in any meaningful text.
pub fn bytes_of(tokens: u32) -> usize {
    (tokens as usize).saturating_mul(16)
}

/// Returns the beginning of a text with at most `budget` tokens. It is cut between words, or within a word that is
/// longer than the whole budget.
pub fn fit(text: &str, budget: u32, count: TokenCounter<'_>) -> String {
    let text = text.trim();
    let room = text.floor_char_boundary(bytes_of(budget));
    if room == text.len() && count(text) <= budget {
        return text.to_owned();
    }
    let text = &text[..room];
    let spaces = text.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(|(place, _)| place);
    let words: Vec<usize> = spaces.chain([room]).collect();
    let fitting = longest_fitting(text, &words, budget, count);
    if !fitting.is_empty() {
        return fitting.trim_end().to_owned();
    }
    let letters: Vec<usize> = text.char_indices().skip(1).map(|(place, _)| place).collect();
    longest_fitting(text, &letters, budget, count).to_owned()
}

/// Returns the text up to the last of the given positions at which it fits the budget.
fn longest_fitting<'a>(text: &'a str, places: &[usize], budget: u32, count: TokenCounter<'_>) -> &'a str {
    let fitting = places.partition_point(|&end| count(&text[..end]) <= budget);
    fitting.checked_sub(1).map_or("", |last| &text[..places[last]])
}
