use super::*;
use Language::{Bash, C, Cpp, Go, Java, JavaScript, Python, Rust, Text, Tsx, TypeScript};

#[test]
fn files_are_known_by_name_and_beginning() {
    let cases = [
        ("src/main.rs", "", Rust),
        ("SRC/MAIN.RS", "", Rust),
        ("a.py", "", Python),
        ("a.pyi", "", Python),
        ("SConstruct", "", Python),
        ("a.ts", "import x", TypeScript),
        ("a.d.ts", "", TypeScript),
        ("a.mts", "", TypeScript),
        ("de.ts", "<?xml version=\"1.0\"?>", Text),
        ("a.tsx", "", Tsx),
        ("a.jsx", "", JavaScript),
        ("a.cjs", "", JavaScript),
        ("a.go", "", Go),
        ("A.java", "", Java),
        ("a.c", "", C),
        ("a.C", "", Cpp),
        ("a.cc", "", Cpp),
        ("a.hpp", "", Cpp),
        ("a.h", "", C),
        ("a.h", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n", C),
        ("a.h", "// a class of its own\n/*\n * namespace\n */\nstruct a;\n", C),
        ("a.h", "#pragma once\nnamespace geo {\n", Cpp),
        ("a.h", "#pragma once\n  template <typename T>\n", Cpp),
        ("a.h", "int f(std::string text);\n", Cpp),
        ("a.sh", "", Bash),
        (".bashrc", "", Bash),
        ("home/.profile", "", Bash),
        ("run", "#!/bin/sh", Bash),
        ("run", "#!/usr/bin/env bash\nset -e\n", Bash),
        ("run", "#!/usr/bin/env -S FOO=1 python3.12 -u", Python),
        ("run", "#!/usr/bin/node", JavaScript),
        ("run", "#!/usr/bin/env deno", TypeScript),
        ("run", "#!/usr/bin/perl", Text),
        ("run", "#!", Text),
        ("run", "#!/usr/bin/env", Text),
        // The file name takes precedence over a shebang.
        ("a.py", "#!/bin/sh", Python),
        ("README.md", "", Text),
        ("Makefile", "", Text),
        ("a.rs.bak", "", Text),
        ("rs", "", Text),
        ("dir.rs/file", "", Text),
        ("win\\dir\\a.go", "", Go),
        ("", "", Text),
        (".", "", Text),
        ("a.", "", Text),
    ];
    for (path, start, expected) in cases {
        assert_eq!(Language::of(path, start), expected, "{path:?}, {start:?}");
    }
}

#[test]
fn a_sample_may_end_within_a_sign() {
    let start = format!("{}ä", "x".repeat(SAMPLE - 1));
    assert_eq!(Language::of("a.h", &start), C);
}

#[test]
fn languages_are_stored_by_name() {
    assert_eq!(serde_json::to_string(&[Cpp, TypeScript]).unwrap(), r#"["cpp","typescript"]"#);
    assert_eq!(Cpp.name(), "C++");
}
