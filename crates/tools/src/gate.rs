use protocol::{Permission, Risk};
use serde_json::{Map, Value};

use crate::spec::{Effect, ToolDefinition};
use crate::taint::Taint;

/// A pending tool call with everything that the gate considers.
#[derive(Debug, Clone, Copy)]
pub struct PendingCall<'a> {
    pub spec: &'a ToolDefinition,
    /// The effects of this call: some arguments add effects.
    pub effects: &'a [Effect],
    pub arguments: &'a Map<String, Value>,
    /// The permission in force for this tool.
    pub permission: Permission,
    /// True if the user has permanently allowed exactly these arguments.
    pub granted: bool,
    /// The verdict of the user's rules on this call.
    pub ruling: &'a Ruling,
    pub taint: &'a Taint,
    /// The addresses that may be visited without disclosing anything.
    pub known: &'a KnownAddresses,
}

/// The verdict of the user's rules on a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Ruling {
    /// No rule applies.
    #[default]
    None,
    /// The call needs no confirmation.
    Allow,
    /// The call needs confirmation, for this reason.
    Ask(String),
    /// The call is refused, for this reason.
    Refuse(String),
}

/// Addresses that any call may visit, since the visit discloses nothing that is not known already.
#[derive(Debug, Clone, Default)]
pub struct KnownAddresses {
    /// The user's own messages: an address in them was the user's choice.
    pub words: Vec<String>,
    /// The addresses of search results, compared in full and exactly.
    pub found: Vec<String>,
}

impl KnownAddresses {
    fn has(&self, address: &str) -> bool {
        !address.is_empty()
            && (self.found.iter().any(|found| found == address)
                || self.words.iter().any(|text| contains_address(text, address)))
    }
}

/// The decision of the gate on a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDecision {
    Allow,
    /// The user is asked, with the reason.
    Ask {
        why: String,
        /// True if untrusted content may have caused the call: no grant counts, and none is stored.
        tainted: bool,
    },
    /// The call is refused, and the model is told why.
    Refuse(String),
}

/// Decides on a tool call. Every call passes this gate, whatever its source.
pub fn decide(act: &PendingCall<'_>) -> GateDecision {
    let PendingCall { spec, permission, .. } = act;
    if *permission == Permission::Block {
        let caution = spec.caution.as_deref().filter(|_| spec.default_permission() == Permission::Block);
        let caution = caution.map(|caution| format!(" {caution}")).unwrap_or_default();
        return GateDecision::Refuse(format!(
            "{} is not available: it is blocked in the permissions.{caution}",
            spec.name
        ));
    }
    if let Ruling::Refuse(why) = act.ruling {
        return GateDecision::Refuse(why.clone());
    }
    if let Some(why) = taint_reason(act) {
        return GateDecision::Ask { why, tainted: true };
    }
    match act.ruling {
        Ruling::Ask(why) => return GateDecision::Ask { why: why.clone(), tainted: false },
        Ruling::Allow => return GateDecision::Allow,
        Ruling::None | Ruling::Refuse(_) => {}
    }
    let why = match (permission, spec.risk) {
        (Permission::Allow, _) => return GateDecision::Allow,
        (Permission::Confirm, _) if act.granted => return GateDecision::Allow,
        (_, Risk::Safe) => "You wanted to be asked about this tool.",
        (_, Risk::Risky) => "This tool acts outside the conversation.",
        (_, Risk::Dangerous) => "This tool can do harm.",
    };
    GateDecision::Ask { why: why.to_owned(), tainted: false }
}

/// Returns the reason to ask if untrusted content may have caused this call. Calls that send or change something then
/// need confirmation, whatever was granted before.
fn taint_reason(act: &PendingCall<'_>) -> Option<String> {
    let taint = act.taint.without_tools_of(act.spec.server.as_deref());
    let whose = taint.in_words()?;
    let sends = act.effects.contains(&Effect::SendsOut) && !visits_known_address(act);
    let changes = act.effects.contains(&Effect::Changes)
        // Instructions found in a workspace may cause changes in that workspace.
        || act.effects.contains(&Effect::ChangesWorkspace) && !taint.is_of_workspace();
    let does = match (sends, changes) {
        (true, true) => "sends something out and changes something",
        (true, false) => "sends something out",
        (false, true) => "changes something",
        (false, false) => return None,
    };
    Some(format!("It {does}, and the conversation holds outside text ({whose}) that may have asked for it."))
}

fn visits_known_address(act: &PendingCall<'_>) -> bool {
    let address = act.spec.address.and_then(|name| act.arguments.get(name)?.as_str());
    address.is_some_and(|address| act.known.has(address))
}

/// Returns true if the text contains the address on its own, not as part of a longer one.
fn contains_address(text: &str, address: &str) -> bool {
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

    fn spec(risk: Risk, effects: &[Effect]) -> ToolDefinition {
        let spec = ToolDefinition::new("web_fetch", "", json!({"type": "object"})).unwrap();
        ToolDefinition { risk, effects: effects.to_vec(), address: Some("url"), ..spec }
    }

    fn act<'a>(
        spec: &'a ToolDefinition,
        arguments: &'a Map<String, Value>,
        taint: &'a Taint,
        known: &'a KnownAddresses,
    ) -> PendingCall<'a> {
        let permission = spec.default_permission();
        let ruling = &Ruling::None;
        PendingCall {
            spec,
            effects: &spec.effects,
            arguments,
            permission,
            granted: false,
            ruling,
            taint,
            known,
        }
    }

    /// A test case: risk, effects, permission set by the user, grant for these arguments, taint, and expected outcome.
    type Case<'a> = (Risk, &'a [Effect], Option<Permission>, bool, &'a Taint, &'a str);

    fn outcome(decision: &GateDecision) -> &'static str {
        match decision {
            GateDecision::Allow => "allow",
            GateDecision::Ask { .. } => "ask",
            GateDecision::Refuse(_) => "refuse",
        }
    }

    #[test]
    fn what_is_blocked_by_itself_says_why() {
        let (clean, known, arguments) = (Taint::default(), KnownAddresses::default(), Map::new());
        for (risk, says) in [(Risk::Dangerous, true), (Risk::Safe, false)] {
            let spec = ToolDefinition { caution: Some("Nothing holds it.".to_owned()), ..spec(risk, &[]) };
            let blocked =
                PendingCall { permission: Permission::Block, ..act(&spec, &arguments, &clean, &known) };
            let GateDecision::Refuse(why) = decide(&blocked) else { panic!("it is blocked") };
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
            let known = KnownAddresses::default();
            let act = PendingCall {
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
            let (arguments, known) = (Map::new(), KnownAddresses::default());
            let act = PendingCall { permission, ruling, ..act(&spec, &arguments, taint, &known) };
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
            let spec = ToolDefinition { server: server.map(str::to_owned), ..spec(Risk::Risky, &effects) };
            let (arguments, known) = (Map::new(), KnownAddresses::default());
            let act = PendingCall { permission: Permission::Allow, ..act(&spec, &arguments, taint, &known) };
            assert_eq!(outcome(&decide(&act)), expected, "{server:?} {taint:?}");
        }
    }

    #[test]
    fn the_reason_names_whose_words_they_are() {
        let spec = spec(Risk::Safe, &[Effect::SendsOut]);
        let taint = ["https://a.example/", "https://b.example/"].map(|page| Origin::Web(page.into()));
        let taint: Taint = taint.into_iter().collect();
        let (arguments, known) = (Map::new(), KnownAddresses::default());
        let GateDecision::Ask { why, tainted: true } = decide(&act(&spec, &arguments, &taint, &known)) else {
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
        let known = KnownAddresses { words: vec![words], found: found.map(str::to_owned).into() };
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
