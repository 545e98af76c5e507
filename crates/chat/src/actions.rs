//! The commands of a chat session.

use std::path::Path;

use anyhow::Context as _;
use client::{TurnStream, in_url};
use jiff::Timestamp;
use protocol::{
    BranchRequest, ChatList, ChatPatch, ChatSummary, ChatView, ConfigReport, ConversationId, LoadChatRequest,
    Message, ModelState, ModelsReport, RegenerateRequest, Role, SearchResults, StopReply, StopRequest, Why,
};
use terminal::{Screen, TextStyle, clean_line, count, print, print_paragraph};
use tools::sentence;

use crate::command_help::format_help;
use crate::commands::{BranchStep, COMMANDS, ChatCommand, HELP_FOOTER};
use crate::formatting;
use crate::session::{ChatSession, CurrentChat, NextStep};

impl ChatSession<'_> {
    /// Runs a command.
    pub async fn run(&mut self, command: ChatCommand) -> anyhow::Result<NextStep> {
        let screen = Screen::stdout();
        match command {
            ChatCommand::Help => print(&format_help(screen, COMMANDS, HELP_FOOTER)),
            ChatCommand::Exit => return Ok(NextStep::Exit),
            ChatCommand::New { title } => {
                self.current = CurrentChat::New { title };
                print_paragraph(TextStyle::DIM, "A new conversation.");
            }
            ChatCommand::Chats => self.list(screen).await?,
            ChatCommand::Search { words } => self.search(&words, screen).await?,
            ChatCommand::Load { which } => self.load(&which, screen).await?,
            ChatCommand::History => print(&formatting::conversation(&self.view().await?, screen)),
            ChatCommand::Rename { title } => {
                self.change(ChatPatch { title: Some(title), ..ChatPatch::default() }).await?;
            }
            ChatCommand::Pin => self.change(ChatPatch { pinned: Some(true), ..ChatPatch::default() }).await?,
            ChatCommand::Unpin => {
                self.change(ChatPatch { pinned: Some(false), ..ChatPatch::default() }).await?;
            }
            ChatCommand::Folder { name } => {
                self.change(ChatPatch { folder: Some(name.unwrap_or_default()), ..ChatPatch::default() })
                    .await?;
            }
            ChatCommand::Tags { tags } => {
                self.change(ChatPatch { tags: Some(tags), ..ChatPatch::default() }).await?;
            }
            ChatCommand::Delete => self.delete().await?,
            ChatCommand::Restore => self.restore().await?,
            ChatCommand::Regenerate => self.regenerate().await?,
            ChatCommand::Edit { text } => return self.edit(text).await,
            ChatCommand::Branch { step } => self.branch(step, screen).await?,
            ChatCommand::Stop => self.stop().await?,
            ChatCommand::Attach { file } => {
                let added = self.attachments.add(&file)?;
                print_paragraph(
                    TextStyle::PLAIN,
                    &format!("{} will be sent with your next message.", clean_line(&added)),
                );
            }
            ChatCommand::Detach => {
                let none = self.attachments.is_empty();
                self.attachments.take();
                print_paragraph(
                    TextStyle::PLAIN,
                    if none { "Nothing was attached." } else { "Nothing is attached any longer." },
                );
            }
            ChatCommand::Export { file } => self.export(&file).await?,
            ChatCommand::Why => self.why(screen).await?,
            ChatCommand::Thoughts if self.thoughts.trim().is_empty() => {
                print_paragraph(TextStyle::PLAIN, "The last answer came without thoughts.");
            }
            ChatCommand::Thoughts => print_paragraph(TextStyle::DIM, self.thoughts.trim()),
            ChatCommand::Model => self.show_model().await?,
            ChatCommand::Program(command) => self.program.run(self.client, command).await?,
        }
        Ok(NextStep::Continue)
    }

    async fn list(&mut self, screen: Screen) -> anyhow::Result<()> {
        let list: ChatList = self.client.get("/api/chats?limit=20").await?;
        if list.chats.is_empty() {
            print_paragraph(TextStyle::PLAIN, "There are no conversations yet.");
            return Ok(());
        }
        self.listed = list.chats.iter().map(|chat| chat.id).collect();
        print(&formatting::chats(&list.chats, self.conversation().ok(), Timestamp::now(), screen));
        let more = if list.next.is_some() { " Older ones: /search WORDS." } else { "" };
        print_paragraph(TextStyle::DIM, &format!("/load N opens one of them.{more}"));
        Ok(())
    }

    async fn search(&mut self, words: &str, screen: Screen) -> anyhow::Result<()> {
        let query = in_url(words);
        let found: SearchResults = self.client.get(&format!("/api/chats/search?limit=20&q={query}")).await?;
        if found.hits.is_empty() {
            print_paragraph(TextStyle::PLAIN, "No message contains these words.");
            return Ok(());
        }
        self.listed = found.hits.iter().map(|hit| hit.chat).collect();
        print(&formatting::hits(&found.hits, Timestamp::now(), screen));
        print_paragraph(TextStyle::DIM, "/load N opens one of them.");
        Ok(())
    }

    async fn load(&mut self, which: &str, screen: Screen) -> anyhow::Result<()> {
        let id = match which.parse::<usize>() {
            Ok(number) => {
                let listed = number.checked_sub(1).and_then(|place| self.listed.get(place));
                *listed.context("there is no such number: /chats shows the list")?
            }
            Err(_) => which.parse::<ConversationId>().map_err(|_| {
                anyhow::anyhow!("that is neither a number of the list nor an id: /chats shows the list")
            })?,
        };
        let view: ChatView = self.client.post("/api/chats/load", &LoadChatRequest { id }).await?;
        self.current = CurrentChat::Existing(id);
        print(&formatting::conversation(&view, screen));
        print_paragraph(
            TextStyle::DIM,
            &format!("“{}”", clean_line(formatting::title_or_default(&view.chat.title))),
        );
        Ok(())
    }

    async fn view(&self) -> anyhow::Result<ChatView> {
        self.client.get(&format!("/api/chats/{}", self.conversation()?)).await
    }

    async fn change(&self, patch: ChatPatch) -> anyhow::Result<()> {
        let chat: ChatSummary =
            self.client.patch(&format!("/api/chats/{}", self.conversation()?), &patch).await?;
        let mut parts = vec![format!("“{}”", clean_line(formatting::title_or_default(&chat.title)))];
        if chat.pinned {
            parts.push("pinned".into());
        }
        if let Some(folder) = &chat.folder {
            parts.push(format!("in {}", clean_line(folder)));
        }
        if !chat.tags.is_empty() {
            parts.push(format!("tagged {}", clean_line(&chat.tags.join(", "))));
        }
        print_paragraph(TextStyle::PLAIN, &parts.join(", "));
        Ok(())
    }

    async fn delete(&mut self) -> anyhow::Result<()> {
        let id = self.conversation()?;
        self.client.delete(&format!("/api/chats/{id}")).await?;
        self.deleted = Some(id);
        self.current = CurrentChat::New { title: None };
        print_paragraph(TextStyle::PLAIN, "Deleted. /restore brings it back.");
        Ok(())
    }

    async fn restore(&mut self) -> anyhow::Result<()> {
        let id = self.deleted.take().context("nothing was deleted here")?;
        let chat: ChatSummary = self.client.post(&format!("/api/chats/{id}/restore"), &()).await?;
        self.current = CurrentChat::Existing(id);
        print_paragraph(
            TextStyle::PLAIN,
            &format!("“{}” is back.", clean_line(formatting::title_or_default(&chat.title))),
        );
        Ok(())
    }

    async fn regenerate(&mut self) -> anyhow::Result<()> {
        let view = self.view().await?;
        let answer = last(&view, Role::Assistant).context("there is no answer yet")?;
        let path = format!("/api/chats/{}/regenerate", view.chat.id);
        let turn =
            TurnStream::start(self.client, &path, &RegenerateRequest { message_id: answer.id }).await?;
        self.follow(turn).await
    }

    async fn edit(&mut self, text: Option<String>) -> anyhow::Result<NextStep> {
        let view = self.view().await?;
        let message = last(&view, Role::User).context("you have said nothing yet")?;
        match text {
            Some(text) => self.send(text, Some(message.id)).await.map(|()| NextStep::Continue),
            None => Ok(NextStep::Edit { text: message.content.clone(), message: message.id }),
        }
    }

    async fn branch(&mut self, step: BranchStep, screen: Screen) -> anyhow::Result<()> {
        let view = self.view().await?;
        let fork = view.messages.iter().rev().find(|message| message.siblings.len() > 1);
        let fork = fork.context("there is only one branch: /regenerate and /edit make others")?;
        let here = fork.siblings.iter().position(|id| *id == fork.id).unwrap_or(0);
        let there = match step {
            BranchStep::Previous => here.checked_sub(1).context("this is the first branch")?,
            BranchStep::Next => here + 1,
            BranchStep::Number(number) => number - 1,
        };
        let number = count(fork.siblings.len(), "branch").replace("branchs", "branches");
        let target = *fork.siblings.get(there).with_context(|| format!("there are {number} here"))?;
        let path = format!("/api/chats/{}/branch", view.chat.id);
        let view: ChatView = self.client.post(&path, &BranchRequest { message_id: target }).await?;
        print(&formatting::conversation(&view, screen));
        Ok(())
    }

    async fn stop(&self) -> anyhow::Result<()> {
        let live = self.view().await?.live.context("no answer is being written here")?;
        let reply: StopReply =
            self.client.post("/api/chat/stop", &StopRequest { turn_id: live.turn_id }).await?;
        let outcome =
            if reply.stopped { "Stopped. The text so far is kept." } else { "It had already ended." };
        print_paragraph(TextStyle::PLAIN, outcome);
        Ok(())
    }

    async fn export(&self, file: &str) -> anyhow::Result<()> {
        let path = Path::new(file);
        let format = if path.extension().is_some_and(|ending| ending == "json") { "json" } else { "md" };
        let from = format!("/api/chats/{}/export?format={format}", self.conversation()?);
        self.client.download_to(&from, path, |_| {}).await?;
        print_paragraph(TextStyle::PLAIN, &format!("This conversation is in {}.", clean_line(file)));
        Ok(())
    }

    async fn why(&self, screen: Screen) -> anyhow::Result<()> {
        let view = self.view().await?;
        let turn = last(&view, Role::Assistant)
            .and_then(|answer| answer.turn_id)
            .context("there is no answer yet")?;
        let why: Why = self.client.get(&format!("/api/chat/turns/{turn}/why")).await?;
        print(&formatting::why(&why, screen));
        Ok(())
    }

    async fn show_model(&self) -> anyhow::Result<()> {
        let state = match self.client.get::<ModelsReport>("/api/models").await?.current {
            ModelState::Ready { name, context, .. } => {
                format!("{name} answers, with room for {} tokens.", terminal::amount(u64::from(context)))
            }
            ModelState::Loading { name } => format!("{name} is loading."),
            ModelState::Failed { message, .. } => sentence(&message),
            ModelState::None { hint } => format!("No model is chosen yet. {}", sentence(&hint)),
        };
        print_paragraph(TextStyle::PLAIN, &state);
        Ok(())
    }

    /// Returns the companion's name from the settings.
    pub async fn companion_name(&self) -> anyhow::Result<String> {
        let report: ConfigReport = self.client.get("/api/config").await?;
        let mut fields = report.sections.iter().flat_map(|section| &section.fields);
        let name = fields.find(|field| field.key == "companion.name").and_then(|field| field.value.as_str());
        Ok(clean_line(name.unwrap_or("Luna")))
    }
}

fn last(view: &ChatView, role: Role) -> Option<&Message> {
    view.messages.iter().rev().find(|message| message.role == role)
}
