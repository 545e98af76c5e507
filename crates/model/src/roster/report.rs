use protocol::{InstalledModel, LocalServer, ModelKind, ModelState, ModelsReport};
use reqwest::Url;

use super::{COMMAND, Roster, SERVER, choice};
use crate::catalogue::Catalogue;
use crate::connect::{ModelPlan, models_of};

impl Roster {
    /// Returns everything that the model picker shows.
    pub async fn report(&self) -> ModelsReport {
        let shared = &self.shared;
        let machine = shared.machine();
        let servers = self.servers().await;
        let here = shared.downloads.model_folder().list();
        let is_here = |name: &str| shared.downloads.model_folder().path(name).is_file();
        let current = self.state();
        ModelsReport {
            trial: is_trial(shared.downloads.catalogue(), &current),
            current,
            catalogue: shared.downloads.catalogue().entries(&machine, is_here),
            embedding: shared.downloads.catalogue().embedding_entries(&machine, is_here),
            installed: self.installed(&here, &servers).await,
            servers,
            downloads: shared.downloads.list(),
            recommended: Some(crate::recommend(&machine).to_owned()),
            machine,
        }
    }

    /// Returns the models that can be used at once: files, models on servers, and the command from the settings.
    async fn installed(&self, here: &[(String, u64)], servers: &[LocalServer]) -> Vec<InstalledModel> {
        let (plan, llm) = {
            let requested = self.shared.requested();
            (requested.plan.clone(), requested.llm.clone())
        };
        let (in_use, kind) = match self.state() {
            ModelState::Ready { name, kind, .. } => (name, kind),
            ModelState::Loading { name } => (name, ModelKind::OpenAi),
            ModelState::None { .. } | ModelState::Failed { .. } => (String::new(), ModelKind::OpenAi),
        };
        let embedded = matches!(plan, Some(ModelPlan::Embedded(_)));
        let files = here.iter().map(|(name, bytes)| InstalledModel {
            name: name.clone(),
            kind: ModelKind::Embedded,
            bytes: Some(*bytes),
            current: embedded && *name == in_use,
        });
        let mut installed: Vec<_> = files.collect();
        let mut elsewhere = match &plan {
            Some(ModelPlan::Server { base_url, .. }) => Some(base_url),
            _ => None,
        };
        for server in servers {
            let chosen = elsewhere.is_some_and(|base_url| same_place(base_url, &server.base_url));
            if chosen {
                elsewhere = None;
            }
            installed.extend(server.models.iter().map(|model| InstalledModel {
                name: format!("{}/{model}", choice::prefix(server.kind)),
                kind: choice::model_kind(server.kind),
                bytes: None,
                current: chosen && *model == in_use,
            }));
        }
        if let Some(base_url) = elsewhere {
            let models = models_of(&self.shared.http, &llm, base_url).await;
            installed.extend(models.into_iter().map(|model| InstalledModel {
                current: model == in_use,
                name: format!("{SERVER}{model}"),
                kind,
                bytes: None,
            }));
        }
        if !llm.command.is_empty() {
            let current = plan == Some(ModelPlan::Command);
            let name = COMMAND.to_owned();
            installed.push(InstalledModel { name, kind: ModelKind::Command, bytes: None, current });
        }
        installed
    }
}

/// Returns true if the active or loading model is only good for experiments.
fn is_trial(catalogue: &Catalogue, current: &ModelState) -> bool {
    let (ModelState::Ready { name, kind: ModelKind::Embedded, .. } | ModelState::Loading { name }) = current
    else {
        return false;
    };
    catalogue.get(name).is_some_and(|item| item.tiny)
}

/// Returns true if two addresses have the same host and port.
fn same_place(one: &str, other: &str) -> bool {
    let place = |text: &str| {
        let url = Url::parse(text).ok()?;
        let host = url.host_str()?.replace("localhost", "127.0.0.1");
        Some((host, url.port_or_known_default()))
    };
    place(one).is_some() && place(one) == place(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_starter_is_a_trial_and_only_where_it_answers() {
        let catalogue = Catalogue::default();
        let ready =
            |name: &str, kind| ModelState::Ready { name: name.into(), kind, context: 8192, vision: false };
        let tiny = "smollm2-135m-instruct";
        for (current, expected) in [
            (ready(tiny, ModelKind::Embedded), true),
            (ModelState::Loading { name: tiny.into() }, true),
            (ready(tiny, ModelKind::OpenAi), false),
            (ready("qwen3-1.7b", ModelKind::Embedded), false),
            (ready("my-own", ModelKind::Embedded), false),
            (ModelState::None { hint: String::new() }, false),
            (ModelState::Failed { name: tiny.into(), message: String::new() }, false),
        ] {
            assert_eq!(is_trial(&catalogue, &current), expected, "{current:?}");
        }
    }

    #[test]
    fn one_server_is_known_by_its_many_addresses() {
        for (one, other, same) in [
            ("http://localhost:11434/v1", "http://127.0.0.1:11434", true),
            ("https://example.org", "https://example.org:443/v1", true),
            ("http://127.0.0.1:1234", "http://127.0.0.1:11434", false),
            ("nonsense", "nonsense", false),
        ] {
            assert_eq!(same_place(one, other), same, "{one} and {other}");
        }
    }
}
