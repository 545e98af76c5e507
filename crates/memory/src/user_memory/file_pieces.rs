//! Splits files into pieces for recall.

/// The maximum length of a piece in characters, so that a recalled piece stays short.
const PIECE_CHARS: usize = 600;

/// Yields the pieces: paragraphs, joined while they are short and split if they are too long.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let limit = rest.char_indices().nth(PIECE_CHARS).map_or(rest.len(), |(end, _)| end);
        let end = if limit == rest.len() {
            limit
        } else {
            let head = &rest[..limit];
            let cut = head.rfind("\n\n").or_else(|| head.rfind('\n')).or_else(|| head.rfind(' '));
            cut.filter(|&cut| cut > 0).unwrap_or(limit)
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece.trim_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_paragraphs_and_nothing_is_lost() {
        let paragraph = "word ".repeat(60);
        let text = format!("{paragraph}\n\n{paragraph}\n\n{}", "x".repeat(1500));
        let cut: Vec<&str> = pieces(&text).collect();
        assert!(cut.iter().all(|piece| piece.chars().count() <= PIECE_CHARS), "{cut:?}");
        let joined: String = cut.concat().split_whitespace().collect();
        assert_eq!(joined, text.split_whitespace().collect::<String>());
        assert_eq!(pieces(" \n ").count(), 0);
        assert_eq!(pieces("月".repeat(700).as_str()).map(|piece| piece.chars().count()).sum::<usize>(), 700);
    }
}
