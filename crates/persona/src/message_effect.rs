//! The effect of a message on the personality.

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, ToSpan};
use protocol::Dimension;

use crate::reading::{Cue, Direction, Signals, Wish};
use crate::state::{DIMENSIONS, PersonalityChange, PersonalityState, bounded};

/// The most that feelings and habits move a dimension with one message, and within a day.
pub const MOST_A_MESSAGE: f64 = 0.04;
pub const MOST_A_DAY: f64 = 0.15;

/// The most that wishes move a dimension. From the middle, one wish is enough to change the next answer's prompt.
pub const MOST_A_WISH: f64 = 0.15;
pub const MOST_A_DAY_WISHED: f64 = 0.30;

/// The least change; a smaller one is not made.
const LEAST: f64 = 0.002;

/// The hour at which a day starts: the night counts for the day before.
const DAY_STARTS_AT_HOUR: i64 = 4;

const LATE: [std::ops::Range<i8>; 2] = [0..5, 23..24];
const AT_ONCE: SignedDuration = SignedDuration::from_secs(20);
const LONG_AWAY: SignedDuration = SignedDuration::from_hours(48);
const LONG_MESSAGE: usize = 60;
const SHORT_MESSAGE: usize = 3;
/// The number of messages per day that costs some energy each time.
const TIRING: u32 = 20;
/// The number of requests per day that makes jokes a habit; a single one means nothing.
const JOKES_THAT_TELL: u32 = 2;

/// The user's reaction to the last answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reaction {
    /// Asked for another answer.
    Regenerated,
    /// Stopped the answer.
    Stopped,
    /// Edited the message before it.
    Edited,
}

/// Information besides the message's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageContext {
    /// The user's local time.
    pub now: DateTime,
    /// The time between the last answer, if there was one, and the message.
    pub since_last: Option<SignedDuration>,
    pub reaction: Option<Reaction>,
}

/// Applies a message and returns the changes with their reasons. For a reaction without a message, the [`Signals`] are
/// empty.
pub fn apply_message(
    state: &mut PersonalityState,
    signals: &Signals,
    context: &MessageContext,
) -> Vec<PersonalityChange> {
    begin_day(state, context.now);
    if signals.words > 0 {
        state.messages_today = state.messages_today.saturating_add(1);
    }
    if signals.shows(Cue::JokeWanted) {
        state.jokes_today = state.jokes_today.saturating_add(1);
    }
    let pushes = pushes(state, signals, context);
    DIMENSIONS.into_iter().filter_map(|dimension| apply(state, dimension, &pushes)).collect()
}

/// Starts a new day. A clock that is slightly behind does not, so that a journey west adds no day.
fn begin_day(state: &mut PersonalityState, now: DateTime) {
    let today = now.saturating_sub(DAY_STARTS_AT_HOUR.hours()).date();
    let is_same = |day: Date| day == today || day == today.saturating_add(1.day());
    if !state.day.is_some_and(is_same) {
        state.day = Some(today);
        state.messages_today = 0;
        state.jokes_today = 0;
        for current in state.dimensions.values_mut() {
            current.moved_today = 0.0;
        }
    }
}

struct Push {
    dimension: Dimension,
    force: Force,
    why: &'static str,
}

enum Force {
    /// A share of the way to a goal, never beyond it or away from it.
    Toward { goal: f64, direction: Direction, part: f64 },
    /// The full distance of a wish.
    Wish(Direction),
}

impl Force {
    fn amount(&self, value: f64) -> f64 {
        match *self {
            Self::Toward { goal, direction: Direction::Up, part } => ((goal - value) * part).max(0.0),
            Self::Toward { goal, direction: Direction::Down, part } => ((goal - value) * part).min(0.0),
            Self::Wish(Direction::Up) => MOST_A_WISH,
            Self::Wish(Direction::Down) => -MOST_A_WISH,
        }
    }
}

fn apply(state: &mut PersonalityState, dimension: Dimension, pushes: &[Push]) -> Option<PersonalityChange> {
    let current = state.dimension_mut(dimension);
    if current.locked {
        return None;
    }
    let from = current.value;
    let own = pushes.iter().filter(|push| push.dimension == dimension);
    let (wishes, feelings): (Vec<_>, Vec<_>) = own.partition(|push| matches!(push.force, Force::Wish(_)));
    // An explicit wish overrides the impression of the message.
    let (heard, step, day) = if wishes.is_empty() {
        (feelings, MOST_A_MESSAGE, MOST_A_DAY)
    } else {
        (wishes, MOST_A_WISH, MOST_A_DAY_WISHED)
    };
    let sum: f64 = heard.iter().map(|push| push.force.amount(from)).sum();
    let left_up = (day - current.moved_today).max(0.0);
    let left_down = (-day - current.moved_today).min(0.0);
    let amount = sum.clamp(-step, step).clamp(left_down, left_up);
    let to = bounded(from + amount);
    if (to - from).abs() < LEAST {
        return None;
    }
    let along = |push: &&&Push| push.force.amount(from) * amount > 0.0;
    let strongest = heard
        .iter()
        .filter(along)
        .max_by(|one, other| one.force.amount(from).abs().total_cmp(&other.force.amount(from).abs()))?;
    current.value = to;
    current.moved_today += to - from;
    Some(PersonalityChange { dimension, from, to, why: strongest.why })
}

fn pushes(state: &PersonalityState, signals: &Signals, context: &MessageContext) -> Vec<Push> {
    let mut pushes = Pushes(Vec::new());
    pushes.hear_wishes(&signals.wishes);
    for cue in &signals.cues {
        pushes.hear_cue(*cue, state.jokes_today);
    }
    pushes.hear_sentiment(signals);
    pushes.hear_habits(signals);
    pushes.hear_circumstances(state.messages_today, signals, context);
    pushes.0
}

struct Pushes(Vec<Push>);

impl Pushes {
    fn up(&mut self, dimension: Dimension, goal: f64, part: f64, why: &'static str) {
        let force = Force::Toward { goal, direction: Direction::Up, part };
        self.0.push(Push { dimension, force, why });
    }

    fn down(&mut self, dimension: Dimension, goal: f64, part: f64, why: &'static str) {
        let force = Force::Toward { goal, direction: Direction::Down, part };
        self.0.push(Push { dimension, force, why });
    }

    fn hear_wishes(&mut self, wishes: &[Wish]) {
        self.0.extend(wishes.iter().map(|wish| Push {
            dimension: wish.dimension,
            force: Force::Wish(wish.direction),
            why: wished(*wish),
        }));
    }

    fn hear_cue(&mut self, cue: Cue, jokes_today: u32) {
        match cue {
            Cue::Laughter => {
                self.up(Dimension::Humor, 0.85, 0.06, "you laughed");
                self.up(Dimension::Mood, 0.80, 0.05, "you laughed");
            }
            Cue::Thanks => self.up(Dimension::Mood, 0.75, 0.05, "you thanked me"),
            Cue::Praise => self.up(Dimension::Mood, 0.90, 0.06, "you said something kind"),
            Cue::Irritation => {
                self.down(Dimension::Mood, 0.25, 0.07, "you were annoyed");
                self.down(Dimension::Humor, 0.25, 0.06, "you were annoyed");
                self.down(Dimension::QuestionFrequency, 0.30, 0.04, "you were annoyed");
            }
            Cue::Distress => {
                self.up(Dimension::SupportNeed, 0.90, 0.12, "you had a hard time");
                self.down(Dimension::Humor, 0.25, 0.08, "you had a hard time");
                self.down(Dimension::Energy, 0.35, 0.06, "you had a hard time");
            }
            Cue::Crisis => {
                let why = "you were in great need";
                let force = Force::Wish(Direction::Up);
                self.0.push(Push { dimension: Dimension::SupportNeed, force, why });
                let force = Force::Wish(Direction::Down);
                self.0.push(Push { dimension: Dimension::Humor, force, why });
            }
            Cue::Tired => self.down(Dimension::Energy, 0.20, 0.08, "you were tired"),
            Cue::Slang => self.down(Dimension::Formality, 0.20, 0.05, "you write casually"),
            Cue::Courtesy => self.up(Dimension::Formality, 0.80, 0.05, "you write politely"),
            Cue::Curiosity => self.up(Dimension::Depth, 0.75, 0.04, "you wanted to know why"),
            Cue::JokeWanted if jokes_today < JOKES_THAT_TELL => {}
            Cue::JokeWanted => self.up(Dimension::Humor, 0.85, 0.08, "you keep asking for jokes"),
        }
    }

    fn hear_sentiment(&mut self, signals: &Signals) {
        let valence = f64::from(signals.valence);
        if valence >= 0.25 {
            self.up(Dimension::Mood, 0.5 + 0.45 * valence, 0.06, "you sounded happy");
            self.down(Dimension::SupportNeed, 0.50, 0.10, "you sounded happy");
            if signals.arousal >= 0.6 {
                self.up(Dimension::Energy, 0.85, 0.08, "you were excited");
            }
        } else if valence <= -0.25 {
            self.down(Dimension::Mood, 0.5 + 0.35 * valence, 0.06, "you sounded unhappy");
            self.up(Dimension::SupportNeed, 0.5 - 0.3 * valence, 0.05, "you sounded unhappy");
        }
    }

    fn hear_habits(&mut self, signals: &Signals) {
        match signals.words {
            0 => {}
            1..=SHORT_MESSAGE => self.down(Dimension::Verbosity, 0.36, 0.02, "you write in few words"),
            LONG_MESSAGE.. => {
                self.up(Dimension::Verbosity, 0.70, 0.04, "you write at length");
                self.up(Dimension::Depth, 0.68, 0.02, "you write at length");
            }
            _ => {}
        }
    }

    fn hear_circumstances(&mut self, messages_today: u32, signals: &Signals, context: &MessageContext) {
        match context.reaction {
            Some(Reaction::Regenerated) => {
                self.down(Dimension::Mood, 0.40, 0.06, "you wanted another answer");
                self.up(Dimension::Depth, 0.70, 0.04, "you wanted another answer");
            }
            Some(Reaction::Stopped) => self.down(Dimension::Verbosity, 0.15, 0.06, "you stopped my answer"),
            Some(Reaction::Edited) => {
                self.up(Dimension::QuestionFrequency, 0.70, 0.05, "you had to say it again");
            }
            None => {}
        }
        if signals.words == 0 {
            return;
        }
        if LATE.iter().any(|hours| hours.contains(&context.now.hour())) {
            self.down(Dimension::Energy, 0.30, 0.04, "it was late");
        }
        if messages_today.is_multiple_of(TIRING) {
            self.down(Dimension::Energy, 0.15, 0.08, "we had talked a lot that day");
        }
        match context.since_last {
            Some(since) if since >= LONG_AWAY => self.up(Dimension::Mood, 0.75, 0.10, "you came back"),
            Some(since) if since <= AT_ONCE && !since.is_negative() && signals.words > SHORT_MESSAGE => {
                self.up(Dimension::Energy, 0.65, 0.04, "you answered at once");
            }
            _ => {}
        }
    }
}

fn wished(wish: Wish) -> &'static str {
    use Direction::{Down, Up};
    match (wish.dimension, wish.direction) {
        (Dimension::Mood, Up) => "you wished me happier",
        (Dimension::Mood, Down) => "you wished me less cheerful",
        (Dimension::Energy, Up) => "you asked for more energy",
        (Dimension::Energy, Down) => "you asked me to be calmer",
        (Dimension::Formality, Up) => "you asked me to be more formal",
        (Dimension::Formality, Down) => "you asked me to be less formal",
        (Dimension::Humor, Up) => "you asked for more humor",
        (Dimension::Humor, Down) => "you asked me to be serious",
        (Dimension::SupportNeed, Up) => "you asked for some warmth",
        (Dimension::SupportNeed, Down) => "you asked me to be direct",
        (Dimension::Verbosity, Up) => "you asked for more words",
        (Dimension::Verbosity, Down) => "you asked for shorter answers",
        (Dimension::Depth, Up) => "you asked for more detail",
        (Dimension::Depth, Down) => "you asked for something simpler",
        (Dimension::QuestionFrequency, Up) => "you like it when I ask",
        (Dimension::QuestionFrequency, Down) => "you asked for fewer questions",
    }
}

#[cfg(test)]
#[path = "message_effect_tests.rs"]
mod tests;
