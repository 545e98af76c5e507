use std::collections::HashMap;

use jiff::Zoned;
use model::{ChatModel, ModelError};
use protocol::{AttachmentInfo, MessageId, Origin, Role, User};
use store::{Epoch, NewEpoch, PathMessage, StoreError, Summary, Turn};
use tools::Taint;

use crate::brief;
use crate::compaction;
use crate::companion::Inner;
use crate::error::CompanionError;
use crate::fastpath::{self, Quick};
use crate::few::{self, ShownTools};
use crate::kit::Kit;
use crate::offer::{self, Form, Manner, Offer, Style};
use crate::plan::Plan;
use crate::prompt::{self, Abilities, Budget, Count, Picture, Prompt, System};
use crate::scale::Scale;

const SKILLS: &str = "Skills. Where one fits, read it with the tool `skill` before you begin:";
/// The greatest length of the list of skills, in characters; enough for about a hundred names with descriptions.
const SKILL_CHARS: usize = 7_000;

/// The greatest length of the system prompt of a very small model, in tokens.
const BRIEF_SYSTEM: u32 = 160;
/// The greatest length of the tool descriptions with a request to a small model, in tokens.
const MOST_FOR_REQUEST: u32 = 400;

/// The number of a branch's newest pictures that a model with vision gets.
const MOST_PICTURES: usize = 8;

/// The beginning of a prompt, and the tools that go with it.
pub(crate) struct Beginning {
    pub system: System,
    pub offer: Offer,
    /// The size of the tool definitions in the request, in tokens.
    pub tokens: u32,
}

/// Texts that are put before a message besides the time and its attachments: memories and the plan.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub texts: Vec<String>,
    /// The origins of the texts, besides the user and Luna.
    pub origins: Vec<Origin>,
}

/// The branch that ends with the message to be answered, and its prompt epoch.
pub(crate) struct Branch {
    pub epoch: Option<Epoch>,
    /// The messages that the epoch's summary does not cover.
    pub path: Vec<PathMessage>,
}

impl Branch {
    /// Returns the answer to the last message, if it needs no model.
    pub fn quick(&self, now: &Zoned) -> Option<Quick> {
        fastpath::quick(self.plain_question()?, now)
    }

    /// Returns the message to be answered, if it has no attachments.
    pub fn plain_question(&self) -> Option<&str> {
        let question = self.path.last().filter(|message| message.attachments.is_empty())?;
        Some(&question.content)
    }

    /// The origins of the texts, besides the user and Luna.
    pub fn taint(&self) -> Taint {
        origins(self.summary(), &self.path).into_iter().collect()
    }

    /// Returns the message to be answered, if it has not been sent to a model yet.
    pub fn unsent(&self) -> Option<&str> {
        let question = self.path.last().filter(|message| message.context.is_none())?;
        Some(&question.content)
    }

    /// Returns the message to be answered.
    pub fn question(&self) -> Option<&str> {
        self.path.last().map(|message| message.content.as_str())
    }

    /// Returns the names of the tools that the last answer used.
    pub fn used(&self) -> Vec<&str> {
        let last = self.path.iter().rfind(|message| message.role == Role::Assistant);
        let told = last.into_iter().flat_map(|answer| &answer.rounds).flat_map(|round| &round.told);
        told.map(|told| told.name.as_str()).filter(|name| *name != prompt::PLAN).collect()
    }

    /// Returns the user's messages in the branch.
    pub fn users_words(&self) -> Vec<String> {
        let users = self.path.iter().filter(|message| message.role == Role::User);
        users.map(|message| message.content.clone()).collect()
    }

    pub fn summary(&self) -> Option<&Summary> {
        self.epoch.as_ref().and_then(|epoch| epoch.summary.as_ref())
    }
}

impl Inner {
    pub(crate) async fn branch(&self, turn: &Turn) -> Result<Branch, StoreError> {
        let end = turn.user_message.unwrap_or(turn.message);
        self.branch_to(turn, end).await
    }

    pub(crate) async fn branch_to(&self, turn: &Turn, end: MessageId) -> Result<Branch, StoreError> {
        let epoch = self.store.epoch(turn.user, turn.conversation, end).await?;
        let after = epoch.as_ref().and_then(|epoch| epoch.summary.as_ref()).map(|summary| summary.up_to);
        let path = self.store.path(turn.user, turn.conversation, end, after).await?;
        Ok(Branch { epoch, path })
    }

    /// Composes the beginning of a prompt from the current state of the soul, the tools and the settings.
    pub(crate) async fn beginning(&self, user: &User, model: &dyn ChatModel) -> Beginning {
        if is_brief(model) {
            return self.bare_beginning(model);
        }
        let (settings, info, budget) = (self.settings(), model.info(), self.budget(model));
        let files = self.soul.files(&settings.name, &settings.user_name);
        let count = |text: &str| model.count_tokens(text).tokens;
        let manner = Manner::of(&info, settings.tools, budget.system);
        let (offer, skills) = match manner {
            Manner::ByRequest(_) => (Offer { style: Style::Text, ..Offer::default() }, String::new()),
            Manner::Always(style) => {
                let form = if Scale::of(info.parameters).is_small() { Form::Slim } else { Form::Full };
                let kit = (&Kit::default(), self.hands.as_ref());
                let offer = Offer::new(kit, user, style, form, budget.system / 2, &count);
                let skills = match form {
                    Form::Full => self.hands.skills().prompt(chars_of(budget.system / 4).min(SKILL_CHARS)),
                    Form::Slim => String::new(),
                };
                (offer, skills)
            }
        };
        let style = offer.style;
        let skills =
            (!skills.is_empty() && self.may_use(user, "skill")).then(|| format!("{SKILLS}\n{skills}"));
        let tone = self.tone(user.id).await.text;
        let tone = (!tone.is_empty()).then_some(tone);
        let abilities = Abilities { tools: offer.hint.clone(), skills, tone, style };
        let tokens = offer.specs.iter().map(|spec| offer::tokens(spec, &count)).sum();
        let left = budget.system.saturating_sub(tokens);
        let system = System::compose(&files, &abilities, &self.now(), left, &count);
        Beginning { system, offer, tokens }
    }

    /// Returns the tools for this one message, for a model that does not get them at the beginning of the prompt.
    pub(crate) fn tools_for(&self, user: &User, message: &str, model: &dyn ChatModel) -> Option<ShownTools> {
        self.tools_after(user, message, &[], model)
    }

    /// Like [`Inner::tools_for`], for a message after an answer that used the tools `before`.
    pub(crate) fn tools_after(
        &self,
        user: &User,
        message: &str,
        before: &[&str],
        model: &dyn ChatModel,
    ) -> Option<ShownTools> {
        let (info, budget) = (model.info(), self.budget(model));
        let Manner::ByRequest(most) = Manner::of(&info, self.settings().tools, budget.system) else {
            return None;
        };
        let count = |text: &str| model.count_tokens(text).tokens;
        let kit = (&Kit::default(), self.hands.as_ref());
        few::tools(kit, user, (message, before), most, budget.context.min(MOST_FOR_REQUEST), &count)
    }

    /// Composes the beginning of a prompt without tools, for a client that executes tools itself and for very small
    /// models.
    pub(crate) fn bare_beginning(&self, model: &dyn ChatModel) -> Beginning {
        let (settings, budget) = (self.settings(), self.budget(model));
        let count = |text: &str| model.count_tokens(text).tokens;
        if is_brief(model) {
            let files = self.soul.brief(&settings.name, &settings.user_name);
            let examples = brief::examples(&settings.name);
            let system = System::brief(&files, examples, BRIEF_SYSTEM.min(budget.system), &count);
            return Beginning { system, offer: Offer::default(), tokens: 0 };
        }
        let files = self.soul.files(&settings.name, &settings.user_name);
        let system = System::compose(&files, &Abilities::default(), &self.now(), budget.system, &count);
        Beginning { system, offer: Offer::default(), tokens: 0 }
    }

    /// Returns the fixed answer to small talk, for a very small model and an unchanged soul.
    pub(crate) fn small_talk(&self, question: &str, model: &dyn ChatModel) -> Option<String> {
        let knows = is_brief(model) && self.soul.is_as_shipped();
        if knows { brief::small_talk(question, &self.settings().name) } else { None }
    }

    /// Returns the fixed answer to a request that calls for a tool, for a very small model. Such a model cannot use tools,
    /// and pretends to have done what it was asked for.
    pub(crate) fn beyond_model(&self, message: &str, model: &dyn ChatModel) -> Option<String> {
        let is_beyond = is_brief(model) && few::calls_for_one(&Kit::default(), &self.hands, message);
        is_beyond.then(|| brief::NEEDS_A_TOOL.to_owned())
    }

    /// Returns the plan of an earlier answer to the same message, reset to its first step.
    pub(crate) async fn earlier_plan(&self, turn: &Turn) -> Option<Plan> {
        let question = turn.user_message?;
        match self.store.plan_for(turn.user, question).await {
            Ok(steps) => Plan::again(&steps),
            Err(error) => {
                tracing::warn!("the plan of an earlier answer cannot be read: {error}");
                None
            }
        }
    }

    fn may_use(&self, user: &User, name: &str) -> bool {
        self.hands.permitted(user).iter().any(|tool| tool.spec().name == name)
    }

    pub(crate) fn budget(&self, model: &dyn ChatModel) -> Budget {
        let info = model.info();
        Budget::new(&info, self.settings().sampling.max_tokens)
    }

    /// Assembles the prompt. The context of a message, with `extra` in it, is stored the first time that the message is
    /// sent and does not change afterwards.
    pub(crate) async fn prompt(
        &self,
        turn: &Turn,
        mut branch: Branch,
        beginning: &Beginning,
        extra: Extra,
        model: &dyn ChatModel,
    ) -> Result<Prompt, CompanionError> {
        let count = |text: &str| model.count_tokens(text).tokens;
        self.keep_secrets(turn.user, &mut branch, model).await?;
        let mut budget = self.budget(model);
        budget.prompt = budget.prompt.saturating_sub(beginning.tokens);
        if let Some(question) = branch.path.last_mut().filter(|message| message.context.is_none()) {
            let mut attached =
                self.attached(turn, &question.attachments, model, budget.context, &count).await;
            attached.extend(extra.texts);
            let context = if is_brief(model) {
                brief::context(&self.now(), &question.content, &attached)
            } else {
                prompt::context_block(&self.now(), &attached)
            };
            self.store.freeze_context(turn.user, question.id, &context, extra.origins).await?;
            question.context = Some(context);
        }
        let today = beginning.system.clone();
        let (system, summary) = match branch.epoch.take() {
            Some(epoch) if today.has_soul_of(&epoch.system) => {
                (System::fixed(epoch.system, &today, &count), epoch.summary)
            }
            earlier => {
                let summary = earlier.and_then(|epoch| epoch.summary);
                let new = NewEpoch { system: today.text.clone(), summary: summary.clone() };
                self.store.begin_epoch(turn.user, turn.conversation, new).await?;
                (today, summary)
            }
        };
        let summary = summary.filter(|_| !is_brief(model));
        if is_brief(model) {
            brief::end_of(&mut branch.path);
        }
        let pictures = self.pictures(turn, &branch.path, model).await;
        let seen = |message: &PathMessage| pictures.get(&message.id).cloned().unwrap_or_default();
        if !prompt::is_far_too_long(&branch.path, budget) {
            let assembled = prompt::assemble(&system, summary.as_ref(), &branch.path, seen, &count);
            if assembled.tokens <= budget.prompt {
                return Ok(assembled);
            }
        }
        // The prompt does not fit: the older part is summarised immediately by extraction, without a model.
        let fixed = count(&system.text);
        let target = compaction::target(budget, fixed, self.settings().summarise_to);
        let gone = prompt::messages_to_summarise(&branch.path, target, &count);
        if gone == 0 {
            let assembled = prompt::assemble(&system, summary.as_ref(), &branch.path, seen, &count);
            return Err(ModelError::ContextFull { needed: assembled.tokens, limit: budget.prompt }.into());
        }
        let most = compaction::longest_summary(budget);
        let text = compaction::extract(summary.as_ref(), &branch.path[..gone], most, &count);
        let origins = origins(summary.as_ref(), &branch.path[..gone]);
        let summary = Summary { text, up_to: branch.path[gone - 1].id, origins };
        let new = NewEpoch { system: system.text.clone(), summary: Some(summary.clone()) };
        self.store.begin_epoch(turn.user, turn.conversation, new).await?;
        self.feed.tell(
            turn.user,
            protocol::Push::ChatSummarised { conversation_id: turn.conversation, up_to: summary.up_to },
        );
        let assembled = prompt::assemble(&system, Some(&summary), &branch.path[gone..], seen, &count);
        if assembled.tokens > model.info().context {
            return Err(ModelError::ContextFull { needed: assembled.tokens, limit: budget.prompt }.into());
        }
        Ok(assembled)
    }

    /// Returns the texts that the attachments of a message add to its context.
    async fn attached(
        &self,
        turn: &Turn,
        attachments: &[AttachmentInfo],
        model: &dyn ChatModel,
        budget: u32,
        count: Count<'_>,
    ) -> Vec<String> {
        let share = budget / u32::try_from(attachments.len().max(1)).unwrap_or(u32::MAX);
        let mut texts = Vec::new();
        for info in attachments {
            if is_picture(info) {
                if !model.info().vision {
                    texts.push(format!("Attached picture {}: this model cannot see pictures.", info.name));
                }
                continue;
            }
            let text = match self.store.attachment(turn.user, info.id).await {
                Ok(attachment) => String::from_utf8(attachment.data).ok(),
                Err(_) => None,
            };
            texts.push(match text {
                Some(text) => prompt::attached_text(&info.name, &text, share, count),
                None => format!("Attached file {}: it is not text, so it cannot be read.", info.name),
            });
        }
        texts
    }

    /// Returns the newest pictures of a branch, for a model with vision.
    async fn pictures(
        &self,
        turn: &Turn,
        path: &[PathMessage],
        model: &dyn ChatModel,
    ) -> HashMap<MessageId, Vec<Picture>> {
        let mut pictures: HashMap<MessageId, Vec<Picture>> = HashMap::new();
        if !model.info().vision {
            return pictures;
        }
        let mut left = MOST_PICTURES;
        for message in path.iter().rev() {
            for info in message.attachments.iter().filter(|info| is_picture(info)) {
                if left == 0 {
                    return pictures;
                }
                if let Ok(attachment) = self.store.attachment(turn.user, info.id).await {
                    let picture = Picture { mime: info.mime.clone(), bytes: attachment.data.into() };
                    pictures.entry(message.id).or_default().push(picture);
                    left -= 1;
                }
            }
        }
        pictures
    }
}

/// Returns true if the model is so small that its prompt is reduced to a minimum.
pub(crate) fn is_brief(model: &dyn ChatModel) -> bool {
    Scale::of(model.info().parameters) == Scale::Tiny
}

/// Returns the origins of the content in the messages and in the summary before them, besides the user and Luna.
pub(crate) fn origins(summary: Option<&Summary>, messages: &[PathMessage]) -> Vec<Origin> {
    let before = summary.into_iter().flat_map(|summary| summary.origins.iter().cloned());
    let told = messages.iter().flat_map(|message| {
        let files = message.attachments.iter().map(|file| {
            let name = file.name.clone();
            if is_picture(file) { Origin::Picture(name) } else { Origin::File(name) }
        });
        message.origins.iter().cloned().chain(files)
    });
    before.chain(told).collect::<Taint>().origins().to_vec()
}

/// Returns a number of characters that surely fits into `tokens`: three per token.
fn chars_of(tokens: u32) -> usize {
    usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(3)
}

fn is_picture(info: &AttachmentInfo) -> bool {
    info.mime.starts_with("image/")
}
