use std::os::unix::fs::symlink;

use ::tools::{ToolError, ToolOutput};
use serde_json::{Value, json};
use testkit::TempHome;

use super::*;
use crate::test_support::run;

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n# {name}\nDo it well.\n")
}

fn names(skills: &Skills) -> Vec<String> {
    skills.list().into_iter().map(|skill| skill.name).collect()
}

fn trouble(skills: &Skills, name: &str) -> String {
    skills.view(name).and_then(|view| view.skill.trouble).unwrap_or_default()
}

async fn call(skills: &Arc<Skills>, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
    let tools = tools(skills).unwrap();
    let tool = tools.iter().find(|known| known.spec().name == tool).unwrap();
    run(tool.as_ref(), arguments).await
}

#[test]
fn a_users_own_skills_are_read_again_when_they_change() {
    let home = TempHome::new();
    let skills = Skills::open(BundledSkills::none(), home.join("skills"));
    assert_eq!(names(&skills), [""; 0], "without a folder there are none");
    home.write("skills/tidy/SKILL.md", skill("tidy", "Tidies."));
    assert_eq!(names(&skills), ["tidy"]);
    assert_eq!(skills.prompt(1_000), "- tidy: Tidies.");
    home.write("skills/tidy/SKILL.md", skill("tidy", "Tidies a desk."));
    home.write("skills/cook/SKILL.md", skill("cook", "Cooks."));
    home.write("skills/README.md", "not a skill");
    assert_eq!(skills.prompt(1_000), "- cook: Cooks.\n- tidy: Tidies a desk.");
    std::fs::remove_dir_all(home.join("skills/cook")).unwrap();
    assert_eq!(names(&skills), ["tidy"]);
    let view = skills.view("tidy").unwrap();
    assert_eq!(view.body, "# tidy\nDo it well.");
    assert!(!view.skill.shipped);
    assert_eq!(skills.view("cook"), None);
}

#[test]
fn a_users_own_takes_the_place_of_one_that_ships() {
    let home = TempHome::new();
    let skills = Skills::open(BundledSkills::embedded(), home.join("skills"));
    assert!(skills.view("meeting-notes").unwrap().skill.shipped);
    home.write("skills/meeting-notes/SKILL.md", skill("meeting-notes", "Mine."));
    let mine = skills.view("meeting-notes").unwrap().skill;
    assert_eq!((mine.shipped, mine.description.as_str(), mine.files), (false, "Mine.", vec![]));
    home.write("skills/meeting-notes/SKILL.md", "broken");
    assert!(trouble(&skills, "meeting-notes").contains("front matter"));
    assert!(!skills.prompt(10_000).contains("meeting-notes"));
    std::fs::remove_dir_all(home.join("skills")).unwrap();
    assert!(skills.view("meeting-notes").unwrap().skill.shipped);
}

#[tokio::test]
async fn what_is_malformed_or_hostile_is_listed_with_its_trouble_and_does_no_harm() {
    let home = TempHome::new();
    home.write("secret.txt", "the secret");
    home.write("secret-skill/SKILL.md", skill("linked", "Steals."));
    home.write("skills/empty/notes.txt", "");
    home.write("skills/other-name/SKILL.md", skill("another", "x"));
    home.write("skills/huge/SKILL.md", format!("{}{}", skill("huge", "x"), "x".repeat(200_000)));
    home.write("skills/bytes/SKILL.md", b"---\nname: bytes\ndescription: \xff\n---");
    home.write(
        "skills/bomb/SKILL.md",
        "---\na: &a [x, x]\nb: &b [*a, *a]\nname: bomb\ndescription: *b\n---\n",
    );
    home.write("skills/good/SKILL.md", skill("good", "Works."));
    std::fs::create_dir_all(home.join("skills/folder/SKILL.md")).unwrap();
    std::fs::create_dir_all(home.join("skills/reaching")).unwrap();
    symlink(home.join("secret.txt"), home.join("skills/reaching/SKILL.md")).unwrap();
    symlink(home.join("secret-skill"), home.join("skills/linked")).unwrap();
    symlink(home.join("secret.txt"), home.join("skills/good/leak.txt")).unwrap();
    symlink(home.path(), home.join("skills/good/up")).unwrap();
    let skills = Arc::new(Skills::open(BundledSkills::none(), home.join("skills")));
    let cases = [
        ("empty", "no SKILL.md"),
        ("other-name", "They have to match"),
        ("huge", "larger than 128 KB"),
        ("bytes", "not UTF-8"),
        ("bomb", "references"),
        ("folder", "not a file"),
        ("reaching", "leads out"),
        ("linked", "It is a link"),
    ];
    for (name, says) in cases {
        assert!(trouble(&skills, name).contains(says), "{name}: {}", trouble(&skills, name));
        assert!(call(&skills, "skill", json!({"name": name})).await.is_err());
    }
    assert_eq!(skills.prompt(1_000), "- good: Works.");
    assert_eq!(skills.view("good").unwrap().skill.files, [""; 0]);
    let ways_out = [
        "leak.txt",
        "up/secret.txt",
        "../../secret.txt",
        "/etc/passwd",
        "",
        ".",
        "a\0b",
        "../empty/notes.txt",
    ];
    for path in ways_out {
        let error = call(&skills, "skill_file", json!({"name": "good", "path": path})).await.unwrap_err();
        assert!(error.to_string().contains("has no file"), "{path:?}: {error}");
    }
}

#[test]
fn thousands_of_files_and_folders_are_not_all_looked_at() {
    let home = TempHome::new();
    home.write("skills/many/SKILL.md", skill("many", "x"));
    for number in 0..2_000 {
        home.write(format!("skills/many/assets/{number}.txt"), "");
    }
    home.write("skills/many/a/b/c/d/e/deep.txt", "");
    for number in 0..600 {
        std::fs::create_dir_all(home.join(format!("skills/x{number}"))).unwrap();
    }
    let skills = Skills::open(BundledSkills::none(), home.join("skills"));
    let files = skills.view("many").unwrap().skill.files;
    assert_eq!(files.len(), 200);
    assert!(!files.iter().any(|file| file.contains("deep")));
    assert_eq!(skills.list().len(), 500);
}

#[tokio::test]
async fn a_skill_is_read_by_a_call_that_names_it_to_the_turn() {
    let home = TempHome::new();
    let text = skill("tidy-up", "Tidies.").replace("---\n#", "allowed-tools: widget Read\n---\n#");
    home.write("skills/tidy-up/SKILL.md", text);
    home.write("skills/tidy-up/references/desk.md", "Left to right.");
    home.write("skills/tidy-up/.hidden", "");
    home.write("skills/tidy-up/picture.png", b"\x89PNG\xff");
    let skills = Arc::new(Skills::open(BundledSkills::none(), home.join("skills")));
    let output = call(&skills, "skill", json!({"name": "Tidy up"})).await.unwrap();
    assert_eq!(output.follows.as_deref(), Some("tidy-up"));
    assert_eq!(output.origins, [], "the user's own choice taints nothing");
    assert_eq!(
        output.text,
        "# tidy-up\nDo it well.\n\nFurther files, for skill_file: picture.png, references/desk.md\n\n\
         While you follow this skill, only these tools run: widget, read_file"
    );
    assert_eq!(skills.allowed_tools("tidy-up").unwrap(), ["widget", "read_file", "skill", "skill_file"]);
    let file = |path: &str| json!({"name": "tidy-up", "path": path});
    let read = call(&skills, "skill_file", file("./references/desk.md")).await.unwrap();
    assert_eq!((read.text.as_str(), read.follows), ("Left to right.", None));
    let missing = call(&skills, "skill_file", file("desk.md")).await.unwrap_err().to_string();
    assert!(missing.contains("picture.png, references/desk.md"), "{missing}");
    let picture = call(&skills, "skill_file", file("picture.png")).await.unwrap_err().to_string();
    assert!(picture.contains("not text"), "{picture}");
    let unknown = call(&skills, "skill", json!({"name": "fly"})).await.unwrap_err().to_string();
    assert_eq!(unknown, "There is no skill named “fly”. There are: tidy-up.");
}

#[tokio::test]
async fn a_long_skill_is_cut_and_still_says_what_it_allows() {
    let home = TempHome::new();
    let text = skill("long", "x").replace("---\n#", "allowed-tools: widget\n---\n#");
    home.write("skills/long/SKILL.md", text + &"word ".repeat(20_000));
    let skills = Arc::new(Skills::open(BundledSkills::none(), home.join("skills")));
    let output = call(&skills, "skill", json!({"name": "long"})).await.unwrap().text;
    assert!(output.chars().count() < 24_100 && output.ends_with("only these tools run: widget"));
    assert!(output.contains("more characters are left out"));
}

/// All tools that a bundled skill may mention.
const TOOLS: &str = "time calculate memory_create memory_read memory_edit memory_delete memory_patch memory_list \
    state_set state_get state_list state_check_time web_search web_fetch web_research read_file list_files write_file \
    clipboard_read clipboard_write notify open system_info widget map scene weather spotify skill skill_file";

/// Words in backticks that look like tool names but are column names.
const COLUMNS: [&str; 2] = ["height_m", "diameter_km"];

fn is_tool(word: &str) -> bool {
    TOOLS.split_whitespace().any(|tool| tool == word)
}

#[test]
fn every_shipped_skill_is_good() {
    let home = TempHome::new();
    let skills = Skills::open(BundledSkills::embedded(), home.join("skills"));
    let expected = [
        "dataset-builder",
        "document-drafter",
        "file-builder",
        "job-application",
        "meeting-notes",
        "research-with-sources",
        "resume-checker",
        "study-coach",
    ];
    assert_eq!(names(&skills), expected);
    for info in skills.list() {
        let name = &info.name;
        assert_eq!(info.trouble, None, "{name}");
        assert!(info.shipped && info.licence.as_deref() == Some("MIT"), "{name}");
        assert!(info.description.contains("Use when"), "{name}: says when to use it");
        assert!(info.description.chars().count() <= 320, "{name}: {}", info.description.len());
        for tool in info.allowed_tools.iter().flatten() {
            assert!(is_tool(tool), "{name} allows {tool}");
        }
        let body = skills.view(name).unwrap().body;
        let lines = body.lines().count();
        assert!((60..=150).contains(&lines), "{name}: {lines} lines");
        assert!(body.len() < 8_000, "{name}: {} bytes are too many for a small model", body.len());
        for heading in ["## When to use it", "## Pitfalls", "## Example"] {
            assert!(body.contains(heading), "{name}: {heading}");
        }
        let allowed = skills.allowed_tools(name).unwrap();
        for word in code_words(&body).filter(|word| !COLUMNS.contains(word)) {
            let looks_like_a_tool =
                word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            assert!(!looks_like_a_tool || is_tool(word), "{name}: there is no tool {word}");
            let may_run = allowed.iter().any(|tool| tool == word);
            assert!(!is_tool(word) || may_run, "{name} names {word} and does not allow it");
        }
        for file in &info.files {
            assert!(body.contains(&format!("`{file}`")), "{name} does not speak of {file}");
            assert!(!skills.file(name, file).unwrap().is_empty());
        }
    }
}

/// Returns the text between single backticks.
fn code_words(body: &str) -> impl Iterator<Item = &str> {
    body.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2))
}

#[test]
fn the_shipped_skills_cost_little_in_a_prompt() {
    let home = TempHome::new();
    let skills = Skills::open(BundledSkills::embedded(), home.join("skills"));
    for number in 0..92 {
        let name = format!("own-skill-{number:02}");
        home.write(format!("skills/{name}/SKILL.md"), skill(&name, &"Helps with something. ".repeat(40)));
    }
    let prompt = skills.prompt(7_000);
    assert!(prompt.len() <= 7_100, "{}", prompt.len());
    assert_eq!(prompt.lines().count(), 100);
    assert_eq!(prompt, skills.prompt(7_000), "the same every time");
}
