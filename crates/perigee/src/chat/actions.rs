//! The commands of a chat session.

use std::path::Path;

use anyhow::Context as _;
use jiff::Timestamp;
use protocol::{
    BranchRequest, ChatList, ChatPatch, ChatSummary, ChatView, ConfigReport, ConversationId, LoadChatRequest,
    Message, ModelState, PullRequest, RegenerateRequest, Role, SearchResults, StopReply, StopRequest, Why,
};

use crate::chat::session::{Place, Session, Then};
use crate::chat::show;
use crate::chat::slash::{ENTRIES, MORE, Slash, Step};
use crate::chat::turn::Turn;
use crate::commands::part_file::PartFile;
use crate::commands::{config, doctor, models, open, processes};
use crate::terminal::{self, Screen, Style, clean_line, count, sentence, tell};

impl Session<'_> {
    /// Runs a command.
    pub async fn act(&mut self, slash: Slash) -> anyhow::Result<Then> {
        let screen = Screen::stdout();
        match slash {
            Slash::Help => terminal::print(&show::help(screen, ENTRIES, MORE)),
            Slash::Exit => return Ok(Then::End),
            Slash::New { title } => {
                self.place = Place::Fresh { title };
                tell(Style::DIM, "A fresh page.");
            }
            Slash::Chats => self.list(screen).await?,
            Slash::Search { words } => self.search(&words, screen).await?,
            Slash::Load { which } => self.load(&which, screen).await?,
            Slash::History => terminal::print(&show::conversation(&self.view().await?, screen)),
            Slash::Rename { title } => {
                self.change(ChatPatch { title: Some(title), ..ChatPatch::default() }).await?;
            }
            Slash::Pin => self.change(ChatPatch { pinned: Some(true), ..ChatPatch::default() }).await?,
            Slash::Unpin => self.change(ChatPatch { pinned: Some(false), ..ChatPatch::default() }).await?,
            Slash::Folder { name } => {
                self.change(ChatPatch { folder: Some(name.unwrap_or_default()), ..ChatPatch::default() })
                    .await?;
            }
            Slash::Tags { tags } => {
                self.change(ChatPatch { tags: Some(tags), ..ChatPatch::default() }).await?;
            }
            Slash::Delete => self.delete().await?,
            Slash::Restore => self.restore().await?,
            Slash::Regenerate => self.regenerate().await?,
            Slash::Edit { text } => return self.edit(text).await,
            Slash::Branch { step } => self.branch(step, screen).await?,
            Slash::Stop => self.stop().await?,
            Slash::Attach { file } => {
                let added = self.attachments.add(&file)?;
                tell(Style::PLAIN, &format!("{} goes with your next message.", clean_line(&added)));
            }
            Slash::Detach => {
                let none = self.attachments.is_empty();
                self.attachments.take();
                tell(
                    Style::PLAIN,
                    if none { "Nothing was attached." } else { "Nothing goes with your next message." },
                );
            }
            Slash::Export { file } => self.export(&file).await?,
            Slash::Why => self.why(screen).await?,
            Slash::Thoughts if self.thoughts.trim().is_empty() => {
                tell(Style::PLAIN, "The last answer came without thinking aloud.");
            }
            Slash::Thoughts => tell(Style::DIM, self.thoughts.trim()),
            Slash::Model { name: None } => self.tell_model().await?,
            Slash::Model { name: Some(name) } => {
                models::use_model(self.client, &name).await?;
            }
            Slash::Models => models::show(&models::report(self.client).await?, screen),
            Slash::Pull { name } => {
                models::pull(self.client, &PullRequest { name, source: None, then_use: false }).await?;
            }
            Slash::Processes => processes::show(self.client).await?,
            Slash::Config { key, value } => {
                config::talk(self.client, key.as_deref(), value.as_deref()).await?;
            }
            Slash::Doctor => doctor::show(self.folders).await?,
            Slash::Open => open::in_background(self.folders).await?,
        }
        Ok(Then::GoOn)
    }

    async fn list(&mut self, screen: Screen) -> anyhow::Result<()> {
        let list: ChatList = self.client.get("/api/chats?limit=20").await?;
        if list.chats.is_empty() {
            tell(Style::PLAIN, "There are no conversations yet.");
            return Ok(());
        }
        self.listed = list.chats.iter().map(|chat| chat.id).collect();
        terminal::print(&show::chats(&list.chats, self.conversation().ok(), Timestamp::now(), screen));
        let more = if list.next.is_some() { " Older ones: /search WORDS." } else { "" };
        tell(Style::DIM, &format!("/load N goes on with one of them.{more}"));
        Ok(())
    }

    async fn search(&mut self, words: &str, screen: Screen) -> anyhow::Result<()> {
        let query: String = url_encoded(words);
        let found: SearchResults = self.client.get(&format!("/api/chats/search?limit=20&q={query}")).await?;
        if found.hits.is_empty() {
            tell(Style::PLAIN, "Nothing holds these words.");
            return Ok(());
        }
        self.listed = found.hits.iter().map(|hit| hit.chat).collect();
        terminal::print(&show::hits(&found.hits, Timestamp::now(), screen));
        tell(Style::DIM, "/load N goes on with one of them.");
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
        self.place = Place::At(id);
        terminal::print(&show::conversation(&view, screen));
        tell(Style::DIM, &format!("“{}”", clean_line(show::titled(&view.chat.title))));
        Ok(())
    }

    async fn view(&self) -> anyhow::Result<ChatView> {
        self.client.get(&format!("/api/chats/{}", self.conversation()?)).await
    }

    async fn change(&self, patch: ChatPatch) -> anyhow::Result<()> {
        let chat: ChatSummary =
            self.client.patch(&format!("/api/chats/{}", self.conversation()?), &patch).await?;
        let mut parts = vec![format!("“{}”", clean_line(show::titled(&chat.title)))];
        if chat.pinned {
            parts.push("pinned".into());
        }
        if let Some(folder) = &chat.folder {
            parts.push(format!("in {}", clean_line(folder)));
        }
        if !chat.tags.is_empty() {
            parts.push(format!("tagged {}", clean_line(&chat.tags.join(", "))));
        }
        tell(Style::PLAIN, &parts.join(", "));
        Ok(())
    }

    async fn delete(&mut self) -> anyhow::Result<()> {
        let id = self.conversation()?;
        self.client.delete(&format!("/api/chats/{id}")).await?;
        self.deleted = Some(id);
        self.place = Place::Fresh { title: None };
        tell(Style::PLAIN, "Deleted. /restore brings it back.");
        Ok(())
    }

    async fn restore(&mut self) -> anyhow::Result<()> {
        let id = self.deleted.take().context("nothing was deleted here")?;
        let chat: ChatSummary = self.client.post(&format!("/api/chats/{id}/restore"), &()).await?;
        self.place = Place::At(id);
        tell(Style::PLAIN, &format!("“{}” is back.", clean_line(show::titled(&chat.title))));
        Ok(())
    }

    async fn regenerate(&mut self) -> anyhow::Result<()> {
        let view = self.view().await?;
        let answer = last(&view, Role::Assistant).context("there is no answer yet")?;
        let path = format!("/api/chats/{}/regenerate", view.chat.id);
        let turn = Turn::run(self.client, &path, &RegenerateRequest { message_id: answer.id }).await?;
        self.follow(turn).await
    }

    async fn edit(&mut self, text: Option<String>) -> anyhow::Result<Then> {
        let view = self.view().await?;
        let said = last(&view, Role::User).context("you have said nothing yet")?;
        match text {
            Some(text) => self.say(text, Some(said.id)).await.map(|()| Then::GoOn),
            None => Ok(Then::Edit { text: said.content.clone(), message: said.id }),
        }
    }

    async fn branch(&mut self, step: Step, screen: Screen) -> anyhow::Result<()> {
        let view = self.view().await?;
        let fork = view.messages.iter().rev().find(|message| message.siblings.len() > 1);
        let fork = fork.context("there is only one branch: /regenerate and /edit make others")?;
        let here = fork.siblings.iter().position(|id| *id == fork.id).unwrap_or(0);
        let there = match step {
            Step::Back => here.checked_sub(1).context("this is the first one")?,
            Step::On => here + 1,
            Step::To(number) => number - 1,
        };
        let number = count(fork.siblings.len(), "branch").replace("branchs", "branches");
        let target = *fork.siblings.get(there).with_context(|| format!("there are {number} here"))?;
        let path = format!("/api/chats/{}/branch", view.chat.id);
        let view: ChatView = self.client.post(&path, &BranchRequest { message_id: target }).await?;
        terminal::print(&show::conversation(&view, screen));
        Ok(())
    }

    async fn stop(&self) -> anyhow::Result<()> {
        let live = self.view().await?.live.context("nothing is being answered here")?;
        let reply: StopReply =
            self.client.post("/api/chat/stop", &StopRequest { turn_id: live.turn_id }).await?;
        let outcome = if reply.stopped { "Stopped. What had come is kept." } else { "It had ended already." };
        tell(Style::PLAIN, outcome);
        Ok(())
    }

    async fn export(&self, file: &str) -> anyhow::Result<()> {
        let path = Path::new(file);
        let format = if path.extension().is_some_and(|ending| ending == "json") { "json" } else { "md" };
        let mut part = PartFile::create(path)?;
        let from = format!("/api/chats/{}/export?format={format}", self.conversation()?);
        let mut response = self.client.download(&from).await?;
        while let Some(piece) = response.chunk().await.context("the export broke off")? {
            part.write(&piece)?;
        }
        part.keep()?;
        tell(Style::PLAIN, &format!("{} holds this conversation.", clean_line(file)));
        Ok(())
    }

    async fn why(&self, screen: Screen) -> anyhow::Result<()> {
        let view = self.view().await?;
        let turn = last(&view, Role::Assistant)
            .and_then(|answer| answer.turn_id)
            .context("there is no answer yet")?;
        let why: Why = self.client.get(&format!("/api/chat/turns/{turn}/why")).await?;
        terminal::print(&show::why(&why, screen));
        Ok(())
    }

    async fn tell_model(&self) -> anyhow::Result<()> {
        let state = match models::report(self.client).await?.current {
            ModelState::Ready { name, context, .. } => {
                format!("{name} answers, with room for {} tokens.", terminal::amount(u64::from(context)))
            }
            ModelState::Loading { name } => format!("{name} is loading."),
            ModelState::Failed { message, .. } => sentence(&message),
            ModelState::None { hint } => format!("No model is chosen yet. {}", sentence(&hint)),
        };
        tell(Style::PLAIN, &state);
        Ok(())
    }

    /// Returns the companion's name from the settings.
    pub async fn her_name(&self) -> anyhow::Result<String> {
        let report: ConfigReport = self.client.get("/api/config").await?;
        let mut fields = report.sections.iter().flat_map(|section| &section.fields);
        let name = fields.find(|field| field.key == "companion.name").and_then(|field| field.value.as_str());
        Ok(clean_line(name.unwrap_or("Luna")))
    }
}

fn last(view: &ChatView, role: Role) -> Option<&Message> {
    view.messages.iter().rev().find(|message| message.role == role)
}

fn url_encoded(text: &str) -> String {
    use std::fmt::Write as _;
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
