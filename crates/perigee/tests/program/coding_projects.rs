//! Small complete projects, each with one bug, in various languages and with their usual tools.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::has_whole_sandbox;
use crate::support::work::{Work, meta, replace};

/// A longer timeout for compilers.
const PATIENT: &str = "verify_seconds = 120";

async fn is_mended(work: &Work, path: &str, wrong: &str, right: &str, request: &str) {
    if !has_whole_sandbox().await {
        return;
    }
    let before = work.read(path);
    work.calls("search_replace", replace(path, wrong, right)).says("Mended.");
    let events = work.asks(json!({"text": request})).await;
    let context = events.iter().find(|event| event.kind() == "context").unwrap();
    let found: Vec<&str> =
        context.data["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert!(found.iter().take(3).any(|found| *found == path), "it is found: {found:?}");
    let meta = meta(&events);
    let id = &meta["proposalId"];
    let proposal = work.proposal(id).await;
    assert_eq!(proposal["verify"]["outcome"], "passed", "{}", proposal["verify"]);
    assert_eq!(work.read(path), before, "nothing is written before a yes");
    assert_eq!(work.does(id, "apply", json!({})).await.0, 200);
    assert!(work.read(path).contains(right));
    assert_eq!(work.does(id, "undo", json!({})).await.0, 200);
    assert_eq!(work.read(path), before, "to the byte");
}

#[tokio::test]
async fn a_project_in_rust_is_mended() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "pub mod basket;\npub mod names;\n"),
        (
            "src/basket.rs",
            "/// What all prices come to.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().skip(1).sum()\n}\n\n#[test]\nfn all_are_counted() {\n    assert_eq!(total(&[1, 2, 3]), 6);\n}\n",
        ),
        ("src/names.rs", "pub fn greeting(name: &str) -> String {\n    format!(\"Hello {name}\")\n}\n"),
    ];
    let work = Work::with(&files, PATIENT).await;
    is_mended(&work, "src/basket.rs", ".skip(1)", "", "The basket's total leaves out a price. Fix it.").await;
}

#[tokio::test]
async fn a_project_in_c_is_mended() {
    let files = [
        (
            "Makefile",
            "all: shop\nshop: main.c basket.c\n\tcc -Wall -o shop main.c basket.c\ntest: shop\n\t./shop\n",
        ),
        ("basket.h", "int total(const int *prices, int count);\n"),
        (
            "basket.c",
            "#include \"basket.h\"\n\nint total(const int *prices, int count) {\n    int sum = 0;\n    for (int i = 1; i < count; i++)\n        sum += prices[i];\n    return sum;\n}\n",
        ),
        (
            "main.c",
            "#include <stdio.h>\n#include \"basket.h\"\n\nint main(void) {\n    int prices[] = {1, 2, 3};\n    if (total(prices, 3) != 6) {\n        fprintf(stderr, \"main.c:6: the total is wrong\\n\");\n        return 1;\n    }\n    return 0;\n}\n",
        ),
    ];
    let work = Work::with(&files, PATIENT).await;
    is_mended(&work, "basket.c", "int i = 1", "int i = 0", "The total of the basket is wrong: fix it").await;
}

#[tokio::test]
async fn a_project_in_typescript_is_mended() {
    let files = [
        (".gitignore", "node_modules\ndist\n"),
        (
            "package.json",
            r#"{"name": "shop", "type": "module", "scripts": {"build": "tsc -p .", "test": "node --test dist/"}}"#,
        ),
        (
            "tsconfig.json",
            r#"{"compilerOptions": {"outDir": "dist", "rootDir": "src", "module": "nodenext", "strict": true, "types": []}}"#,
        ),
        (
            "src/basket.ts",
            "/** What all prices come to. */\nexport function total(prices: number[]): number {\n  let sum = 0\n  for (const price of prices.slice(1)) sum += price\n  return sum\n}\n",
        ),
        ("src/names.ts", "export const greeting = (name: string): string => `Hello ${name}`\n"),
        (
            "src/basket.test.ts",
            "import { total } from './basket.js'\n\nif (total([1, 2, 3]) !== 6) throw new Error('the total is wrong')\n",
        ),
    ];
    let work = Work::with(&files, PATIENT).await;
    // The compiler is copied into the project, as `npm install` would place it.
    let modules = std::path::absolute("../../web/node_modules").unwrap();
    let machine = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    for package in ["typescript".to_owned(), format!("@typescript/typescript-linux-{machine}")] {
        for path in beneath(&modules.join(&package)) {
            let place = work.folder.path().join("node_modules").join(path.strip_prefix(&modules).unwrap());
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::copy(path, place).unwrap();
        }
    }
    let commands = work.folder.path().join("node_modules/.bin");
    fs::create_dir(&commands).unwrap();
    std::os::unix::fs::symlink("../typescript/bin/tsc", commands.join("tsc")).unwrap();
    let request = "The basket's total leaves out a price. Fix it.";
    is_mended(&work, "src/basket.ts", "prices.slice(1)", "prices", request).await;
}

fn beneath(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { beneath(&path) } else { vec![path] }).collect()
}
