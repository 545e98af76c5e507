use protocol::{Permission, Risk};
use serde_json::{Map, Value};

use crate::spec::{Effect, Spec};
use crate::taint::Taint;

/// Something that is about to be done, and all that the gate looks at.
#[derive(Debug, Clone, Copy)]
pub struct Act<'a> {
    pub spec: &'a Spec,
    /// What this very call does: some tools do more with some arguments.
    pub effects: &'a [Effect],
    pub arguments: &'a Map<String, Value>,
    /// What holds for this tool.
    pub permission: Permission,
    /// Whether the user has said yes to these very arguments for good.
    pub granted: bool,
    /// What rules of the user's say of this very call.
    pub ruling: &'a Ruling,
    pub taint: &'a Taint,
    /// The addresses that tell nobody anything.
    pub known: &'a Known,
}

/// What rules of the user's say of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Ruling {
    /// Nothing.
    #[default]
    None,
    /// It need not be asked about.
    Allow,
    /// It is asked about, and this is why.
    Ask(String),
    /// It does not happen, and this is why.
    Refuse(String),
}

/// Addresses that may be visited whoever asks for it: the visit tells nobody anything that they do not know.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The user's own words: an address that stands in them was their idea.
    pub words: Vec<String>,
    /// What searches found, as a whole and to the letter.
    pub found: Vec<String>,
}

impl Known {
    fn has(&self, address: &str) -> bool {
        !address.is_empty()
            && (self.found.iter().any(|found| found == address)
                || self.words.iter().any(|text| holds_address(text, address)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Allow,
    /// The user is asked, and told why.
    Ask {
        why: String,
        /// Words of others may have brought it about: no grant counts, and none is made.
        tainted: bool,
    },
    /// It does not happen, and the model is told why.
    Refuse(String),
}

/// The gate. Every act passes it, whoever wants it.
pub fn decide(act: &Act<'_>) -> Decision {
    let Act { spec, permission, .. } = act;
    if *permission == Permission::Block {
        let caution = spec.caution.as_deref().filter(|_| spec.default_permission() == Permission::Block);
        let caution = caution.map(|caution| format!(" {caution}")).unwrap_or_default();
        return Decision::Refuse(format!(
            "{} is not available: it is blocked in the permissions.{caution}",
            spec.name
        ));
    }
    if let Ruling::Refuse(why) = act.ruling {
        return Decision::Refuse(why.clone());
    }
    if let Some(why) = asks_under_taint(act) {
        return Decision::Ask { why, tainted: true };
    }
    match act.ruling {
        Ruling::Ask(why) => return Decision::Ask { why: why.clone(), tainted: false },
        Ruling::Allow => return Decision::Allow,
        Ruling::None | Ruling::Refuse(_) => {}
    }
    let why = match (permission, spec.risk) {
        (Permission::Allow, _) => return Decision::Allow,
        (Permission::Confirm, _) if act.granted => return Decision::Allow,
        (_, Risk::Safe) => "You wanted to be asked about this tool.",
        (_, Risk::Risky) => "This tool acts outside of the conversation.",
        (_, Risk::Dangerous) => "This tool can do harm.",
    };
    Decision::Ask { why: why.to_owned(), tainted: false }
}

/// Words of others may have brought this about. What cannot be taken back is asked about then, whatever was
/// granted before.
fn asks_under_taint(act: &Act<'_>) -> Option<String> {
    let taint = act.taint.besides_tools_of(act.spec.server.as_deref());
    let whose = taint.in_words()?;
    let sends = act.effects.contains(&Effect::SendsOut) && !names_a_known_address(act);
    let changes = act.effects.contains(&Effect::Changes)
        // What stands in a folder may be followed in that folder.
        || act.effects.contains(&Effect::ChangesWorkspace) && !taint.is_of_workspace();
    let does = match (sends, changes) {
        (true, true) => "sends something out and changes something",
        (true, false) => "sends something out",
        (false, true) => "changes something",
        (false, false) => return None,
    };
    Some(format!("It {does}, and the conversation holds outside text ({whose}) that may have asked for it."))
}

fn names_a_known_address(act: &Act<'_>) -> bool {
    let address = act.spec.address.and_then(|name| act.arguments.get(name)?.as_str());
    address.is_some_and(|address| act.known.has(address))
}

/// Whether an address stands in a text, and not only as a part of a longer one.
fn holds_address(text: &str, address: &str) -> bool {
    let begins = |before: &str| {
        before.chars().next_back().is_none_or(|last| last.is_whitespace() || "<>\"'`([{|,;:@".contains(last))
    };
    let ends = |rest: &str| {
        rest.chars().next().is_none_or(|next| next.is_whitespace() || "<>\"'`)]}|".contains(next))
            || rest
                .trim_start_matches(['.', ',', ';', ':', '!', '?'])
                .chars()
                .next()
                .is_none_or(char::is_whitespace)
    };
    text.match_indices(address)
        .any(|(place, _)| begins(&text[..place]) && ends(&text[place + address.len()..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use protocol::Origin;

    fn spec(risk: Risk, effects: &[Effect]) -> Spec {
        let spec = Spec::new("web_fetch", "", json!({"type": "object"})).unwrap();
        Spec { risk, effects: effects.to_vec(), address: Some("url"), ..spec }
    }

    fn act<'a>(
        spec: &'a Spec,
        arguments: &'a Map<String, Value>,
        taint: &'a Taint,
        known: &'a Known,
    ) -> Act<'a> {
        let permission = spec.default_permission();
        let ruling = &Ruling::None;
        Act { spec, effects: &spec.effects, arguments, permission, granted: false, ruling, taint, known }
    }

    /// Risk, effects, what the user said, whether they granted it, whose words there are, and what follows.
    type Case<'a> = (Risk, &'a [Effect], Option<Permission>, bool, &'a Taint, &'a str);

    fn outcome(decision: &Decision) -> &'static str {
        match decision {
            Decision::Allow => "allow",
            Decision::Ask { .. } => "ask",
            Decision::Refuse(_) => "refuse",
        }
    }

    #[test]
    fn what_is_blocked_by_itself_says_why() {
        let (clean, known, arguments) = (Taint::default(), Known::default(), Map::new());
        for (risk, says) in [(Risk::Dangerous, true), (Risk::Safe, false)] {
            let spec = Spec { caution: Some("Nothing holds it.".to_owned()), ..spec(risk, &[]) };
            let blocked = Act { permission: Permission::Block, ..act(&spec, &arguments, &clean, &known) };
            let Decision::Refuse(why) = decide(&blocked) else { panic!("it is blocked") };
            assert_eq!(why.contains("Nothing holds it."), says, "{why}");
        }
    }

    #[test]
    fn the_whole_table() {
        use Effect::{Changes, ReadsPrivate, SendsOut};
        use Permission::{Allow, Block, Confirm};
        use Risk::{Dangerous, Risky, Safe};
        let page: Taint = [Origin::Web("https://evil.example/".into())].into_iter().collect();
        let clean = Taint::default();
        let cases: [Case<'_>; 17] = [
            (Safe, &[], None, false, &clean, "allow"),
            (Risky, &[], None, false, &clean, "ask"),
            (Dangerous, &[], None, false, &clean, "refuse"),
            (Safe, &[], Some(Block), true, &clean, "refuse"),
            (Safe, &[], Some(Confirm), false, &clean, "ask"),
            (Risky, &[Changes], None, true, &clean, "allow"),
            (Risky, &[Changes], Some(Allow), false, &clean, "allow"),
            (Dangerous, &[Changes], Some(Allow), false, &clean, "allow"),
            (Dangerous, &[Changes], None, true, &clean, "refuse"),
            (Safe, &[], None, false, &page, "allow"),
            (Safe, &[ReadsPrivate], None, false, &page, "allow"),
            (Safe, &[SendsOut], None, false, &page, "ask"),
            (Safe, &[SendsOut], Some(Allow), false, &page, "ask"),
            (Risky, &[Changes], Some(Allow), true, &page, "ask"),
            (Risky, &[Changes], None, true, &page, "ask"),
            (Dangerous, &[Changes, SendsOut], Some(Allow), true, &page, "ask"),
            (Dangerous, &[Changes], Some(Block), true, &page, "refuse"),
        ];
        for (risk, effects, permission, granted, taint, expected) in cases {
            let (spec, arguments) = (spec(risk, effects), Map::new());
            let known = Known::default();
            let act = Act {
                permission: permission.unwrap_or_else(|| spec.default_permission()),
                granted,
                taint,
                ..act(&spec, &arguments, &clean, &known)
            };
            let decision = decide(&act);
            assert_eq!(
                outcome(&decision),
                expected,
                "{risk:?} {effects:?} {permission:?} {granted} {taint:?}"
            );
        }
    }

    #[test]
    fn rules_narrow_and_widen_what_is_permitted_but_never_past_a_block_or_the_words_of_others() {
        use Permission::{Allow, Block, Confirm};
        let ask = Ruling::Ask("a rule says so".into());
        let refuse = Ruling::Refuse("a rule says so".into());
        let page: Taint = [Origin::Web("https://evil.example/".into())].into_iter().collect();
        let own: Taint = [Origin::Workspace("moon".into())].into_iter().collect();
        let clean = Taint::default();
        for (ruling, permission, taint, expected) in [
            (&Ruling::None, Confirm, &clean, "ask"),
            (&Ruling::Allow, Confirm, &clean, "allow"),
            (&Ruling::Allow, Block, &clean, "refuse"),
            (&Ruling::Allow, Confirm, &page, "ask"),
            (&Ruling::Allow, Confirm, &own, "allow"),
            (&ask, Allow, &clean, "ask"),
            (&refuse, Allow, &clean, "refuse"),
            (&refuse, Allow, &page, "refuse"),
        ] {
            let spec = spec(Risk::Risky, &[Effect::ChangesWorkspace]);
            let (arguments, known) = (Map::new(), Known::default());
            let act = Act { permission, ruling, ..act(&spec, &arguments, taint, &known) };
            assert_eq!(outcome(&decide(&act)), expected, "{ruling:?} {permission:?} {taint:?}");
        }
    }

    #[test]
    fn what_a_server_says_of_its_tools_may_ask_for_these_and_for_nothing_else() {
        let said: Taint = [Origin::Tools("evil".into())].into_iter().collect();
        let brought: Taint = [Origin::Tools("evil".into()), Origin::Mcp("evil".into())].into_iter().collect();
        for (server, taint, expected) in [
            (Some("evil"), &said, "allow"),
            (Some("other"), &said, "ask"),
            (None, &said, "ask"),
            (Some("evil"), &brought, "ask"),
        ] {
            let effects = [Effect::SendsOut, Effect::Changes];
            let spec = Spec { server: server.map(str::to_owned), ..spec(Risk::Risky, &effects) };
            let (arguments, known) = (Map::new(), Known::default());
            let act = Act { permission: Permission::Allow, ..act(&spec, &arguments, taint, &known) };
            assert_eq!(outcome(&decide(&act)), expected, "{server:?} {taint:?}");
        }
    }

    #[test]
    fn the_reason_names_whose_words_they_are() {
        let spec = spec(Risk::Safe, &[Effect::SendsOut]);
        let taint = ["https://a.example/", "https://b.example/"].map(|page| Origin::Web(page.into()));
        let taint: Taint = taint.into_iter().collect();
        let (arguments, known) = (Map::new(), Known::default());
        let Decision::Ask { why, tainted: true } = decide(&act(&spec, &arguments, &taint, &known)) else {
            panic!("asked because of them")
        };
        assert!(why.contains("sends something out") && why.contains("https://b.example/"), "{why}");
    }

    #[test]
    fn an_address_that_the_user_wrote_or_a_search_found_may_be_opened() {
        let spec = spec(Risk::Safe, &[Effect::SendsOut, Effect::BringsUntrusted]);
        let taint: Taint = [Origin::Web("https://evil.example/".into())].into_iter().collect();
        let words = "Read https://good.example/a, please. And (https://good.example/b)".to_owned();
        let found = ["https://found.example/|https://evil.example/1", "https://found.example/x y"];
        let known = Known { words: vec![words], found: found.map(str::to_owned).into() };
        let cases = [
            ("https://good.example/a", "allow"),
            ("https://good.example/b", "allow"),
            ("https://good.example/", "ask"),
            ("https://good.example", "ask"),
            ("https://good.example/a?secret=1", "ask"),
            ("https://evil.example/?q=what+she+knows", "ask"),
            ("good.example/a", "ask"),
            ("https://found.example/x y", "allow"),
            ("https://found.example/x", "ask"),
            ("https://evil.example/1", "ask"),
            ("https://found.example/", "ask"),
            ("", "ask"),
        ];
        for (url, expected) in cases {
            let arguments = json!({ "url": url }).as_object().unwrap().clone();
            assert_eq!(outcome(&decide(&act(&spec, &arguments, &taint, &known))), expected, "{url}");
        }
    }
}
