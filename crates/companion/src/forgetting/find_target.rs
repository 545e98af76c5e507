//! Determines what a request to forget covers: the rows to delete and the words to search for.

use facts::{FactSlot, SlotKind};
use memory::Redaction;
use protocol::{ConversationId, ForgetRequest, OfferedWords, Role, UserId};
use store::StoredFact;

use super::ForgetService;
use super::target::{ForgetTarget, trimmed};
use crate::error::CompanionError;

/// The number of other conversations with a name or number up to which it is taken to belong to the fact alone.
const OWN_NAME: usize = 6;
/// The number of meaningful terms from which a sentence is searched for by itself.
const TELLING_TERMS: usize = 2;

impl ForgetService {
    pub(super) async fn target(
        &self,
        user: UserId,
        request: &ForgetRequest,
    ) -> Result<ForgetTarget, CompanionError> {
        let known = self.parts.store.facts(user).await?;
        let mut target = ForgetTarget::default();
        if let Some(id) = request.fact {
            self.parts.store.fact(user, id).await?;
            target.whole.facts.push(id);
        }
        if let Some(id) = request.message {
            let conversation = self.parts.store.conversation_of(user, id).await?;
            let message = self.parts.store.message(user, conversation, id).await?;
            target.whole.messages.push(id);
            if message.role == Role::User {
                target.whole.messages.extend(self.parts.store.answers_to(user, id).await?);
            }
            target.needles.words.extend(sentences(&message.content));
            let learned = known.iter().filter(|fact| fact.said.message == Some(id));
            target.whole.facts.extend(learned.map(|fact| fact.id));
        }
        for words in request.words.iter().chain(&request.also) {
            target.needles.words.push(words.clone());
            let Some(redaction) = Redaction::of_words([words.clone()]) else { continue };
            let hold = known.iter().filter(|fact| holds(fact, &redaction));
            target.whole.facts.extend(hold.map(|fact| fact.id));
        }
        let same: Vec<_> = known
            .iter()
            .filter(|fact| known.iter().any(|other| target.has(other) && says_the_same(fact, other)))
            .map(|fact| fact.id)
            .collect();
        target.whole.facts.extend(same);
        self.add_words(user, &known, &mut target).await?;
        target.whole.facts.sort_unstable_by_key(|id| id.get());
        target.whole.facts.dedup();
        let stays =
            |text: &String| request.leave.iter().any(|leave| leave.eq_ignore_ascii_case(trimmed(text)));
        target.needles.words.retain(|text| !stays(text));
        target.needles.statements.retain(|text| !stays(text));
        Ok(target)
    }

    /// Adds the words of the facts that are forgotten.
    async fn add_words(
        &self,
        user: UserId,
        known: &[StoredFact],
        target: &mut ForgetTarget,
    ) -> Result<(), CompanionError> {
        let going: Vec<&StoredFact> = known.iter().filter(|fact| target.has(fact)).collect();
        for fact in going {
            target.needles.statements.push(fact.said.content.clone());
            target.needles.words.extend(fact.said.quote.clone());
            let Some(thing) = thing(fact) else {
                self.offer_names(user, known, fact, target).await?;
                continue;
            };
            let Some(redaction) = Redaction::of_words([thing.clone()]) else { continue };
            // Facts from the same message about the same thing are forgotten as well.
            let told_with = |other: &&StoredFact| {
                other.said.message.is_some()
                    && other.said.message == fact.said.message
                    && holds(other, &redaction)
            };
            let along: Vec<_> = known.iter().filter(told_with).collect();
            let others = known.iter().any(|other| {
                !target.has(other)
                    && !along.iter().any(|along| along.id == other.id)
                    && holds(other, &redaction)
            });
            let spoken = self.parts.store.conversations_with(user, redaction).await?;
            let elsewhere = |id: &&ConversationId| Some(**id) != fact.said.conversation;
            let elsewhere = spoken.iter().filter(elsewhere).count();
            let is_name = thing.chars().any(|letter| letter.is_uppercase() || letter.is_numeric());
            let most = if is_name { OWN_NAME } else { 0 };
            if others || elsewhere > most {
                let conversations = u32::try_from(spoken.len()).unwrap_or(u32::MAX);
                target.offer(OfferedWords { words: thing, conversations });
                continue;
            }
            target.needles.words.push(thing);
            for along in along.into_iter().filter(|along| along.id != fact.id) {
                target.whole.facts.push(along.id);
                target.needles.statements.push(along.said.content.clone());
                target.needles.words.extend(along.said.quote.clone());
            }
        }
        Ok(())
    }

    /// Offers the names in a fact without a slot. They may occur in other contexts, so the user decides about them.
    async fn offer_names(
        &self,
        user: UserId,
        known: &[StoredFact],
        fact: &StoredFact,
        target: &mut ForgetTarget,
    ) -> Result<(), CompanionError> {
        for words in names_in(&fact.said.content) {
            let Some(redaction) = Redaction::of_words([words.clone()]) else { continue };
            let others = known.iter().any(|other| !target.has(other) && holds(other, &redaction));
            let spoken = self.parts.store.conversations_with(user, redaction).await?.len();
            if others || spoken > 0 {
                target
                    .offer(OfferedWords { words, conversations: u32::try_from(spoken).unwrap_or(u32::MAX) });
            }
        }
        Ok(())
    }
}

fn holds(fact: &StoredFact, redaction: &Redaction) -> bool {
    let said = &fact.said;
    let texts = [Some(&said.content), said.quote.as_ref(), Some(&said.subject)];
    texts.into_iter().flatten().any(|text| redaction.occurs_in(text))
}

fn says_the_same(one: &StoredFact, other: &StoredFact) -> bool {
    let (one, other) = (&one.said, &other.said);
    one.subject == other.subject
        && one.slot == other.slot
        && if one.slot.is_some() { one.value == other.value } else { one.content == other.content }
}

/// Returns the thing that a fact names: *Max*, *Rome*, *green tea*.
fn thing(fact: &StoredFact) -> Option<String> {
    let slot: FactSlot = fact.said.slot.as_deref()?.parse().ok()?;
    let thing = match slot.kind {
        SlotKind::Taste => {
            let mut words = fact.said.content.split(' ');
            words.find(|word| {
                matches!(word.to_lowercase().as_str(), "likes" | "dislikes" | "loves" | "hates")
            })?;
            words.collect::<Vec<_>>().join(" ")
        }
        SlotKind::Habit | SlotKind::Bond | SlotKind::Age | SlotKind::Plan | SlotKind::Goal => return None,
        _ => fact.said.value.clone(),
    };
    let thing = trimmed(&thing).to_owned();
    (!thing.is_empty()).then_some(thing)
}

/// Returns the names and numbers in a sentence: words with a capital letter after the first word, and words with a
/// digit.
fn names_in(content: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut is_going_on = false;
    for (place, word) in content.split_whitespace().enumerate() {
        let name = word.trim_end_matches("'s").trim_end_matches("’s");
        let name = trimmed(name);
        let is_name = place > 0 && name.starts_with(char::is_uppercase) && name != "I"
            || name.chars().any(char::is_numeric);
        match names.last_mut().filter(|_| is_name && is_going_on) {
            Some(last) => *last = format!("{last} {name}"),
            None if is_name => names.push(name.to_owned()),
            None => {}
        }
        is_going_on = is_name && word.ends_with(char::is_alphanumeric);
    }
    names
}

/// Returns the sentences of a message that are meaningful by themselves.
fn sentences(text: &str) -> Vec<String> {
    let parts = text.split_inclusive(['.', '!', '?', '\n']).map(str::trim);
    let telling =
        |part: &&str| text::terms(part).len() >= TELLING_TERMS || part.chars().any(char::is_numeric);
    parts.filter(|part| !part.is_empty()).filter(telling).map(ToOwned::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_is_written_large_where_it_need_not_be() {
        for (content, names) in [
            ("Keeps a llama called Vornaxzuil", &["Vornaxzuil"][..]),
            ("Met Mary Ann Miller, Bob's aunt, in room 17b.", &["Mary Ann Miller", "Bob", "17b"]),
            ("Sings in a choir", &[]),
        ] {
            assert_eq!(names_in(content), names, "{content}");
        }
    }
}
