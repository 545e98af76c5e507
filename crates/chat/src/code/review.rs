use std::pin::pin;

use client::Client;
use protocol::{
    ApplyRequest, EditedHunk, FileChangeKind, FileChoice, Proposal, ProposalFile, ProposalId, VerifyOutcome,
};
use serde_json::json;
use terminal::{
    AnsiColour, KeyReader, Screen, TextStyle, clean_line, confirm, count, interrupted, print, print_line,
    print_paragraph,
};
use tools::sentence;

use super::hunk;

/// The result of a review.
#[derive(Debug, PartialEq, Eq)]
pub enum ReviewOutcome {
    /// The changes were written to these files.
    Applied(Vec<String>),
    Rejected,
    /// The proposal stays open.
    Later,
    /// The proposal stays open, and the program ends with this exit code.
    Interrupted(u8),
}

/// The decision that a key stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReviewKey {
    Accept,
    Reject,
    Edit,
    /// Accept this hunk and all that follow, in every file.
    AcceptRest,
    /// Reject this hunk and the rest of its file.
    RejectFile,
    Later,
    Help,
}

const KEYS: &str = "y accept it, n reject it, e edit it, a accept it and all that follow, d reject the rest of this \
                    file, q decide later (nothing is written), ? this help";

fn review_key(key: Option<char>) -> Option<ReviewKey> {
    Some(match key {
        Some('y' | 'Y') => ReviewKey::Accept,
        Some('n' | 'N') => ReviewKey::Reject,
        Some('e' | 'E') => ReviewKey::Edit,
        Some('a' | 'A') => ReviewKey::AcceptRest,
        Some('d' | 'D') => ReviewKey::RejectFile,
        // Ctrl-D leaves the review.
        Some('q' | 'Q' | '\u{4}') | None => ReviewKey::Later,
        Some('?' | 'h') => ReviewKey::Help,
        Some(_) => return None,
    })
}

/// Shows each hunk of a proposal for a decision, then writes the accepted ones.
pub async fn review(client: &Client, id: ProposalId, screen: Screen) -> anyhow::Result<ReviewOutcome> {
    let path = format!("/api/code/proposals/{id}");
    let mut proposal: Proposal = client.get(&path).await?;
    if !proposal.stale.is_empty() {
        let files: Vec<String> = proposal.stale.iter().map(|file| clean_line(file)).collect();
        print_paragraph(
            TextStyle::coloured(AnsiColour::Yellow),
            &format!("Changed in the meantime: {}.", files.join(", ")),
        );
        if !confirm("Apply the changes to the files as they are now?") {
            return Ok(ReviewOutcome::Later);
        }
        proposal = client.post(&format!("{path}/rebase"), &json!({})).await?;
    }
    print_summary(&proposal, screen);
    let files = match decide(&proposal, screen).await? {
        Ok(files) => files,
        Err(undecided) => return Ok(undecided),
    };
    if files.is_empty() {
        let _: Proposal = client.post(&format!("{path}/reject"), &json!({})).await?;
        return Ok(ReviewOutcome::Rejected);
    }
    let names = files.iter().map(|file| file.path.clone()).collect();
    let _: Proposal = client.post(&format!("{path}/apply"), &ApplyRequest { files: Some(files) }).await?;
    Ok(ReviewOutcome::Applied(names))
}

/// Prints the proposal's summary and the results of its build and tests.
fn print_summary(proposal: &Proposal, screen: Screen) {
    let (added, removed) = proposal
        .files
        .iter()
        .fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
    print_line!("");
    print_line!("{} +{added} −{removed}", screen.painter.bold(&count(proposal.files.len(), "file")));
    let Some(report) = &proposal.verify else { return };
    let style = match report.outcome {
        VerifyOutcome::Passed => TextStyle::coloured(AnsiColour::Green),
        VerifyOutcome::Failed | VerifyOutcome::TimedOut => TextStyle::coloured(AnsiColour::Red),
        VerifyOutcome::Missing | VerifyOutcome::Nothing | VerifyOutcome::Stopped => TextStyle::DIM,
    };
    print_paragraph(style, &sentence(&report.summary));
}

/// Returns the accepted hunks of each file, or the reason why the review ended early.
async fn decide(
    proposal: &Proposal,
    screen: Screen,
) -> anyhow::Result<Result<Vec<FileChoice>, ReviewOutcome>> {
    let mut accepted = Vec::new();
    let mut accept_all = false;
    for file in &proposal.files {
        if accept_all {
            accepted.push(FileChoice { path: file.path.clone(), hunks: None, edited: Vec::new() });
            continue;
        }
        print_title(file, screen);
        let mut choice = FileChoice { path: file.path.clone(), hunks: Some(Vec::new()), edited: Vec::new() };
        let mut hunks = file.hunks.iter();
        while let Some(hunk) = hunks.next() {
            print(&hunk::format(screen.painter, hunk));
            match ask(&file.path, hunk).await? {
                HunkDecision::Accept => choice.hunks.get_or_insert_default().push(hunk.id),
                HunkDecision::Edited(text) => choice.edited.push(EditedHunk { id: hunk.id, text }),
                HunkDecision::Reject => {}
                HunkDecision::RejectFile => break,
                HunkDecision::AcceptRest => {
                    accept_all = true;
                    let rest = std::iter::once(hunk).chain(hunks.by_ref()).map(|hunk| hunk.id);
                    choice.hunks.get_or_insert_default().extend(rest);
                }
                HunkDecision::Later => return Ok(Err(ReviewOutcome::Later)),
                HunkDecision::Interrupted(code) => return Ok(Err(ReviewOutcome::Interrupted(code))),
            }
        }
        if choice.hunks.as_ref().is_some_and(|hunks| !hunks.is_empty()) || !choice.edited.is_empty() {
            accepted.push(choice);
        }
    }
    Ok(Ok(accepted))
}

enum HunkDecision {
    Accept,
    Reject,
    Edited(String),
    AcceptRest,
    RejectFile,
    Later,
    Interrupted(u8),
}

async fn ask(path: &str, hunk: &protocol::DiffHunk) -> anyhow::Result<HunkDecision> {
    loop {
        let answer = {
            // Only keys pressed after the question count. The terminal mode is restored before an editor opens.
            let mut keys = KeyReader::read();
            let mut interruption = pin!(interrupted());
            print("Accept this? [y,n,e,a,d,q,?] ");
            loop {
                let key = tokio::select! {
                    key = keys.next() => key,
                    code = &mut interruption => {
                        print_line!("");
                        return Ok(HunkDecision::Interrupted(code));
                    }
                };
                if let Some(pressed) = review_key(key) {
                    break pressed;
                }
            }
        };
        print_line!("");
        return Ok(match answer {
            ReviewKey::Accept => HunkDecision::Accept,
            ReviewKey::Reject => HunkDecision::Reject,
            ReviewKey::AcceptRest => HunkDecision::AcceptRest,
            ReviewKey::RejectFile => HunkDecision::RejectFile,
            ReviewKey::Later => HunkDecision::Later,
            ReviewKey::Edit => match hunk::edit(path, hunk) {
                Ok(Some(text)) => HunkDecision::Edited(text),
                Ok(None) => {
                    print_paragraph(TextStyle::DIM, "The text was not changed.");
                    continue;
                }
                Err(error) => {
                    print_paragraph(TextStyle::coloured(AnsiColour::Red), &sentence(&format!("{error:#}")));
                    continue;
                }
            },
            ReviewKey::Help => {
                print_paragraph(TextStyle::DIM, KEYS);
                continue;
            }
        });
    }
}

fn print_title(file: &ProposalFile, screen: Screen) {
    let kind = match file.kind {
        FileChangeKind::Added => " (new)",
        FileChangeKind::Deleted => " (deleted)",
        FileChangeKind::Renamed => " (renamed)",
        FileChangeKind::Binary => " (not text)",
        FileChangeKind::Changed => "",
    };
    let from =
        file.renamed_from.as_ref().map(|from| format!(" from {}", clean_line(from))).unwrap_or_default();
    print_line!("\n{}{from}{kind}", screen.painter.bold(&clean_line(&file.path)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_what_the_help_says() {
        for (key, expected) in [
            ('y', Some(ReviewKey::Accept)),
            ('N', Some(ReviewKey::Reject)),
            ('e', Some(ReviewKey::Edit)),
            ('a', Some(ReviewKey::AcceptRest)),
            ('d', Some(ReviewKey::RejectFile)),
            ('q', Some(ReviewKey::Later)),
            ('?', Some(ReviewKey::Help)),
            ('\n', None),
            ('x', None),
        ] {
            assert_eq!(review_key(Some(key)), expected, "{key:?}");
        }
        assert_eq!(review_key(None), Some(ReviewKey::Later), "nobody is there, so nothing is written");
    }
}
