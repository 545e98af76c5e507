use model::{ChatModel, ModelMessage, ModelRequest, ModelRole, Priority, Sampling};

use crate::model_text::complete;

const LONGEST: usize = 60;
/// The least number of parameters for a written title; a smaller model writes worse titles than the question itself.
const ABLE_TO_NAME: u64 = 1_000_000_000;

const TASK: &str =
    "Write a title of two to six words for this conversation, in its own language. Write only the title.";

/// Makes a title from the first line of a message.
pub fn from_message(message: &str) -> String {
    let line = message.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    // Markup around words is removed; a star within a word, as in 12*12, stays.
    let words = line.trim_start_matches(['#', '>', '-', '*', ' ']).split_whitespace();
    let plain = words.map(|word| word.trim_matches(['`', '*', '_'])).collect::<Vec<_>>().join(" ");
    shorten(plain.trim_end_matches(['.', ',', ':', ';']))
}

/// Lets the model write a title, if it is able to.
pub async fn from_model(model: &dyn ChatModel, question: &str, answer: &str) -> Option<String> {
    if model.info().parameters.is_some_and(|parameters| parameters < ABLE_TO_NAME) {
        return None;
    }
    let beginning = |text: &str| text.chars().take(600).collect::<String>();
    let told = format!("User: {}\n\nAssistant: {}", beginning(question), beginning(answer));
    let request = ModelRequest {
        messages: vec![
            ModelMessage::text(ModelRole::System, TASK),
            ModelMessage::text(ModelRole::User, told),
        ],
        sampling: Sampling { max_tokens: 200, temperature: 0.2, ..Sampling::default() },
        priority: Priority::Background,
        ..ModelRequest::default()
    };
    let said = complete(model, request).await?;
    let line = said.lines().map(str::trim).find(|line| !line.is_empty())?;
    let bare = line.trim_matches(['"', '\'', '*', '#', ' ', '.', '“', '”']);
    let bare = bare.strip_prefix("Title:").unwrap_or(bare).trim();
    (!bare.is_empty()).then(|| shorten(bare))
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", whole.trim_end_matches([',', ':', ';', '-', '.']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_short_plain_and_whole() {
        let long =
            "Could you please explain to me how the tides depend on the phases of the moon and the sun?";
        let cases = [
            ("Hello there.", "Hello there"),
            ("what is 12*12?", "what is 12*12?"),
            ("\n\n## **Plan** for `Monday`\nand more", "Plan for Monday"),
            (long, "Could you please explain to me how the tides depend on the…"),
            ("", ""),
            ("月の満ち欠けについて教えてください", "月の満ち欠けについて教えてください"),
        ];
        for (message, title) in cases {
            assert_eq!(from_message(message), title);
        }
        assert!(from_message(&"x".repeat(500)).chars().count() <= LONGEST + 1);
    }
}
