//! Generates a large, deterministic set of conversations, for benchmarks and tests at scale.
//!
//! The words follow the frequencies of a natural language: a common word occurs in about half of all messages, and a
//! rare one in a few.

use protocol::{Role, UserId};
use rusqlite::{Connection, params};

use crate::conversations::preview;
use crate::error::Result;
use crate::store::{Store, WriteContext};
use crate::stored::Keyword;
use crate::writer::Durability;

/// The most common words, in order.
const COMMON: &[&str] = &[
    "the", "to", "and", "you", "of", "that", "is", "in", "it", "for", "this", "with", "have", "what", "can",
    "on", "not", "your", "about", "would", "there", "which", "when", "from", "how", "think", "some", "like",
    "time", "could", "people", "because", "into", "other", "than", "then", "only", "first", "also", "after",
];
const RARE_WORDS: usize = 30_000;
const SYLLABLES: &[&str] = &[
    "ba", "be", "bi", "bo", "da", "de", "di", "do", "ka", "ke", "ki", "ko", "la", "le", "li", "lo", "ma",
    "me", "mi", "mo", "na", "ne", "ni", "no", "ra", "re", "ri", "ro", "sa", "se", "si", "so",
];
/// The time between two conversations. Ten thousand of them span about two years.
const STEP_MS: i64 = 6_300_000;
const START_MS: i64 = 1_704_067_200_000;
/// The number of conversations per transaction.
const CHUNK: u32 = 500;
/// The bytes of the search index that are buffered before they are written: the default, and a value for bulk inserts.
const USUAL_HASH: u32 = 1 << 20;
const BULK_HASH: u32 = 64 << 20;

/// The amount of data to generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleSize {
    pub conversations: u32,
    pub messages_each: u32,
}

/// Returns the words that most messages contain, the most common first.
pub fn common_words() -> &'static [&'static str] {
    COMMON
}

/// Returns a word that few messages contain; the greater the number, the rarer.
pub fn rare_word(number: usize) -> String {
    // Four syllables spell any number below 32⁴; the multiplication scatters adjacent numbers over the alphabet.
    let mut rest = (number % RARE_WORDS) * 7919 + 77;
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest /= SYLLABLES.len();
    }
    word
}

/// Fills the database. The same size yields the same words.
pub async fn fill(store: &Store, user: UserId, size: SampleSize) -> Result<()> {
    set_index_buffer(store, BULK_HASH).await?;
    for first in (0..size.conversations).step_by(CHUNK as usize) {
        let context = store.context();
        let last = size.conversations.min(first + CHUNK);
        let made = store.write(Durability::Log, move |connection| {
            let words = Words::new();
            (first..last).try_for_each(|number| {
                conversation(connection, &context, user, &words, number, size.messages_each)
            })
        });
        made.await?;
    }
    set_index_buffer(store, USUAL_HASH).await
}

async fn set_index_buffer(store: &Store, bytes: u32) -> Result<()> {
    store
        .write(Durability::Log, move |connection| {
            let sql = "INSERT INTO message_search (message_search, rank) VALUES ('hashsize', ?1)";
            connection.execute(sql, [bytes])?;
            Ok(())
        })
        .await
}

fn conversation(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    words: &Words,
    number: u32,
    messages: u32,
) -> Result<()> {
    let mut random = Random(u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
    let id = context.ids.next();
    let start = START_MS + i64::from(number) * STEP_MS;
    let folder = number.is_multiple_of(7).then(|| format!("Folder {}", number % 5));
    let sql = "INSERT INTO conversations (id, user, title, titled_by, created_at, updated_at, pinned, folder)
               VALUES (?1, ?2, ?3, 'program', ?4, ?4, ?5, ?6)";
    let title = words.sentence(&mut random, 5);
    connection.prepare_cached(sql)?.execute(params![
        id,
        user.get(),
        title,
        start,
        number.is_multiple_of(997),
        folder
    ])?;
    if number.is_multiple_of(11) {
        let sql = "INSERT INTO tags (conversation, tag) VALUES (?1, ?2)";
        connection.prepare_cached(sql)?.execute(params![id, format!("tag{}", number % 3)])?;
    }
    let mut parent = None;
    let mut body = String::new();
    for turn in 0..messages {
        let role = if turn % 2 == 0 { Role::User } else { Role::Assistant };
        let length = if role == Role::User { 4 + random.below(24) } else { 20 + random.below(80) };
        body = words.sentence(&mut random, length);
        let message = context.ids.next();
        let sql = "INSERT INTO messages (id, seq, user, conversation, parent, role, status, created_at, content)
                   VALUES (?1, (SELECT ifnull(max(seq), 0) + 1 FROM messages), ?2, ?3, ?4, ?5, 'complete', ?6, ?7)";
        let created = start + i64::from(turn) * 20_000;
        connection.prepare_cached(sql)?.execute(params![
            message,
            user.get(),
            id,
            parent,
            role.keyword(),
            created,
            body
        ])?;
        parent = Some(message);
    }
    let sql =
        "UPDATE conversations SET leaf = ?2, message_count = ?3, preview = ?4, updated_at = ?5 WHERE id = ?1";
    let updated = start + i64::from(messages) * 20_000;
    connection.prepare_cached(sql)?.execute(params![id, parent, messages, preview(&body), updated])?;
    Ok(())
}

/// A vocabulary in which the n-th word is about 1/n as frequent as the first.
struct Words {
    rare: Vec<String>,
}

impl Words {
    fn new() -> Self {
        Self { rare: (0..RARE_WORDS).map(rare_word).collect() }
    }

    fn pick(&self, random: &mut Random) -> &str {
        // The logarithm of a rank that follows 1/n is uniformly distributed: choose a power of two, then a rank in it.
        let powers = usize::BITS - (COMMON.len() + RARE_WORDS).leading_zeros();
        let power = random.below(powers as usize);
        let rank = (1 << power) - 1 + random.below(1 << power);
        match COMMON.get(rank) {
            Some(word) => word,
            None => &self.rare[(rank - COMMON.len()) % RARE_WORDS],
        }
    }

    fn sentence(&self, random: &mut Random, length: usize) -> String {
        let mut text = String::with_capacity(length * 7);
        for index in 0..length {
            let word = self.pick(random);
            text.push_str(word);
            text.push_str(match (index + 1 == length, random.below(12)) {
                (true, _) => ".",
                (_, 0) => ", ",
                (_, 1) => ".\n",
                _ => " ",
            });
        }
        text
    }
}

/// SplitMix64: small, fast, and the same on every platform.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        usize::try_from(mixed % limit.max(1) as u64).unwrap_or(0)
    }
}
