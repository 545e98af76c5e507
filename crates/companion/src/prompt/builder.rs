use std::collections::HashMap;
use std::sync::Arc;

use model::{ChatModel, ModelError};
use protocol::{AttachmentInfo, MessageId, Origin, User};
use store::{EpochSummary, NewPromptEpoch, PathMessage, Turn};

use super::assembly::{self, AssembledPrompt, MessagePicture};
use super::branch::{Branch, is_picture, origins};
use super::budget::TokenBudget;
use super::compaction;
use super::private_facts;
use super::request_tools::{self, RequestTools};
use super::system_prompt::{PrefixParts, SystemPrompt};
use super::text::{TokenCounter, attached_text, context_block};
use super::tool_format::{ToolFormat, ToolPlacement};
use super::tool_offer::{self, SchemaDetail, ToolOffer};
use crate::error::CompanionError;
use crate::model_size::{ModelSize, is_tiny};
use crate::personality::Personalities;
use crate::services::Services;
use crate::tiny_model;
use crate::tool_set::ToolSet;

const SKILLS: &str = "Skills. Where one fits, read it with the tool `skill` before you begin:";
/// The greatest length of the list of skills, in characters; enough for about a hundred names with descriptions.
const SKILL_CHARS: usize = 7_000;

/// The greatest length of the system prompt of a very small model, in tokens.
const TINY_SYSTEM: u32 = 160;
/// The greatest length of the tool descriptions with a request to a small model, in tokens.
const MOST_FOR_REQUEST: u32 = 400;

/// The number of a branch's newest pictures that a model with vision gets.
const MOST_PICTURES: usize = 8;

/// The beginning of a prompt, and the tools that go with it.
pub struct PromptPrefix {
    pub system: SystemPrompt,
    pub offer: ToolOffer,
    /// The size of the tool definitions in the request, in tokens.
    pub tool_tokens: u32,
}

/// Texts that are put before a message besides the time and its attachments: memories and the plan.
#[derive(Debug, Default)]
pub struct MessageExtras {
    pub texts: Vec<String>,
    /// The origins of the texts, besides the user and Luna.
    pub origins: Vec<Origin>,
}

/// Composes prompts: the fixed beginning, the tools, and the branch of a conversation, under the model's budget.
pub struct PromptBuilder {
    services: Arc<Services>,
    personalities: Arc<Personalities>,
}

impl PromptBuilder {
    pub fn new(services: Arc<Services>, personalities: Arc<Personalities>) -> Self {
        Self { services, personalities }
    }

    /// Composes the beginning of a prompt from the current state of the soul, the tools and the settings.
    pub async fn prefix(&self, user: &User, model: &dyn ChatModel) -> PromptPrefix {
        if is_tiny(model) {
            return self.prefix_without_tools(model);
        }
        let (settings, info, budget) = (self.services.settings(), model.info(), self.budget(model));
        let files = self.services.soul.files(&settings.name, &settings.user_name);
        let count = |text: &str| model.count_tokens(text).tokens;
        let placement = ToolPlacement::of(&info, settings.tools, budget.system);
        let (offer, skills) = match placement {
            ToolPlacement::ByRequest(_) => {
                (ToolOffer { format: ToolFormat::Text, ..ToolOffer::default() }, String::new())
            }
            ToolPlacement::Always(format) => {
                let detail = if ModelSize::of(info.parameters).is_small() {
                    SchemaDetail::Slim
                } else {
                    SchemaDetail::Full
                };
                let tools = (&ToolSet::default(), self.services.tools.as_ref());
                let offer = ToolOffer::new(tools, user, format, detail, budget.system / 2, &count);
                let skills = match detail {
                    SchemaDetail::Full => {
                        self.services.tools.skills().prompt(chars_of(budget.system / 4).min(SKILL_CHARS))
                    }
                    SchemaDetail::Slim => String::new(),
                };
                (offer, skills)
            }
        };
        let format = offer.format;
        let skills = (!skills.is_empty() && self.services.tools.permits(user, "skill"))
            .then(|| format!("{SKILLS}\n{skills}"));
        let tone = self.personalities.tone(user.id).await.text;
        let tone = (!tone.is_empty()).then_some(tone);
        let parts = PrefixParts { tools: offer.hint.clone(), skills, tone, format };
        let tokens = offer.specs.iter().map(|spec| tool_offer::tokens(spec, &count)).sum();
        let left = budget.system.saturating_sub(tokens);
        let system = SystemPrompt::compose(&files, &parts, &self.services.now(), left, &count);
        PromptPrefix { system, offer, tool_tokens: tokens }
    }

    /// Returns the tools for this one message, for a model that does not get them at the beginning of the prompt.
    pub fn tools_for(&self, user: &User, message: &str, model: &dyn ChatModel) -> Option<RequestTools> {
        self.tools_after(user, message, &[], model)
    }

    /// Like [`PromptBuilder::tools_for`], for a message after an answer that used the tools `before`.
    pub fn tools_after(
        &self,
        user: &User,
        message: &str,
        before: &[&str],
        model: &dyn ChatModel,
    ) -> Option<RequestTools> {
        let (info, budget) = (model.info(), self.budget(model));
        let ToolPlacement::ByRequest(most) =
            ToolPlacement::of(&info, self.services.settings().tools, budget.system)
        else {
            return None;
        };
        let count = |text: &str| model.count_tokens(text).tokens;
        let tools = (&ToolSet::default(), self.services.tools.as_ref());
        request_tools::choose(
            tools,
            user,
            (message, before),
            most,
            budget.context.min(MOST_FOR_REQUEST),
            &count,
        )
    }

    /// Composes the beginning of a prompt without tools, for a client that executes tools itself and for very small
    /// models.
    pub fn prefix_without_tools(&self, model: &dyn ChatModel) -> PromptPrefix {
        let (settings, budget) = (self.services.settings(), self.budget(model));
        let count = |text: &str| model.count_tokens(text).tokens;
        if is_tiny(model) {
            let files = self.services.soul.brief(&settings.name, &settings.user_name);
            let examples = tiny_model::examples(&settings.name);
            let system = SystemPrompt::tiny(&files, examples, TINY_SYSTEM.min(budget.system), &count);
            return PromptPrefix { system, offer: ToolOffer::default(), tool_tokens: 0 };
        }
        let files = self.services.soul.files(&settings.name, &settings.user_name);
        let system = SystemPrompt::compose(
            &files,
            &PrefixParts::default(),
            &self.services.now(),
            budget.system,
            &count,
        );
        PromptPrefix { system, offer: ToolOffer::default(), tool_tokens: 0 }
    }

    /// Returns the fixed answer to small talk, for a very small model and an unchanged soul.
    pub fn small_talk(&self, question: &str, model: &dyn ChatModel) -> Option<String> {
        let knows = is_tiny(model) && self.services.soul.is_as_shipped();
        if knows { tiny_model::small_talk(question, &self.services.settings().name) } else { None }
    }

    /// Returns the fixed answer to a request that calls for a tool, for a very small model. Such a model cannot use tools,
    /// and pretends to have done what it was asked for.
    pub fn beyond_model(&self, message: &str, model: &dyn ChatModel) -> Option<String> {
        let is_beyond = is_tiny(model)
            && request_tools::calls_for_one(&ToolSet::default(), &self.services.tools, message);
        is_beyond.then(|| tiny_model::NEEDS_A_TOOL.to_owned())
    }

    pub fn budget(&self, model: &dyn ChatModel) -> TokenBudget {
        let info = model.info();
        TokenBudget::new(&info, self.services.settings().sampling.max_tokens)
    }

    /// Assembles the prompt. The context of a message, with `extra` in it, is stored the first time that the message is
    /// sent and does not change afterwards.
    pub async fn build(
        &self,
        turn: &Turn,
        mut branch: Branch,
        prefix: &PromptPrefix,
        extras: MessageExtras,
        model: &dyn ChatModel,
    ) -> Result<AssembledPrompt, CompanionError> {
        let count = |text: &str| model.count_tokens(text).tokens;
        private_facts::remove(&self.services.memory, turn.user, &mut branch, model).await?;
        let mut budget = self.budget(model);
        budget.prompt = budget.prompt.saturating_sub(prefix.tool_tokens);
        if let Some(question) = branch.path.last_mut().filter(|message| message.context.is_none()) {
            let mut attached =
                self.attached(turn, &question.attachments, model, budget.context, &count).await;
            attached.extend(extras.texts);
            let context = if is_tiny(model) {
                tiny_model::context(&self.services.now(), &question.content, &attached)
            } else {
                context_block(&self.services.now(), &attached)
            };
            self.services.store.freeze_context(turn.user, question.id, &context, extras.origins).await?;
            question.context = Some(context);
        }
        let today = prefix.system.clone();
        let (system, summary) = match branch.epoch.take() {
            Some(epoch) if today.has_soul_of(&epoch.system) => {
                (SystemPrompt::fixed(epoch.system, &today, &count), epoch.summary)
            }
            earlier => {
                let summary = earlier.and_then(|epoch| epoch.summary);
                let new = NewPromptEpoch { system: today.text.clone(), summary: summary.clone() };
                self.services.store.begin_epoch(turn.user, turn.conversation, new).await?;
                (today, summary)
            }
        };
        let summary = summary.filter(|_| !is_tiny(model));
        if is_tiny(model) {
            tiny_model::reduce(&mut branch.path);
        }
        let pictures = self.pictures(turn, &branch.path, model).await;
        let seen = |message: &PathMessage| pictures.get(&message.id).cloned().unwrap_or_default();
        if !assembly::is_far_too_long(&branch.path, budget) {
            let assembled = assembly::assemble(&system, summary.as_ref(), &branch.path, seen, &count);
            if assembled.tokens <= budget.prompt {
                return Ok(assembled);
            }
        }
        // The prompt does not fit: the older part is summarised immediately by extraction, without a model.
        let fixed = count(&system.text);
        let target = compaction::target(budget, fixed, self.services.settings().summarise_to);
        let gone = assembly::messages_to_summarise(&branch.path, target, &count);
        if gone == 0 {
            let assembled = assembly::assemble(&system, summary.as_ref(), &branch.path, seen, &count);
            return Err(ModelError::ContextFull { needed: assembled.tokens, limit: budget.prompt }.into());
        }
        let most = compaction::longest_summary(budget);
        let text = compaction::extract(summary.as_ref(), &branch.path[..gone], most, &count);
        let origins = origins(summary.as_ref(), &branch.path[..gone]);
        let summary = EpochSummary { text, up_to: branch.path[gone - 1].id, origins };
        let new = NewPromptEpoch { system: system.text.clone(), summary: Some(summary.clone()) };
        self.services.store.begin_epoch(turn.user, turn.conversation, new).await?;
        self.services.feed.tell(
            turn.user,
            protocol::Push::ChatSummarised { conversation_id: turn.conversation, up_to: summary.up_to },
        );
        let assembled = assembly::assemble(&system, Some(&summary), &branch.path[gone..], seen, &count);
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
        count: TokenCounter<'_>,
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
            let text = match self.services.store.attachment(turn.user, info.id).await {
                Ok(attachment) => String::from_utf8(attachment.data).ok(),
                Err(_) => None,
            };
            texts.push(match text {
                Some(text) => attached_text(&info.name, &text, share, count),
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
    ) -> HashMap<MessageId, Vec<MessagePicture>> {
        let mut pictures: HashMap<MessageId, Vec<MessagePicture>> = HashMap::new();
        if !model.info().vision {
            return pictures;
        }
        let mut left = MOST_PICTURES;
        for message in path.iter().rev() {
            for info in message.attachments.iter().filter(|info| is_picture(info)) {
                if left == 0 {
                    return pictures;
                }
                if let Ok(attachment) = self.services.store.attachment(turn.user, info.id).await {
                    let picture = MessagePicture { mime: info.mime.clone(), bytes: attachment.data.into() };
                    pictures.entry(message.id).or_default().push(picture);
                    left -= 1;
                }
            }
        }
        pictures
    }
}

/// Returns a number of characters that surely fits into `tokens`: three per token.
fn chars_of(tokens: u32) -> usize {
    usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(3)
}
