use super::*;

/// Each definition as `first-last kind container.name | signature`.
fn shown(outline: &Outline) -> Vec<String> {
    let definitions = outline.definitions.iter();
    let shown = definitions.map(|one| {
        let container = one.container.as_deref().map(|name| format!("{name}.")).unwrap_or_default();
        let (first, last) = one.lines;
        format!("{first}-{last} {} {container}{} | {}", one.kind.name(), one.name, one.signature)
    });
    shown.collect()
}

fn named(outline: &Outline) -> Vec<String> {
    outline.references.iter().map(|one| format!("{} {}x{}", one.name, one.line, one.count)).collect()
}

#[test]
fn explore() {
    for (path, language) in [
        ("rust.rs", Language::Rust),
        ("python.py", Language::Python),
        ("typescript.ts", Language::TypeScript),
        ("tsx.tsx", Language::Tsx),
        ("javascript.js", Language::JavaScript),
        ("go.go", Language::Go),
        ("java.java", Language::Java),
        ("c.c", Language::C),
        ("cpp.cpp", Language::Cpp),
        ("bash.sh", Language::Bash),
    ] {
        let text =
            std::fs::read_to_string(format!("{}/src/samples/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let outline = outline(language, &text);
        println!("== {path}\n{}\n-- {}", shown(&outline).join("\n"), named(&outline).join(", "));
    }
}

#[test]
fn ready_time() {
    for l in [
        Language::Rust,
        Language::Python,
        Language::TypeScript,
        Language::Tsx,
        Language::JavaScript,
        Language::Go,
        Language::Java,
        Language::C,
        Language::Cpp,
        Language::Bash,
    ] {
        let t = std::time::Instant::now();
        outline(l, "x");
        println!("{l:?} {:?}", t.elapsed());
    }
}
