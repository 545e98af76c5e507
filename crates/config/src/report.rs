use protocol::{ConfigField, ConfigReport, ConfigSection};

use crate::Config;
use crate::load::LoadedSettings;
use crate::settings::SECTIONS;

/// Builds the report for the settings page. Secrets are only ever *set* or *not set*.
pub(crate) fn report(path: String, loaded: &LoadedSettings) -> ConfigReport {
    let defaults = Config::default();
    let sections = SECTIONS.iter().map(|section| ConfigSection {
        name: section.name.to_owned(),
        about: section.about().to_owned(),
        fields: section
            .fields
            .iter()
            .map(|field| ConfigField {
                key: field.key.to_owned(),
                about: field.about().to_owned(),
                kind: field.kind,
                choices: field.choices.iter().map(|choice| (*choice).to_owned()).collect(),
                value: (field.shown)(&loaded.config),
                default: (field.shown)(&defaults),
                from: loaded.source(field.key).as_str().to_owned(),
                effective: field.effective,
            })
            .collect(),
    });
    ConfigReport { path, sections: sections.collect(), problems: loaded.problems.clone() }
}
