use config::TitleStyle;
use model::ChatModel;
use protocol::{Act, Event, MessageStatus, Push, Role, StopReason};
use store::{NewEpoch, Summary, Turn};

use crate::assembly::{self, Branch};
use crate::companion::{Inner, lasting_key, metadata};
use crate::error::CompanionError;
use crate::{compaction, prompt, title};

impl Inner {
    /// Does the work that follows an answer: sets the title and summarises old messages.
    pub(crate) async fn settle(&self, turn: &Turn) -> Result<(), CompanionError> {
        let mut branch = self.branch_to(turn, turn.message).await?;
        let style = self.settings().title;
        let first = branch.summary().is_none() && branch.path.len() <= 2 && style != TitleStyle::Off;
        let question = branch.path.iter().find(|message| first && message.role == Role::User);
        if let Some(question) = question {
            self.name(turn, &title::from_message(&question.content)).await?;
        }
        let answer = branch.path.last().filter(|message| message.status == MessageStatus::Complete);
        let Some(answer) = answer else { return Ok(()) };
        let Ok(model) = self.models.current().await else { return Ok(()) };
        if let Some(question) = question.filter(|_| style == TitleStyle::Auto)
            && let Some(name) = title::from_model(model.as_ref(), &question.content, &answer.content).await
        {
            self.name(turn, &name).await?;
        }
        self.keep_secrets(turn.user, &mut branch, model.as_ref()).await?;
        self.compact(turn, &branch, model.as_ref()).await
    }

    async fn name(&self, turn: &Turn, title: &str) -> Result<(), CompanionError> {
        if !title.is_empty()
            && let Some(chat) = self.store.set_auto_title(turn.user, turn.conversation, title).await?
        {
            self.feed.tell(turn.user, Push::ChatChanged { chat });
        }
        Ok(())
    }

    /// Summarises the older part of a branch that approaches the model's limit, and lets the model read the shorter
    /// prompt in advance.
    async fn compact(
        &self,
        turn: &Turn,
        branch: &Branch,
        model: &dyn ChatModel,
    ) -> Result<(), CompanionError> {
        // A very small model reads only the end of a conversation and no summary.
        if assembly::is_brief(model) {
            return Ok(());
        }
        let settings = self.settings();
        let budget = self.budget(model);
        let count = |text: &str| model.count_tokens(text).tokens;
        let Some(epoch) = &branch.epoch else { return Ok(()) };
        let user = self.store.user(turn.user).await?;
        let beginning = self.beginning(&user, model).await;
        let today = beginning.system;
        if !today.has_soul_of(&epoch.system) {
            // The next message begins a new epoch, for example in a mode with its own beginning.
            return Ok(());
        }
        let system = prompt::System::fixed(epoch.system.clone(), &today, &count);
        let whole = prompt::assemble(&system, epoch.summary.as_ref(), &branch.path, |_| Vec::new(), &count);
        let whole = whole.tokens + beginning.tokens;
        if !compaction::is_due(budget, whole, settings.summarise_at) {
            return Ok(());
        }
        let fixed = count(&system.text) + beginning.tokens;
        let target = compaction::target(budget, fixed, settings.summarise_to);
        let gone = prompt::messages_to_summarise(&branch.path, target, &count);
        if gone == 0 {
            return Ok(());
        }
        let most = compaction::longest_summary(budget);
        let text = compaction::summarise(model, branch.summary(), &branch.path[..gone], most, &count).await;
        let origins = assembly::origins(branch.summary(), &branch.path[..gone]);
        let summary = Summary { text, up_to: branch.path[gone - 1].id, origins };
        let new = NewEpoch { system: today.text.clone(), summary: Some(summary.clone()) };
        self.store.begin_epoch(turn.user, turn.conversation, new).await?;
        let (conversation_id, up_to) = (turn.conversation, summary.up_to);
        self.feed.tell(turn.user, Push::ChatSummarised { conversation_id, up_to });
        let next = prompt::assemble(&today, Some(&summary), &branch.path[gone..], |_| Vec::new(), &count);
        let request = model::ChatRequest {
            messages: next.messages,
            opening: next.opening,
            tools: beginning.offer.specs,
            cache_key: lasting_key(turn.conversation),
            priority: model::Priority::Background,
            ..model::ChatRequest::default()
        };
        model.prewarm(request).await?;
        Ok(())
    }

    /// Rebuilds the events of a turn from its message, after the stored ones have expired.
    pub(crate) async fn retell(&self, turn: &Turn) -> Result<Vec<Event>, CompanionError> {
        let answer = self.store.message(turn.user, turn.conversation, turn.message).await?;
        let mut events = vec![metadata(turn)];
        if let Some(content) = answer.reasoning {
            events.push(Event::Reasoning { content });
        }
        if !answer.memory.is_empty() {
            events.push(Event::Memory { items: answer.memory });
        }
        if !answer.plan.is_empty() {
            events.push(Event::Plan { steps: answer.plan });
        }
        events.extend(words_and_acts(&answer.content, answer.acts));
        events.push(Event::Usage(turn.usage));
        events.push(match (answer.error, answer.error_code) {
            (Some(message), Some(code)) => Event::Error { message, code },
            _ => Event::Done {
                conversation_id: turn.conversation,
                message_id: turn.message,
                stop_reason: answer.stop_reason.unwrap_or(StopReason::Cut),
            },
        });
        Ok(events)
    }
}

/// Returns the text of an answer, with the tool calls at their positions in it.
fn words_and_acts(content: &str, acts: Vec<Act>) -> Vec<Event> {
    let mut events = Vec::new();
    let units: Vec<u16> = content.encode_utf16().collect();
    let mut told = 0;
    for act in acts {
        let place = usize::try_from(act.at).unwrap_or(usize::MAX).clamp(told, units.len());
        events.extend(words(&units[told..place]));
        told = place;
        let Act { id, name, args, status, result, ms, command, at, .. } = act;
        events.extend(command.map(|command| Event::Command { id: id.clone(), command }));
        events.push(Event::Tool { id, name, args, status, result, ms, at: Some(at) });
    }
    events.extend(words(&units[told..]));
    events
}

fn words(units: &[u16]) -> Option<Event> {
    (!units.is_empty()).then(|| Event::Token { content: String::from_utf16_lossy(units) })
}
