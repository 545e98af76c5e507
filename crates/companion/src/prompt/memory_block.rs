//! The memories in the context of a message, as they can be found again in a stored context.

/// The first words of every block of memories, however the rest of its heading reads.
pub const REMEMBERED: &str = "What you remember that may matter here";
/// The heading of the block about replaced facts.
pub const REPLACED: &str = "You have learned something that takes the place of what you knew. Say in half a sentence that \
    you have noted it:";

/// Returns the lines of a context, each with a flag that is true for a memory.
pub fn marked_lines(context: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_block = false;
    context.lines().map(move |line| {
        let begins = line.starts_with(REMEMBERED) || line.starts_with(REPLACED);
        is_block = begins || is_block && line.starts_with("- ");
        (line, is_block && !begins)
    })
}
