//! Long conversations of two people over many sessions, with questions and the turns that answer them, in the format of
//! LoCoMo.

use std::path::Path;

use anyhow::Context as _;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// The default path of the data.
pub const USUAL: &str = "../shared/data/locomo-dev.json";

/// A conversation of the data.
pub struct RecordedDialogue {
    pub speakers: [String; 2],
    pub sessions: Vec<Vec<SpokenTurn>>,
    pub questions: Vec<DialogueQuestion>,
}

pub struct SpokenTurn {
    pub id: String,
    pub speaker: String,
    pub text: String,
    pub at: Timestamp,
}

pub struct DialogueQuestion {
    pub text: String,
    pub category: i64,
    pub gold: Vec<String>,
}

pub fn read(file: &Path) -> anyhow::Result<Vec<RecordedDialogue>> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("{} cannot be read: name a file of that form with --data FILE", file.display())
    })?;
    let data: Value = serde_json::from_str(&text)?;
    let talks = data.as_array().context("the data is no list of conversations")?;
    talks.iter().map(talk).collect()
}

fn talk(data: &Value) -> anyhow::Result<RecordedDialogue> {
    let conversation = data["conversation"].as_object().context("there is no conversation")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut numbers: Vec<u32> =
        conversation.keys().filter_map(|key| key.strip_prefix("session_")?.parse().ok()).collect();
    numbers.sort_unstable();
    let mut sessions = Vec::new();
    for number in numbers {
        let began = moment(&text(&conversation[&format!("session_{number}_date_time")]))?;
        let turns = conversation[&format!("session_{number}")].as_array().cloned().unwrap_or_default();
        let said = turns.iter().zip(0_i64..).map(|(turn, minute)| {
            let photo: Vec<&str> =
                ["blip_caption", "query"].iter().filter_map(|key| turn[*key].as_str()).collect();
            let photo =
                if photo.is_empty() { String::new() } else { format!(" [photo: {}]", photo.join("; ")) };
            SpokenTurn {
                id: text(&turn["dia_id"]),
                speaker: text(&turn["speaker"]),
                text: format!("{}{photo}", text(&turn["text"])),
                at: Timestamp::from_second(began.as_second() + 60 * minute).unwrap_or(began),
            }
        });
        sessions.push(said.filter(|said| !said.text.trim().is_empty()).collect());
    }
    let questions = data["qa"].as_array().cloned().unwrap_or_default();
    let questions = questions.iter().map(|question| DialogueQuestion {
        text: text(&question["question"]),
        category: question["category"].as_i64().unwrap_or(0),
        gold: question["evidence"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(|id| text(id).split([';', ',', ' ']).map(str::to_owned).collect::<Vec<_>>())
            .filter(|id| !id.is_empty())
            .collect(),
    });
    Ok(RecordedDialogue {
        speakers: [text(&conversation["speaker_a"]), text(&conversation["speaker_b"])],
        sessions,
        questions: questions.collect(),
    })
}

/// Parses a time such as `1:56 pm on 8 May, 2023`.
fn moment(text: &str) -> anyhow::Result<Timestamp> {
    let read =
        DateTime::strptime("%I:%M %p on %d %B, %Y", text.trim().to_uppercase().replace(" ON ", " on "));
    let read = read.with_context(|| format!("“{text}” is no date of a session"))?;
    Ok(read.to_zoned(TimeZone::UTC)?.timestamp())
}
