//! Edits as models write them, in several languages.

use crate::case::{Case, Found, No, done, everywhere, refused};

const RUST: &str = "impl Stack {\n    pub fn push(&mut self, item: Item) {\n        self.items.push(item);\n    }\n\n    pub fn pop(&mut self) -> Option<Item> {\n        self.items.pop()\n    }\n}\n";
const PYTHON: &str = "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n        self.balance = 0\n\n    def deposit(self, amount):\n        if amount <= 0:\n            raise ValueError(\"amount\")\n        self.balance += amount\n";
const TYPESCRIPT: &str = "export async function load(id: string): Promise<User> {\n  const response = await fetch(`/users/${id}`);\n  if (!response.ok) {\n    throw new Error('failed');\n  }\n  return response.json();\n}\n";
const C: &str = "static int parse(const char *text)\n{\n\tint value = 0;\n\n\twhile (*text >= '0' && *text <= '9')\n\t\tvalue = value * 10 + (*text++ - '0');\n\treturn value;\n}\n";
const GO: &str = "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.closed {\n\t\treturn nil\n\t}\n\ts.closed = true\n\treturn s.listener.Close()\n}\n";
const MARKDOWN: &str =
    "# Title\n\nFirst line.  \nSecond line.\n\n- one\n- two\n  - nested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
const YAML: &str = "services:\n  web:\n    image: nginx:1.25\n    ports:\n      - \"80:80\"\n  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n";
const MAKE: &str = "build: main.o\n\t$(CC) -o app main.o\n\nclean:\n\trm -f app *.o\n";
const WINDOWS: &str = "using System;\r\n\r\nclass Program\r\n{\r\n    static void Main()\r\n    {\r\n        Console.WriteLine(\"hi\");\r\n    }\r\n}\r\n";

pub const CASES: &[Case] = &[
    // Rust.
    done(
        RUST,
        "        self.items.push(item);",
        "        assert!(self.items.len() < LIMIT);\n        self.items.push(item);",
        Found::Exactly,
        "impl Stack {\n    pub fn push(&mut self, item: Item) {\n        assert!(self.items.len() < LIMIT);\n        self.items.push(item);\n    }\n\n    pub fn pop(&mut self) -> Option<Item> {\n        self.items.pop()\n    }\n}\n",
    ),
    done(
        RUST,
        "pub fn pop(&mut self) -> Option<Item> {\n    self.items.pop()\n}",
        "pub fn pop(&mut self) -> Option<Item> {\n    self.items.pop()\n}\n\npub fn len(&self) -> usize {\n    self.items.len()\n}",
        Found::Indented,
        "impl Stack {\n    pub fn push(&mut self, item: Item) {\n        self.items.push(item);\n    }\n\n    pub fn pop(&mut self) -> Option<Item> {\n        self.items.pop()\n    }\n\n    pub fn len(&self) -> usize {\n        self.items.len()\n    }\n}\n",
    ),
    refused(RUST, "    }\n", "    }\n\n", No::Ambiguous),
    done(
        RUST,
        "impl Stack {\n    // ... existing methods (unchanged) ...\n    pub fn pop(&mut self) -> Option<Item> {\n        self.items.pop()\n    }\n}",
        "impl Stack {\n    // ... existing methods (unchanged) ...\n    pub fn pop(&mut self) -> Option<Item> {\n        self.count -= 1;\n        self.items.pop()\n    }\n}",
        Found::Aligned,
        "impl Stack {\n    pub fn push(&mut self, item: Item) {\n        self.items.push(item);\n    }\n\n    pub fn pop(&mut self) -> Option<Item> {\n        self.count -= 1;\n        self.items.pop()\n    }\n}\n",
    ),
    done("fn f<'a>(x: &'a str) {}\n", "<'a>(x: &'a str)", "(x: &str)", Found::Exactly, "fn f(x: &str) {}\n"),
    // Python.
    done(
        PYTHON,
        "    def deposit(self, amount):\n        if amount <= 0:",
        "    def deposit(self, amount, note=None):\n        if amount <= 0:",
        Found::Exactly,
        "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n        self.balance = 0\n\n    def deposit(self, amount, note=None):\n        if amount <= 0:\n            raise ValueError(\"amount\")\n        self.balance += amount\n",
    ),
    done(
        PYTHON,
        "def deposit(self, amount):\n    if amount <= 0:\n        raise ValueError('amount')\n    self.balance += amount",
        "def deposit(self, amount):\n    if amount <= 0:\n        raise ValueError('amount')\n    self.balance += amount\n    return self.balance",
        Found::Aligned,
        "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n        self.balance = 0\n\n    def deposit(self, amount):\n        if amount <= 0:\n            raise ValueError(\"amount\")\n        self.balance += amount\n        return self.balance\n",
    ),
    done(
        PYTHON,
        "if amount <= 0:\n    raise ValueError(\"amount\")",
        "if amount <= 0:\n    raise ValueError(\"amount\")\nif amount > 100:\n    raise ValueError(\"too much\")",
        Found::Indented,
        "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n        self.balance = 0\n\n    def deposit(self, amount):\n        if amount <= 0:\n            raise ValueError(\"amount\")\n        if amount > 100:\n            raise ValueError(\"too much\")\n        self.balance += amount\n",
    ),
    done(
        PYTHON,
        "\tdef deposit(self, amount):\n\t\tif amount <= 0:\n\t\t\traise ValueError(\"amount\")\n\t\tself.balance += amount",
        "\tdef deposit(self, amount):\n\t\tif amount <= 0:\n\t\t\traise ValueError(\"amount\")\n\t\tself.balance += amount\n\t\tself.log(amount)",
        Found::Indented,
        "class Account:\n    def __init__(self, owner):\n        self.owner = owner\n        self.balance = 0\n\n    def deposit(self, amount):\n        if amount <= 0:\n            raise ValueError(\"amount\")\n        self.balance += amount\n        self.log(amount)\n",
    ),
    done("x = f\"{a:>{w}}\"\n", "{a:>{w}}", "{a:<{w}}", Found::Exactly, "x = f\"{a:<{w}}\"\n"),
    done("s = '''\n  kept\n'''\n", "  kept", "   kept", Found::Exactly, "s = '''\n   kept\n'''\n"),
    // TypeScript.
    done(
        TYPESCRIPT,
        "  const response = await fetch(`/users/${id}`);",
        "  const response = await fetch(`/api/users/${id}`);",
        Found::Exactly,
        "export async function load(id: string): Promise<User> {\n  const response = await fetch(`/api/users/${id}`);\n  if (!response.ok) {\n    throw new Error('failed');\n  }\n  return response.json();\n}\n",
    ),
    done(
        TYPESCRIPT,
        "    if (!response.ok) {\n        throw new Error('failed');\n    }",
        "    if (!response.ok) {\n        console.error(response.status);\n        throw new Error('failed');\n    }",
        Found::Indented,
        "export async function load(id: string): Promise<User> {\n  const response = await fetch(`/users/${id}`);\n  if (!response.ok) {\n    console.error(response.status);\n    throw new Error('failed');\n  }\n  return response.json();\n}\n",
    ),
    done(
        TYPESCRIPT,
        "if (!response.ok) { throw new Error('failed'); }",
        "if (!response.ok) { throw new Error('not found'); }",
        Found::Blanks,
        "export async function load(id: string): Promise<User> {\n  const response = await fetch(`/users/${id}`);\n  if (!response.ok) {\n    throw new Error('not found');\n  }\n  return response.json();\n}\n",
    ),
    done(
        TYPESCRIPT,
        "export async function load(id: string): Promise<User> {\n  // ...\n  return response.json();\n}",
        "export async function load(id: string): Promise<User> {\n  // ...\n  return (await response.json()) as User;\n}",
        Found::Aligned,
        "export async function load(id: string): Promise<User> {\n  const response = await fetch(`/users/${id}`);\n  if (!response.ok) {\n    throw new Error('failed');\n  }\n  return (await response.json()) as User;\n}\n",
    ),
    everywhere(done(
        "<A b={x} />\n<B b={x} />\n",
        "b={x}",
        "b={y}",
        Found::Exactly,
        "<A b={y} />\n<B b={y} />\n",
    )),
    done(
        "const re = /\\$&\\d+/g;\n",
        "/\\$&\\d+/g",
        "/\\$1\\w+/g",
        Found::Exactly,
        "const re = /\\$1\\w+/g;\n",
    ),
    // C, indented with tabs.
    done(
        C,
        "        while (*text >= '0' && *text <= '9')\n                value = value * 10 + (*text++ - '0');",
        "        while (*text >= '0' && *text <= '9') {\n                value = value * 10 + (*text++ - '0');\n        }",
        Found::Indented,
        "static int parse(const char *text)\n{\n\tint value = 0;\n\n\twhile (*text >= '0' && *text <= '9') {\n\t\tvalue = value * 10 + (*text++ - '0');\n\t}\n\treturn value;\n}\n",
    ),
    done(
        C,
        "static int parse(const char *text) {\n\tint value = 0;",
        "static long parse(const char *text) {\n\tlong value = 0;",
        Found::Blanks,
        "static long parse(const char *text)\n{\n\tlong value = 0;\n\n\twhile (*text >= '0' && *text <= '9')\n\t\tvalue = value * 10 + (*text++ - '0');\n\treturn value;\n}\n",
    ),
    done(
        C,
        "(*text++ - '0')",
        "(*text++ - \\0)",
        Found::Exactly,
        "static int parse(const char *text)\n{\n\tint value = 0;\n\n\twhile (*text >= '0' && *text <= '9')\n\t\tvalue = value * 10 + (*text++ - \\0);\n\treturn value;\n}\n",
    ),
    // Go.
    done(
        GO,
        "    if s.closed {\n        return nil\n    }",
        "    if s.closed {\n        return ErrClosed\n    }",
        Found::Indented,
        "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.closed {\n\t\treturn ErrClosed\n\t}\n\ts.closed = true\n\treturn s.listener.Close()\n}\n",
    ),
    done(
        GO,
        "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tif s.closed {\n\t\treturn nil\n\t}\n\ts.closed = true",
        "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tif s.closed {\n\t\treturn nil\n\t}\n\ts.closed = true\n\tclose(s.done)",
        Found::Aligned,
        "func (s *Server) Close() error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.closed {\n\t\treturn nil\n\t}\n\ts.closed = true\n\tclose(s.done)\n\treturn s.listener.Close()\n}\n",
    ),
    refused(GO, "\treturn nil\n\t}\n\treturn", "\treturn err\n\t}\n\treturn", No::NotFound),
    // Markdown, where whitespace at the end of a line is significant.
    done(
        MARKDOWN,
        "First line.\nSecond line.",
        "First line.\nAnother line.",
        Found::Trailing,
        "# Title\n\nFirst line.  \nAnother line.\n\n- one\n- two\n  - nested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    ),
    done(
        MARKDOWN,
        "- two\n    - nested",
        "- two\n    - nested\n    - more",
        Found::Indented,
        "# Title\n\nFirst line.  \nSecond line.\n\n- one\n- two\n  - nested\n  - more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    ),
    done(
        MARKDOWN,
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        Found::Exactly,
        "# Title\n\nFirst line.  \nSecond line.\n\n- one\n- two\n  - nested\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
    ),
    done(
        "# The API\n\nUse `f`.\n",
        "# The Api\n\nUse `f`.\n",
        "# The Api\n\nUse `g`.\n",
        Found::AnyCase,
        "# The API\n\nUse `g`.\n",
    ),
    // YAML.
    refused(YAML, "    ports:\n", "    expose:\n", No::Ambiguous),
    done(
        YAML,
        "web:\n  image: nginx:1.25",
        "web:\n  image: nginx:1.27\n  restart: always",
        Found::Indented,
        "services:\n  web:\n    image: nginx:1.27\n    restart: always\n    ports:\n      - \"80:80\"\n  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n",
    ),
    done(
        YAML,
        "  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n",
        "",
        Found::Exactly,
        "services:\n  web:\n    image: nginx:1.25\n    ports:\n      - \"80:80\"\n",
    ),
    done(
        YAML,
        "services:\n    web:\n        image: nginx:1.25",
        "services:\n    cache:\n        image: redis:7\n    web:\n        image: nginx:1.25",
        Found::Indented,
        "services:\n  cache:\n    image: redis:7\n  web:\n    image: nginx:1.25\n    ports:\n      - \"80:80\"\n  db:\n    image: postgres:16\n    ports:\n      - \"5432:5432\"\n",
    ),
    // Makefiles, where tabs are significant.
    done(
        MAKE,
        "build: main.o\n    $(CC) -o app main.o",
        "build: main.o\n    $(CC) -O2 -o app main.o\n    strip app",
        Found::Indented,
        "build: main.o\n\t$(CC) -O2 -o app main.o\n\tstrip app\n\nclean:\n\trm -f app *.o\n",
    ),
    done(
        MAKE,
        "$(CC)",
        "$(CXX)",
        Found::Exactly,
        "build: main.o\n\t$(CXX) -o app main.o\n\nclean:\n\trm -f app *.o\n",
    ),
    done(
        MAKE,
        "clean:\n        rm -f app *.o\n",
        "clean:\n        rm -f app *.o\n\ntest: build\n        ./app --test\n",
        Found::Indented,
        "build: main.o\n\t$(CC) -o app main.o\n\nclean:\n\trm -f app *.o\n\ntest: build\n\t./app --test\n",
    ),
    // C# with Windows line endings.
    done(
        WINDOWS,
        "static void Main()\n{\n    Console.WriteLine(\"hi\");\n}",
        "static void Main()\n{\n    var name = \"x\";\n    Console.WriteLine(name);\n}",
        Found::Indented,
        "using System;\r\n\r\nclass Program\r\n{\r\n    static void Main()\r\n    {\r\n        var name = \"x\";\r\n        Console.WriteLine(name);\r\n    }\r\n}\r\n",
    ),
    done(
        WINDOWS,
        "static void Main() {\n        Console.WriteLine(\"hi\");\n    }",
        "static void Main() {\n        Console.WriteLine(\"bye\");\n    }",
        Found::Blanks,
        "using System;\r\n\r\nclass Program\r\n{\r\n    static void Main()\r\n    {\r\n        Console.WriteLine(\"bye\");\r\n    }\r\n}\r\n",
    ),
    // JSON, CSS, shell, SQL.
    done(
        "{\"a\": 1,\n \"b\": [1, 2]}\n",
        "{\"a\":1, \"b\":[1,2]}",
        "{\"a\":1, \"b\":[1,3]}",
        Found::Blanks,
        "{\"a\": 1,\n \"b\": [1, 3]}\n",
    ),
    done(
        "{\"path\": \"C:\\\\dir\\\\file\"}\n",
        "C:\\\\dir\\\\file",
        "C:\\\\dir\\\\other",
        Found::Exactly,
        "{\"path\": \"C:\\\\dir\\\\other\"}\n",
    ),
    done(
        ".a{color:red;margin:0}\n",
        ".a { color: red; margin: 0 }",
        ".a { color: blue; margin: 0 }",
        Found::Blanks,
        ".a{color:blue;margin:0}\n",
    ),
    done(
        "echo \"$@\" \"${1:-x}\"\n",
        "\"${1:-x}\"",
        "\"${2:-$1}\"",
        Found::Exactly,
        "echo \"$@\" \"${2:-$1}\"\n",
    ),
    done(
        "select id\nfrom t\nwhere a = 1\n",
        "SELECT id\nFROM t\nWHERE a = 1",
        "SELECT id\nFROM t\nWHERE a = 2",
        Found::AnyCase,
        "select id\nfrom t\nwhere a = 2\n",
    ),
    refused("if [ -f x ]; then\n  a\nfi\nif [ -f y ]; then\n  a\nfi\n", "  a\nfi", "  b\nfi", No::Ambiguous),
];
