use std::pin::pin;

use protocol::{
    ApplyRequest, EditedHunk, FileChangeKind, FileChoice, Proposal, ProposalFile, ProposalId, VerifyOutcome,
};
use serde_json::json;

use super::piece;
use crate::client::Client;
use crate::commands::interrupted;
use crate::terminal::{Colour, Keys, Screen, Style, clean_line, confirm, count, print, say, sentence, tell};

/// The result of a review.
#[derive(Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// The changes were written to these files.
    Applied(Vec<String>),
    Rejected,
    /// The proposal stays open.
    Later,
    /// The proposal stays open, and the program ends with this exit code.
    BrokenOff(u8),
}

/// The decision that a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Take,
    Leave,
    Edit,
    /// Accept this hunk and all that follow, in every file.
    TakeRest,
    /// Reject this hunk and the rest of its file.
    LeaveFile,
    Later,
    Help,
}

const KEYS: &str = "y take it, n leave it, e edit it, a take it and all that follow, d leave the rest of this file, \
                    q decide later (nothing is written), ? this help";

fn said(key: Option<char>) -> Option<Said> {
    Some(match key {
        Some('y' | 'Y') => Said::Take,
        Some('n' | 'N') => Said::Leave,
        Some('e' | 'E') => Said::Edit,
        Some('a' | 'A') => Said::TakeRest,
        Some('d' | 'D') => Said::LeaveFile,
        // Ctrl-D leaves the review.
        Some('q' | 'Q' | '\u{4}') | None => Said::Later,
        Some('?' | 'h') => Said::Help,
        Some(_) => return None,
    })
}

/// Shows each hunk of a proposal for a decision, then writes the accepted ones.
pub async fn review(client: &Client, id: ProposalId, screen: Screen) -> anyhow::Result<Reviewed> {
    let door = format!("/api/code/proposals/{id}");
    let mut proposal: Proposal = client.get(&door).await?;
    if !proposal.stale.is_empty() {
        let files: Vec<String> = proposal.stale.iter().map(|file| clean_line(file)).collect();
        tell(Style::coloured(Colour::Yellow), &format!("Changed meanwhile: {}.", files.join(", ")));
        if !confirm("Lay her changes onto the files as they are now?") {
            return Ok(Reviewed::Later);
        }
        proposal = client.post(&format!("{door}/rebase"), &json!({})).await?;
    }
    introduce(&proposal, screen);
    let files = match choose(&proposal, screen).await? {
        Ok(files) => files,
        Err(undecided) => return Ok(undecided),
    };
    if files.is_empty() {
        let _: Proposal = client.post(&format!("{door}/reject"), &json!({})).await?;
        return Ok(Reviewed::Rejected);
    }
    let names = files.iter().map(|file| file.path.clone()).collect();
    let _: Proposal = client.post(&format!("{door}/apply"), &ApplyRequest { files: Some(files) }).await?;
    Ok(Reviewed::Applied(names))
}

/// Prints the proposal's summary and the results of its build and tests.
fn introduce(proposal: &Proposal, screen: Screen) {
    let (added, removed) = proposal
        .files
        .iter()
        .fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
    say!("");
    say!("{} +{added} −{removed}", screen.paint.bold(&count(proposal.files.len(), "file")));
    let Some(report) = &proposal.verify else { return };
    let style = match report.outcome {
        VerifyOutcome::Passed => Style::coloured(Colour::Green),
        VerifyOutcome::Failed | VerifyOutcome::TimedOut => Style::coloured(Colour::Red),
        VerifyOutcome::Missing | VerifyOutcome::Nothing | VerifyOutcome::Stopped => Style::DIM,
    };
    tell(style, &sentence(&report.summary));
}

/// Returns the accepted hunks of each file, or the reason why the review ended early.
async fn choose(proposal: &Proposal, screen: Screen) -> anyhow::Result<Result<Vec<FileChoice>, Reviewed>> {
    let mut taken = Vec::new();
    let mut take_all = false;
    for file in &proposal.files {
        if take_all {
            taken.push(FileChoice { path: file.path.clone(), hunks: None, edited: Vec::new() });
            continue;
        }
        title(file, screen);
        let mut choice = FileChoice { path: file.path.clone(), hunks: Some(Vec::new()), edited: Vec::new() };
        let mut pieces = file.hunks.iter();
        while let Some(hunk) = pieces.next() {
            print(&piece::shown(screen.paint, hunk));
            match ask(&file.path, hunk).await? {
                Answer::Take => choice.hunks.get_or_insert_default().push(hunk.id),
                Answer::Written(text) => choice.edited.push(EditedHunk { id: hunk.id, text }),
                Answer::Leave => {}
                Answer::LeaveFile => break,
                Answer::TakeRest => {
                    take_all = true;
                    let rest = std::iter::once(hunk).chain(pieces.by_ref()).map(|hunk| hunk.id);
                    choice.hunks.get_or_insert_default().extend(rest);
                }
                Answer::Later => return Ok(Err(Reviewed::Later)),
                Answer::BrokenOff(code) => return Ok(Err(Reviewed::BrokenOff(code))),
            }
        }
        if choice.hunks.as_ref().is_some_and(|hunks| !hunks.is_empty()) || !choice.edited.is_empty() {
            taken.push(choice);
        }
    }
    Ok(Ok(taken))
}

enum Answer {
    Take,
    Leave,
    Written(String),
    TakeRest,
    LeaveFile,
    Later,
    BrokenOff(u8),
}

async fn ask(path: &str, hunk: &protocol::DiffHunk) -> anyhow::Result<Answer> {
    loop {
        let answer = {
            // Only keys pressed after the question count. The terminal mode is restored before an editor opens.
            let mut keys = Keys::read();
            let mut broken_off = pin!(interrupted());
            print("Take this? [y,n,e,a,d,q,?] ");
            loop {
                let key = tokio::select! {
                    key = keys.next() => key,
                    code = &mut broken_off => {
                        say!("");
                        return Ok(Answer::BrokenOff(code));
                    }
                };
                if let Some(said) = said(key) {
                    break said;
                }
            }
        };
        say!("");
        return Ok(match answer {
            Said::Take => Answer::Take,
            Said::Leave => Answer::Leave,
            Said::TakeRest => Answer::TakeRest,
            Said::LeaveFile => Answer::LeaveFile,
            Said::Later => Answer::Later,
            Said::Edit => match piece::edited(path, hunk) {
                Ok(Some(text)) => Answer::Written(text),
                Ok(None) => {
                    tell(Style::DIM, "It came back as it was.");
                    continue;
                }
                Err(error) => {
                    tell(Style::coloured(Colour::Red), &sentence(&format!("{error:#}")));
                    continue;
                }
            },
            Said::Help => {
                tell(Style::DIM, KEYS);
                continue;
            }
        });
    }
}

fn title(file: &ProposalFile, screen: Screen) {
    let kind = match file.kind {
        FileChangeKind::Added => " (new)",
        FileChangeKind::Deleted => " (deleted)",
        FileChangeKind::Renamed => " (renamed)",
        FileChangeKind::Binary => " (not text)",
        FileChangeKind::Changed => "",
    };
    let from =
        file.renamed_from.as_ref().map(|from| format!(" from {}", clean_line(from))).unwrap_or_default();
    say!("\n{}{from}{kind}", screen.paint.bold(&clean_line(&file.path)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_the_help_says() {
        for (key, expected) in [
            ('y', Some(Said::Take)),
            ('N', Some(Said::Leave)),
            ('e', Some(Said::Edit)),
            ('a', Some(Said::TakeRest)),
            ('d', Some(Said::LeaveFile)),
            ('q', Some(Said::Later)),
            ('?', Some(Said::Help)),
            ('\n', None),
            ('x', None),
        ] {
            assert_eq!(said(Some(key)), expected, "{key:?}");
        }
        assert_eq!(said(None), Some(Said::Later), "nobody is there, so nothing is written");
    }
}
