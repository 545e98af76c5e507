//! Parses replies that arrive in pieces.

use std::sync::Arc;

use dialect::{ReplyParser, ReplyPart, ReplyVocabulary};

use crate::random::Random;

/// Parses a reply that is split at these bytes. A split within a character is moved to its start.
pub fn parse(reply: &str, cuts: &[usize], vocabulary: &Arc<ReplyVocabulary>) -> Vec<ReplyPart> {
    let mut parser = ReplyParser::new(Arc::clone(vocabulary));
    let mut pieces = Vec::new();
    let mut start = 0;
    for &cut in cuts.iter().chain([&reply.len()]) {
        let end = reply.floor_char_boundary(cut);
        pieces.extend(parser.push(&reply[start..end]));
        start = end;
    }
    pieces.extend(parser.finish());
    joined(pieces)
}

/// Joins adjacent pieces of the same kind, so that results are comparable for all splits.
fn joined(pieces: Vec<ReplyPart>) -> Vec<ReplyPart> {
    let mut joined: Vec<ReplyPart> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(ReplyPart::Text(last)), ReplyPart::Text(text))
            | (Some(ReplyPart::Reasoning(last)), ReplyPart::Reasoning(text)) => last.push_str(&text),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

/// Returns a few random positions in order.
pub fn random_cuts(reply: &str, random: &mut Random) -> Vec<usize> {
    let most = random.below(8) + 2;
    let mut cuts: Vec<usize> = (0..most).map(|_| random.below(reply.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}
