use std::process::ExitCode;

use protocol::{ErrorCode, Event, StopReason};

use crate::chat::questions::{Answering, Questions};
use crate::chat::turn::Turn;
use crate::chat::view::{End, Manner, ReplyView, Told, remark};
use crate::client::{Client, Refused};
use crate::commands::interrupted;
use crate::terminal::{self, QuietKeys, clean, sentence};

/// The result of a turn that was followed to its end.
pub struct Followed {
    pub code: ExitCode,
    pub told: Told,
}

/// Shows the answer to one message.
pub async fn follow<'a>(
    client: &'a Client,
    begun: impl Future<Output = anyhow::Result<Turn<'a>>>,
    manner: Manner,
    answering: Answering,
) -> Followed {
    let ended = |code| Followed { code, told: Told::default() };
    let mut interruption = Box::pin(interrupted());
    let begun = tokio::select! {
        begun = begun => begun,
        code = &mut interruption => return ended(ExitCode::from(code)),
    };
    let mut turn = match begun {
        Ok(turn) => turn,
        Err(error) => return ended(refuse(&error, manner)),
    };
    let quiet = matches!(manner, Manner::Rendered(_)).then(QuietKeys::new);
    let mut view = ReplyView::new(manner, "");
    view.echoes = turn.echoes;
    let mut stopped = None;
    let mut questions = Questions::new(client, answering);
    loop {
        let next = tokio::select! {
            next = turn.next() => next,
            answered = questions.answer() => {
                if let Err(error) = answered {
                    view.finish();
                    return ended(refuse(&error, manner));
                }
                continue;
            }
            code = &mut interruption, if stopped.is_none() => {
                stopped = Some(code);
                turn.stop().await.ok();
                continue;
            }
        };
        match next {
            Ok(Some(event)) => {
                view.show(&event);
                questions.hear(&event.event);
            }
            Ok(None) => break,
            Err(error) => {
                view.finish();
                return ended(refuse(&error, manner));
            }
        }
    }
    let told = view.finish();
    // Each restores the terminal mode that it found, so the order matters.
    drop(questions);
    drop(quiet);
    let code = match (&told.end, stopped) {
        (_, Some(code)) => ExitCode::from(code),
        (Some(End::Failed(message)), None) => {
            eprintln!("{}", clean(&sentence(message)));
            ExitCode::FAILURE
        }
        (Some(End::Done(reason)), None) => {
            if let Some(remark) = remark(*reason) {
                eprintln!("{remark}");
            }
            if *reason == StopReason::Cut { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        (None, None) => ExitCode::FAILURE,
    };
    Followed { code, told }
}

/// Reports a turn that did not begin or was lost. JSON output gets an error event too.
fn refuse(error: &anyhow::Error, manner: Manner) -> ExitCode {
    let message = format!("{error:#}");
    if manner == Manner::Json {
        let code = error.downcast_ref::<Refused>().map_or(ErrorCode::Internal, |refused| refused.code);
        let event = Event::Error { message: message.clone(), code };
        terminal::print(&format!("{}\n", serde_json::to_string(&event).unwrap_or_default()));
    }
    eprintln!("{}", clean(&sentence(&message)));
    ExitCode::FAILURE
}
