use protocol::Risk;
use serde_json::json;
use testkit::TempHome;

use super::*;

fn entry(number: usize) -> AuditEntry {
    AuditEntry {
        at: format!("2026-11-15T12:00:{:02}Z", number % 60),
        user: UserId::new(if number.is_multiple_of(3) { 2 } else { 1 }),
        conversation_id: None,
        tool: if number.is_multiple_of(2) { "web_fetch" } else { "memory_read" }.to_owned(),
        args: json!({ "number": number }),
        result: format!("result {number}"),
        risk: Risk::Safe,
        decision: if number.is_multiple_of(5) { AuditDecision::Denied } else { AuditDecision::Allowed },
        why: None,
    }
}

fn numbers(page: &AuditPage) -> Vec<u64> {
    page.entries.iter().map(|entry| entry.args["number"].as_u64().unwrap()).collect()
}

#[test]
fn entries_come_back_newest_first_in_pages_that_join() {
    let home = TempHome::new();
    let audit = AuditLog::open(home.join("audit.log"));
    assert_eq!(audit.page(&AuditQuery::default()).unwrap().entries, []);
    for number in 0..1000 {
        audit.note(entry(number)).unwrap();
    }
    let mut query = AuditQuery { limit: 7, ..AuditQuery::default() };
    let mut seen = Vec::new();
    loop {
        let page = audit.page(&query).unwrap();
        seen.extend(numbers(&page));
        query.cursor = page.next;
        if query.cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, (0..1000).rev().collect::<Vec<_>>());
}

#[test]
fn entries_are_filtered_and_searched() {
    let home = TempHome::new();
    let audit = AuditLog::open(home.join("audit.log"));
    for number in 0..30 {
        audit.note(entry(number)).unwrap();
    }
    let all = AuditQuery { limit: 100, ..AuditQuery::default() };
    let found = |query: AuditQuery| numbers(&audit.page(&query).unwrap());
    let fetched = found(AuditQuery { tool: Some("web_fetch".into()), ..all.clone() });
    assert_eq!(fetched.len(), 15);
    assert_eq!(found(AuditQuery { user: Some(UserId::new(2)), ..all.clone() }).len(), 10);
    let denied = AuditQuery { decision: Some(AuditDecision::Denied), ..all.clone() };
    assert_eq!(found(denied), [25, 20, 15, 10, 5, 0]);
    assert_eq!(found(AuditQuery { words: Some("Result 17".into()), ..all.clone() }), [17]);
    assert_eq!(found(AuditQuery { cursor: Some("nonsense".into()), ..all }).len(), 30);
}

#[test]
fn a_damaged_line_costs_itself_and_a_long_one_is_cut() {
    let home = TempHome::new();
    let audit = AuditLog::open(home.join("audit.log"));
    audit.note(entry(1)).unwrap();
    let text = home.read("audit.log");
    home.write("audit.log", format!("{text}{{\"at\": \"cut of"));
    let long =
        AuditEntry { result: "月".repeat(9_000), args: json!({ "text": "x".repeat(9_000) }), ..entry(2) };
    audit.note(long).unwrap();
    let page = audit.page(&AuditQuery { limit: 10, ..AuditQuery::default() }).unwrap();
    assert_eq!(page.entries.len(), 2);
    assert!(page.entries[0].result.ends_with('…') && page.entries[0].result.len() < 4_100);
    assert!(page.entries[0].args.as_str().unwrap().len() < 4_100);
    assert_eq!(page.entries[1], entry(1));
}
