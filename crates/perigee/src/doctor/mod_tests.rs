use std::os::unix::fs::PermissionsExt as _;

use terminal::Painter;
use testkit::TempHome;

use super::*;

fn installation(home: &TempHome) -> Installation {
    let folders = Folders::within(home.path());
    let config = LiveConfig::open(folders.clone(), Environment::default(), Flags::default());
    Installation { folders, config, server: None }
}

fn level(checks: &[DoctorCheck], id: &str) -> Vec<CheckLevel> {
    checks.iter().filter(|check| check.id == id).map(|check| check.level).collect()
}

#[test]
fn whatever_is_wrong_comes_with_a_way_to_mend_it() {
    let report = DoctorReport {
        checks: vec![
            DoctorCheck::ok("home", "The data folder is there."),
            DoctorCheck::warn("clock", "The time zone is not known.", "Set it."),
            DoctorCheck::fail("database", "The database is damaged.\u{1b}[2J", "Go back to a backup."),
        ],
    };
    assert_eq!(report.worst(), CheckLevel::Fail);
    let shown = report.render(Screen { painter: Painter::new(false), width: Some(30) });
    let expected = "\
✓ The data folder is there.
! The time zone is not known.
  Set it.
✗ The database is damaged.[2J
  Go back to a backup.

1 thing to fix, and 1 thing to know about.
";
    assert_eq!(shown, expected);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["checks"][2]["level"], "fail");
    assert_eq!(json["checks"][0]["mend"], serde_json::Value::Null);
}

#[test]
fn a_sound_folder_is_well_and_an_open_one_is_told() {
    let home = TempHome::new();
    assert_eq!(level(&folder::checks(&installation(&home)), "home"), [CheckLevel::Ok]);
    assert_eq!(level(&folder::checks(&installation(&home)), "home-private"), [CheckLevel::Ok]);

    let file = home.write("token", "secret");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::set_permissions(home.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let checks = folder::checks(&installation(&home));
    assert_eq!(level(&checks, "home-private"), [CheckLevel::Warn]);
    assert_eq!(level(&checks, "files-private"), [CheckLevel::Warn]);
    assert!(home.list("").iter().all(|name| name != ".doctor"), "the check leaves nothing behind");
}

#[test]
fn a_folder_that_is_not_there_yet_is_no_fault() {
    let home = TempHome::new();
    let folders = Folders::within(home.join("later"));
    let config = LiveConfig::open(folders.clone(), Environment::default(), Flags::default());
    let checks = folder::checks(&Installation { folders, config, server: None });
    assert_eq!(level(&checks, "home"), [CheckLevel::Ok]);
    assert!(!home.join("later").exists(), "looking makes nothing");
}

#[test]
fn a_file_in_the_place_of_the_folder_is_a_fault() {
    let home = TempHome::new();
    let folders = Folders::within(home.write("data", ""));
    let config = LiveConfig::open(folders.clone(), Environment::default(), Flags::default());
    let checks = folder::checks(&Installation { folders, config, server: None });
    assert_eq!(level(&checks, "home"), [CheckLevel::Fail]);
}

#[test]
fn settings_are_judged_line_by_line() {
    let cases: [(&str, &str, &[CheckLevel]); 5] = [
        ("", "config", &[CheckLevel::Ok]),
        ("[llm\n", "config", &[CheckLevel::Fail]),
        ("colour = \"blue\"\n", "config", &[CheckLevel::Warn]),
        ("[auth]\nenabled = false\n", "auth", &[CheckLevel::Warn]),
        ("[heartbeat]\nenabled = true\n", "config-idle", &[CheckLevel::Warn]),
    ];
    for (text, id, expected) in cases {
        let home = TempHome::new();
        home.write("config.toml", text);
        let checks = settings::checks(&installation(&home));
        assert_eq!(level(&checks, id), expected, "{text}: {checks:?}");
    }
    let home = TempHome::new();
    home.write("config.toml", "[llm\n");
    let broken = settings::checks(&installation(&home)).remove(0);
    assert!(broken.mend.unwrap().contains("line 1, column"), "{}", broken.message);
    home.write("config.toml", "");
    home.write("config.json", "{}");
    assert_eq!(level(&settings::checks(&installation(&home)), "config-both"), [CheckLevel::Warn]);
}

#[tokio::test]
async fn a_damaged_database_is_a_finding_and_no_crash() {
    let home = TempHome::new();
    assert_eq!(level(&database::checks(&installation(&home)).await, "database"), [CheckLevel::Ok]);
    home.write("perigee.db", vec![0x5a; 8192]);
    let checks = database::checks(&installation(&home)).await;
    assert_eq!(level(&checks, "database"), [CheckLevel::Fail], "{checks:?}");
    assert!(checks[0].mend.is_some());
}

#[test]
fn a_port_that_is_taken_or_open_to_the_world_is_a_fault() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (text, expected) in [
        (format!("[server]\nport = {port}\n"), CheckLevel::Fail),
        ("[server]\nport = 0\n".to_owned(), CheckLevel::Ok),
        ("[server]\nport = 0\nhost = \"0.0.0.0\"\n".to_owned(), CheckLevel::Fail),
    ] {
        let home = TempHome::new();
        home.write("config.toml", &text);
        let checks = service::checks(&installation(&home));
        assert_eq!(level(&checks, "port"), [expected], "{text}");
    }
}
