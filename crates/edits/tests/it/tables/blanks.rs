//! Different whitespace that separates the same words.

use crate::case::{Case, Found, No, done, refused};

const B: Found = Found::Blanks;

pub const CASES: &[Case] = &[
    // Whitespace that the edit does not change stays as in the text.
    done("if [ -f x ]; then\n", "if   [ -f x ]; then", "if [ -f y ]; then", B, "if [ -f y ]; then\n"),
    done("if [ -f x ]; then\n", "if   [ -f x ]; then", "if   [ -f y ]; then", B, "if [ -f y ]; then\n"),
    done("if [ -f x ]; then\n", "if[-f x];then", "if[-f y];then", B, "if [ -f y ]; then\n"),
    done("echo    \"abc\"\n", "echo \"abc\"", "echo \"bcd\"", B, "echo    \"bcd\"\n"),
    done("echo    \"abc\"\n", "echo \"abc\"", "echo bcd", B, "echo    bcd\n"),
    done("def f(a, b):\n", "def f(a,b):", "def f(a, b, c):", B, "def f(a, b, c):\n"),
    done("def f(a, b):\n", "def f(a,b):", "def f(a,b,c):", B, "def f(a, b,c):\n"),
    done("def f(a, b):\n", "def f(a,  b):", "def f(a,  b) -> int:", B, "def f(a, b) -> int:\n"),
    done("return\"text\"\n", "return \"text\"", "return value", B, "return value\n"),
    done("value = -old;\n", "value=-old;", "value=-fresh;", B, "value = -fresh;\n"),
    done("value = old;\n", "value=old;", "value=-old;", B, "value = -old;\n"),
    done("value =old;\n", "value=old;", "value[0]=old;", B, "value[0] =old;\n"),
    done("call( alpha, beta )\n", "call(alpha,beta)", "call(alpha)", B, "call( alpha )\n"),
    done("call( alpha, beta )\n", "call(alpha,beta)", "call(beta)", B, "call( beta )\n"),
    done("call( alpha )\n", "call(alpha)", "call()", B, "call()\n"),
    done("alpha  &&  beta\n", "alpha && beta", "alpha || beta", B, "alpha  ||  beta\n"),
    done("alpha==beta\n", "alpha == beta", "alpha != beta", B, "alpha!=beta\n"),
    done("list<list<int> > x;\n", "list<list<int>> x;", "list<list<long>> x;", B, "list<list<long> > x;\n"),
    // Adjacent punctuation in the text stays adjacent when one character changes.
    done("total=-price;\n", "total = -price;", "total = +price;", B, "total=+price;\n"),
    done("x=*ptr+value;\n", "x = *ptr + value;", "x = &ptr + value;", B, "x=&ptr+value;\n"),
    done("if (a==-1) go();\n", "if (a == -1) go();", "if (a == +1) go();", B, "if (a==+1) go();\n"),
    done("total=-price;\n", "total = -price;", "total = --price;", B, "total=--price;\n"),
    done("total=!price;\n", "total = !price;", "total = !-price;", B, "total=!-price;\n"),
    done("total= -price;\n", "total = -price;", "total = +price;", B, "total= +price;\n"),
    done("total= -price;\n", "total =-price;", "total =+price;", B, "total= +price;\n"),
    done("total= !-price;\n", "total = !-price;", "total = -price;", B, "total= -price;\n"),
    done("total=!-price;\n", "total = !-price;", "total = -price;", B, "total=-price;\n"),
    done("alpha-beta\n", "alpha - beta", "alpha - -beta", B, "alpha- -beta\n"),
    // In a literal all whitespace counts: it is kept unless the edit changes it, and the edit is refused if that is
    // impossible.
    done("say(\"a  b\", one)\n", "say(\"a b\",one)", "say(\"a b\",two)", B, "say(\"a  b\", two)\n"),
    done("say(\"one  two\")\n", "say(\"one two\")", "say(\"one six\")", B, "say(\"one  six\")\n"),
    refused("say(\"one  two\")\n", "say(\"one two\")", "say(\"one more two\")", No::Unclear),
    refused("say(\"one  two six\")\n", "say(\"one two six\")", "say(\"one six\")", No::Unclear),
    done("say(\"one  two\")\n", "say(\"one two\")", "say(\"one   two\")", B, "say(\"one   two\")\n"),
    // A joiner character is not duplicated if the quote separates what it joins.
    done(
        "x = '\u{2764}\u{fe0f}\u{200d}\u{1f525} ok'\n",
        "x='\u{2764}\u{fe0f} \u{200d}\u{1f525} ok'",
        "y='\u{2764}\u{fe0f}\u{200d}\u{1f525} ok'",
        B,
        "y = '\u{2764}\u{fe0f}\u{200d}\u{1f525} ok'\n",
    ),
    // Words that would join with text outside the quote.
    refused("return( alphabet )\n", "(alphabet)", "alphabet", No::Unclear),
    done("return( alphabet )\n", "(alphabet)", " alphabet", B, "return alphabet\n"),
    // Within a line.
    done("foo( a,b )\n", "foo(a, b)", "foo(a, c)", B, "foo( a,c )\n"),
    done("x=y+zeta\n", "x = y + zeta", "x = y - zeta", B, "x=y-zeta\n"),
    done("x  =  total ;\n", "x = total;", "x = sum;", B, "x  =  sum ;\n"),
    done("if(alpha){\n", "if (alpha) {", "if (beta) {", B, "if(beta){\n"),
    done("a   b   c   done\n", "a b c done", "a b x done", B, "a   b   x   done\n"),
    done("list[ 0 ]\n", "list[0]", "list[1]", B, "list[ 1 ]\n"),
    done("call( one )\n", "call(one)", "call(one, two)", B, "call( one, two )\n"),
    done("call( one )\n", "call(one)", "call(zero, one)", B, "call( zero, one )\n"),
    done("alpha|beta\n", "alpha | beta", "alpha | beta | gamma", B, "alpha|beta | gamma\n"),
    done("key :value\n", "key: value", "key: other", B, "key :other\n"),
    done("\tname\t=\tvalue\n", "name = value", "name = other", B, "\tname\t=\tother\n"),
    done("SELECT  *  FROM t\n", "SELECT * FROM t", "SELECT a FROM t", B, "SELECT  a  FROM t\n"),
    // Across several lines.
    done(
        "call(\n    first,\n    second,\n)\n",
        "call(first, second,)",
        "call(first, third,)",
        B,
        "call(\n    first,\n    third,\n)\n",
    ),
    done(
        "call(first, second)\n",
        "call(\n  first,\n  second\n)",
        "call(\n  first,\n  third\n)",
        B,
        "call(first, third)\n",
    ),
    done("one two\nthree four\n", "one two three four", "one two three five", B, "one two\nthree five\n"),
    done(
        "let total =\n    price * count;\n",
        "let total = price * count;",
        "let total = price + count;",
        B,
        "let total =\n    price + count;\n",
    ),
    done(
        "if (a)\n{\n    go();\n}\n",
        "if (a) {\n    go();\n}",
        "if (a) {\n    stay();\n}",
        B,
        "if (a)\n{\n    stay();\n}\n",
    ),
    done("alpha()\n\n\nbeta()\n", "alpha()\nbeta()", "alpha()\ngamma()", B, "alpha()\n\n\ngamma()\n"),
    done("alpha()\nbeta()\n", "alpha()\n\nbeta()", "alpha()\n\ngamma()", B, "alpha()\ngamma()\n"),
    done(
        "alpha();\r\n\r\nbeta();\r\n",
        "alpha();\nbeta();",
        "alpha();\ngamma();",
        B,
        "alpha();\r\n\r\ngamma();\r\n",
    ),
    // Text on several lines, quoted on one.
    done(
        "function test() {\n  return true;\n}\n",
        "function test(){return true;}",
        "function test(){return false;}",
        B,
        "function test() {\n  return false;\n}\n",
    ),
    done(
        "function test() {\n  return true;\n}\n",
        "function test(){return true;}",
        "function test() { return false; }",
        B,
        "function test() {\n  return false;\n}\n",
    ),
    done(
        "function test() {\r\n  return true;\r\n}\r\n",
        "function test(){return true;}",
        "function test(){log();return true;}",
        B,
        "function test() {\r\n  log();\r\n  return true;\r\n}\r\n",
    ),
    done(
        "function test() {\n  return true;\n}\n",
        "function test(){return true;}",
        "function test() {\n  return false;\n}",
        B,
        "function test() {\n  return false;\n}\n",
    ),
    done(
        "{\n  \"n\": {\n    \"p\": 1\n  }\n}\n",
        "{\"n\":{\"p\":1}}",
        "{\"n\":{\"p\":2}}",
        B,
        "{\n  \"n\": {\n    \"p\": 2\n  }\n}\n",
    ),
    done(
        "{ \"n\": { \"p\": 1 } }\n",
        "{\"n\":{\"p\":1}}",
        "{\"n\":{\"p\":1,\"q\":2}}",
        B,
        "{ \"n\": { \"p\": 1,\"q\":2 } }\n",
    ),
    done(
        "{\n  \"n\": {\n    \"p\": 1\n  }\n}\n",
        "{\"n\":{\"p\":1}}",
        "{\"n\":{\"p\":1,\"q\":2}}",
        B,
        "{\n  \"n\": {\n    \"p\": 1,\"q\":2\n  }\n}\n",
    ),
    done(
        "{\n  \"n\": {\n    \"p\": 1,\n    \"q\": 2\n  }\n}\n",
        "{\"n\":{\"p\":1,\"q\":2}}",
        "{\"n\":{\"p\":1}}",
        B,
        "{\n  \"n\": {\n    \"p\": 1\n  }\n}\n",
    ),
    done(
        "if (a) {\n  one();\n  two();\n  if (b) {\n    three();\n  }\n}\n",
        "if (a) { one(); two(); if (b) { three(); } }",
        "if (a) { one(); two(); if (c) { three(); } }",
        B,
        "if (a) {\n  one();\n  two();\n  if (c) {\n    three();\n  }\n}\n",
    ),
    // An insertion after a comment is ambiguous.
    refused("alpha() // why\nbeta()\n", "alpha() // why beta()", "alpha() // why more() beta()", No::Unclear),
    // Only whitespace changes, and the text has other whitespace than the quote.
    refused("call(\n    alpha,\n)\n", "call(alpha,)", "call( alpha, )", No::Unclear),
    // Added and removed lines.
    done(
        "alpha( )\nbeta()\ngamma()\n",
        "alpha()\nbeta()\ngamma()",
        "alpha()\ngamma()",
        B,
        "alpha( )\ngamma()\n",
    ),
    done("alpha( )\nbeta()\n", "alpha()\nbeta()", "alpha()\nmore()\nbeta()", B, "alpha( )\nmore()\nbeta()\n"),
    done("alpha( )\n\nbeta()\n", "alpha()\n\nbeta()", "alpha()\nbeta()", B, "alpha( )\nbeta()\n"),
    done(
        "alpha(); beta(); gamma();\n",
        "alpha();\nbeta();\ngamma();",
        "alpha();\ngamma();",
        B,
        "alpha(); gamma();\n",
    ),
    done(
        "alpha(); beta();\ngamma();\n",
        "alpha();\nbeta();\ngamma();",
        "alpha();\ngamma();",
        B,
        "alpha();\ngamma();\n",
    ),
    done(
        "alpha(); beta();\n",
        "alpha();\nbeta();",
        "alpha();\nmore();\nbeta();",
        B,
        "alpha();\nmore();\nbeta();\n",
    ),
    done("alpha(); beta();\n", "alpha();\nbeta();", "gamma();\ndelta();", B, "gamma(); delta();\n"),
    done(
        "  alpha( );\n      beta();\n",
        "alpha();\nbeta();",
        "alpha();\nbeta();\nmore();",
        B,
        "  alpha( );\n      beta();\n      more();\n",
    ),
    // Changes of whitespace alone are written as requested.
    done("a   =   value\n", "a  = value", "a = value", B, "a = value\n"),
    done("f( x, yy )\n", "f (x, yy)", "f(x, yy)", B, "f(x, yy)\n"),
    // Separate words stay separate.
    done("first+second\n", "first + second", "first second", B, "first second\n"),
    done("alpha,beta\n", "alpha, beta", "alpha, x, beta", B, "alpha,x, beta\n"),
    // One word does not match two.
    refused("intx = 5;\n", "int x = 5;", "int x = 6;", No::NotFound),
    refused("int x = 5;\n", "intx = 5;", "intx = 6;", No::NotFound),
    refused("else if done\n", "elseif done", "elseif more", No::NotFound),
    refused("new\nline one\n", "newline one", "newline two", No::NotFound),
    // Matches do not split words.
    refused("support  = 1\n", "port = 1", "port = 2", No::NotFound),
    refused("total  = summary\n", "total = sum", "total = all", No::NotFound),
    // A match far larger than the quote.
    refused("alpha(\n\n\n\n\n\n\n\n\n\nbeta\n)\n", "alpha(beta)", "alpha(gamma)", No::NotFound),
    // Too short for a lenient match.
    refused("a +b\n", "a + b", "a - b", No::NotFound),
    // Two matches.
    refused("f( one )\nf(one )\n", "f(one)", "f(two)", No::Ambiguous),
];
