use std::process::ExitCode;

use client::{Client, ErrorResponse, TurnStream};
use protocol::{ErrorCode, Event, StopReason};
use terminal::{EchoOff, clean, interrupted, print, print_error};
use tools::sentence;

use crate::confirmations::{ConfirmationPolicy, ConfirmationQueue};
use crate::reply_view::{OutputFormat, ReplyView, TurnEnd, TurnOutcome, end_remark};

/// The result of a turn that was followed to its end.
pub struct ShownTurn {
    pub code: ExitCode,
    pub outcome: TurnOutcome,
}

/// Shows the answer to one message.
pub async fn show_turn<'a>(
    client: &'a Client,
    started: impl Future<Output = anyhow::Result<TurnStream<'a>>>,
    format: OutputFormat,
    policy: ConfirmationPolicy,
) -> ShownTurn {
    let ended = |code| ShownTurn { code, outcome: TurnOutcome::default() };
    let mut interruption = Box::pin(interrupted());
    let started = tokio::select! {
        started = started => started,
        code = &mut interruption => return ended(ExitCode::from(code)),
    };
    let mut turn = match started {
        Ok(turn) => turn,
        Err(error) => return ended(report_failure(&error, format)),
    };
    let echo_off = matches!(format, OutputFormat::Rendered(_)).then(EchoOff::begin);
    let mut view = ReplyView::new(format, "");
    view.shows_tool_output = turn.shows_tool_output;
    let mut stopped = None;
    let mut confirmations = ConfirmationQueue::new(client, policy);
    loop {
        let next = tokio::select! {
            next = turn.next() => next,
            answered = confirmations.answer() => {
                if let Err(error) = answered {
                    view.finish();
                    return ended(report_failure(&error, format));
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
                confirmations.observe(&event.event);
            }
            Ok(None) => break,
            Err(error) => {
                view.finish();
                return ended(report_failure(&error, format));
            }
        }
    }
    let outcome = view.finish();
    // Each restores the terminal mode that it found, so the order matters.
    drop(confirmations);
    drop(echo_off);
    let code = match (&outcome.end, stopped) {
        (_, Some(code)) => ExitCode::from(code),
        (Some(TurnEnd::Failed(message)), None) => {
            print_error(&clean(&sentence(message)));
            ExitCode::FAILURE
        }
        (Some(TurnEnd::Done(reason)), None) => {
            if let Some(remark) = end_remark(*reason) {
                print_error(remark);
            }
            if *reason == StopReason::Cut { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        (None, None) => ExitCode::FAILURE,
    };
    ShownTurn { code, outcome }
}

/// Reports a turn that did not begin or was lost. JSON output gets an error event too.
fn report_failure(error: &anyhow::Error, format: OutputFormat) -> ExitCode {
    let message = format!("{error:#}");
    if format == OutputFormat::Json {
        let code = error.downcast_ref::<ErrorResponse>().map_or(ErrorCode::Internal, |refused| refused.code);
        let event = Event::Error { message: message.clone(), code };
        print(&format!("{}\n", serde_json::to_string(&event).unwrap_or_default()));
    }
    print_error(&clean(&sentence(&message)));
    ExitCode::FAILURE
}
