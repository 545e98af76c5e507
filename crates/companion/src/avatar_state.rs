//! The avatar's state, expressions and gestures during an answer.
//!
//! The events of the turn are followed like any client does, so that nothing delays the answer. The feelings in each
//! sentence (`persona`) choose the expression, unless the model has set one with a tool. A vector of the sentence is
//! used only if the embedding model runs on this machine. Everything is sent through the feed, so that all pages of the
//! user show the same face.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;

use abilities::appearance;
use futures_util::StreamExt as _;
use persona::{Emotion, Feelings, SentenceReader, Vector};
use protocol::{BodyState, Command, Event, Expression, Push, ToolStatus};

use crate::live_turns::LiveTurns;
use crate::services::Services;
use crate::turn_log::TurnLog;

/// The least share of a feeling that changes the expression.
const SURE_ENOUGH: f32 = 0.36;
/// The least intensity of a shown expression.
const LEAST_SHOWN: f32 = 0.4;
/// The length in bytes up to which an answer is sent to other clients; the conversation has the rest.
const LONGEST_CHAT: usize = 64 * 1024;

/// Follows the events of a turn to its end.
pub(crate) async fn follow(services: Arc<Services>, turns: Arc<LiveTurns>, log: Arc<TurnLog>) {
    let mut events = pin!(log.follow(0));
    let mut follower = AvatarFollower::new(&services, &turns, &log);
    while let Some((_, event)) = events.next().await {
        follower.handle(event).await;
    }
    follower.end().await;
}

struct AvatarFollower<'a> {
    services: &'a Services,
    turns: &'a LiveTurns,
    log: &'a TurnLog,
    state: BodyState,
    /// True in an incognito conversation, whose content is not sent to other clients.
    is_incognito: bool,
    shows_emotion: bool,
    reader: SentenceReader,
    said: String,
    called: HashSet<String>,
    /// True once the model has set an expression with a tool; sentences then no longer change it.
    is_chosen: bool,
    has_shown: bool,
    has_moved: bool,
}

impl<'a> AvatarFollower<'a> {
    fn new(services: &'a Services, turns: &'a LiveTurns, log: &'a TurnLog) -> Self {
        let follower = Self {
            services,
            turns,
            log,
            state: BodyState::Thinking,
            is_incognito: store::is_incognito(log.conversation),
            shows_emotion: services.settings().emotion,
            reader: SentenceReader::default(),
            said: String::new(),
            called: HashSet::new(),
            is_chosen: false,
            has_shown: false,
            has_moved: false,
        };
        follower.tell(Push::State { state: BodyState::Thinking });
        follower
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Token { content } => {
                self.enter(BodyState::Answering);
                let room = LONGEST_CHAT.saturating_sub(self.said.len());
                self.said.push_str(&content[..content.floor_char_boundary(room)]);
                for sentence in self.reader.push(&content) {
                    self.react(&sentence).await;
                }
            }
            Event::Command { command, .. } => self.apply(&command),
            Event::Tool { id, name, args, status: ToolStatus::Running, .. }
                if !self.is_incognito && self.called.insert(id.clone()) =>
            {
                let conversation_id = self.log.conversation;
                self.tell(Push::ToolCall { conversation_id, name, arguments: args });
            }
            _ => {}
        }
    }

    /// Applies a tool's command to the avatar.
    fn apply(&mut self, command: &Command) {
        let text = |name: &str| command.payload.get(name).and_then(|value| value.as_str()).map(str::to_owned);
        match command.action.as_str() {
            "play_animation" => {
                if let Some(animation) = text("name") {
                    self.has_moved = true;
                    self.tell(Push::Play { animation });
                }
            }
            "set_background" => {
                if let Some(filename) = text("filename") {
                    self.tell(Push::SetBackground { filename });
                }
            }
            "express" => {
                if let Some((expression, intensity)) = appearance::read_expression(&command.payload) {
                    (self.is_chosen, self.has_shown) = (true, true);
                    self.tell(Push::Expression { expression, intensity });
                }
            }
            _ => {}
        }
    }

    async fn react(&mut self, sentence: &str) {
        if !self.shows_emotion {
            return;
        }
        let vector = self.services.memory.vector_of(sentence).await;
        let vector = vector.as_ref().and_then(|(name, vector)| Vector::named(bare(name), vector));
        let feelings = persona::feelings(sentence, vector);
        // At most one gesture per answer; a gesture for every sentence would look restless.
        if !self.has_moved
            && let Some(animation) = persona::gesture(sentence, &feelings)
        {
            self.has_moved = true;
            self.tell(Push::Play { animation: animation.to_owned() });
        }
        if !self.is_chosen
            && let Some((expression, intensity)) = shown(&feelings)
        {
            self.has_shown = true;
            self.tell(Push::Expression { expression, intensity });
        }
    }

    async fn end(mut self) {
        if let Some(last) = std::mem::take(&mut self.reader).finish() {
            self.react(&last).await;
        }
        if self.shows_emotion && !self.has_shown && !self.said.is_empty() {
            self.tell(Push::Expression { expression: Expression::Neutral, intensity: 1.0 });
        }
        if !self.is_incognito && !self.said.is_empty() {
            let content = std::mem::take(&mut self.said);
            let (conversation_id, turn_id) = (self.log.conversation, self.log.id);
            self.tell(Push::Chat { conversation_id, turn_id, content });
        }
        let user = self.log.user;
        let others = self
            .turns
            .all()
            .iter()
            .any(|turn| turn.user == user && turn.id != self.log.id && !turn.is_ended());
        if !others {
            self.enter(BodyState::Idle);
        }
    }

    fn enter(&mut self, state: BodyState) {
        if self.state != state {
            self.state = state;
            self.tell(Push::State { state });
        }
    }

    fn tell(&self, push: Push) {
        self.services.feed.tell(self.log.user, push);
    }
}

/// Returns the expression to show and its intensity. Feelings with the same expression are added up.
fn shown(feelings: &Feelings) -> Option<(Expression, f32)> {
    let mut looks = [
        (Expression::Happy, 0.0),
        (Expression::Sad, 0.0),
        (Expression::Angry, 0.0),
        (Expression::Surprised, 0.0),
    ];
    for emotion in Emotion::ALL {
        for (look, sum) in &mut looks {
            if *look == emotion.expression() {
                *sum += feelings.of(emotion);
            }
        }
    }
    let (expression, share) = looks.into_iter().max_by(|(_, left), (_, right)| left.total_cmp(right))?;
    let felt = share >= SURE_ENOUGH && share > feelings.neutral;
    felt.then(|| (expression, share.clamp(LEAST_SHOWN, 1.0)))
}

/// Returns the model's name without the namespace of the collection that its vectors are stored for.
fn bare(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Feelings =
        Feelings { joy: 0.0, sadness: 0.0, anger: 0.0, disgust: 0.0, surprise: 0.0, fear: 0.0, neutral: 0.0 };

    #[test]
    fn a_face_shows_what_is_felt_surely_enough() {
        for (feelings, expected) in [
            (Feelings { joy: 0.9, neutral: 0.1, ..NOTHING }, Some((Expression::Happy, 0.9))),
            (Feelings { joy: 0.37, neutral: 0.36, sadness: 0.27, ..NOTHING }, Some((Expression::Happy, 0.4))),
            (Feelings { joy: 0.4, neutral: 0.6, ..NOTHING }, None),
            (Feelings { anger: 0.3, disgust: 0.3, sadness: 0.4, ..NOTHING }, Some((Expression::Angry, 0.6))),
            (
                Feelings { surprise: 0.25, fear: 0.25, joy: 0.4, neutral: 0.1, ..NOTHING },
                Some((Expression::Surprised, 0.5)),
            ),
            (Feelings { neutral: 1.0, ..NOTHING }, None),
        ] {
            let found = shown(&feelings);
            assert_eq!(found.map(|(look, _)| look), expected.map(|(look, _)| look), "{feelings:?}");
            let much = |look: Option<(Expression, f32)>| look.map_or(0.0, |(_, much)| much);
            assert!((much(found) - much(expected)).abs() < 1e-6, "{feelings:?}");
        }
    }
}
