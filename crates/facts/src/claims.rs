//! Phrases a finding as a user would say it, so that a guess can be compared with the message.

use super::finding::Finding;
use super::note::as_spoken;
use super::slot::SlotKind;

/// Returns the phrasings of a finding. The one nearest to the words of the message counts.
pub fn claims(finding: &Finding) -> Vec<String> {
    let content = finding.content.trim_end_matches('.');
    let mut claims = vec![as_spoken(content, &finding.subject)];
    let Some(slot) = &finding.slot else { return claims };
    let (value, mine) = (&finding.value, finding.subject.is_empty());
    let who = if mine { "I".to_owned() } else { format!("my {}", finding.subject) };
    match slot.kind {
        SlotKind::Home if mine => {
            claims.extend([format!("I moved to {value}"), format!("{value} is home now")]);
        }
        SlotKind::Home => claims.extend([format!("{who} moved to {value}"), format!("{who} is in {value}")]),
        SlotKind::Employer => claims.push(format!("{who} started a new job at {value}")),
        SlotKind::Job => {
            let job = content.split_once("orks as ").map_or(value.as_str(), |(_, job)| job);
            claims.extend([format!("my job is {job}"), format!("I became {job}")]);
        }
        SlotKind::Relative => {
            claims.extend([format!("{value} is my {}", slot.of), format!("{value} and I are a couple")]);
        }
        SlotKind::Thing => claims.push(format!("my {} is a {value}", slot.of)),
        SlotKind::Birthday => {
            claims.extend([format!("I was born on {value}"), format!("my birthday is on {value}")]);
        }
        SlotKind::Name => claims.push(format!("my name is {value}")),
        SlotKind::Taste if mine => {
            let (_, thing) = content.split_once(' ').unwrap_or_default();
            let (is, was) = if value == "likes" { ("great", "hate") } else { ("awful", "love") };
            claims.extend([format!("{thing} is {is}"), format!("I used to {was} {thing}")]);
        }
        _ => {}
    }
    claims
}
