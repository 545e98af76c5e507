use super::check;
use crate::Language;

#[test]
fn python() {
    let source = r#"#!/usr/bin/env python3
"""A queue."""
from dataclasses import dataclass, field as f
import os.path

MAX_JOBS = 4
_default = None


@dataclass
class Job(Base, mixins.Timed):
    """One thing to do."""

    name: str
    retries: int = 0

    @property
    def label(self) -> str:
        return format_label(self.name)

    async def run(
        self,
        queue: "Queue",
    ) -> Result:
        def inner():
            return os.path.join("a")
        return await queue.submit(inner, MAX_JOBS)


def test_job():
    assert Job("x").label == "x"


type Pair = tuple[int, int]

if True:
    def guarded(a, b=1): return a
"#;
    let definitions = [
        "6-6 constant MAX_JOBS | MAX_JOBS = 4",
        "7-7 variable _default | _default = None",
        "11-27 class Job | class Job(Base, mixins.Timed)",
        "18-19 method Job.label | def label(self) -> str",
        "21-27 method Job.run | async def run(self, queue: \"Queue\") -> Result",
        "25-26 function run.inner | def inner()",
        "30-31 test test_job | def test_job()",
        "34-34 type Pair | type Pair = tuple[int, int]",
        "37-37 function guarded | def guarded(a, b=1)",
    ];
    let references = "Base 11x1, Job 31x1, MAX_JOBS 27x1, Result 24x1, Timed 11x1, dataclass 3x2, field 3x1, format_label 19x1, int 15x3, .join 26x1, property 17x1, str 14x2, .submit 27x1";
    check(Language::Python, source, &definitions, references);
}

#[test]
fn typescript() {
    let source = r#"import { Store, type Entry as Item } from "./store";
import api from "./api";

export interface Options extends Base<Item> {
  retries: number;
  onDone(result: Outcome): void;
}

export type Handler = (event: Event) => void;

enum Color {
  Red,
}

export const LIMIT = 10;
let counter = 0;

export const connect = async (url: string): Promise<Client> => {
  const inner = () => counter;
  return new Client(url, inner);
};

export default function main(argv: string[]) {
  api.fetchAll(LIMIT);
}

@sealed
export abstract class Client<T> extends Connection implements Options {
  #secret = 1;
  retries = 3;

  constructor(private url: string, other: () => void) {
    super();
  }

  abstract close(): void;

  static async open(url: string): Promise<Client> {
    return new Client(url, () => {});
  }

  onDone = (result: Outcome) => {
    this.#log(result);
  };

  #log(value: unknown) {}
}

namespace Inner {
  export function helper(): void {}
}

declare module "foo" {
  export function bar(x: number): string;
}

describe("the client", () => {
  it("opens", async () => {
    await Client.open("x");
  });
});
"#;
    let definitions = [
        "4-7 interface Options | export interface Options extends Base<Item>",
        "6-6 method Options.onDone | onDone(result: Outcome): void",
        "9-9 type Handler | export type Handler = (event: Event) => void;",
        "11-13 enum Color | enum Color",
        "15-15 constant LIMIT | export const LIMIT = 10",
        "16-16 variable counter | let counter = 0",
        "18-21 function connect | export const connect = async (url: string): Promise<Client> =>",
        "19-19 function connect.inner | const inner = () =>",
        "23-25 function main | export default function main(argv: string[])",
        "28-47 class Client | export abstract class Client<T> extends Connection implements Options",
        "32-34 method Client.constructor | constructor(private url: string, other: () => void)",
        "36-36 method Client.close | abstract close(): void",
        "38-40 method Client.open | static async open(url: string): Promise<Client>",
        "42-44 method Client.onDone | onDone = (result: Outcome) =>",
        "46-46 method Client.#log | #log(value: unknown)",
        "49-51 module Inner | namespace Inner",
        "50-50 function Inner.helper | export function helper(): void",
        "53-55 module foo | declare module \"foo\"",
        "54-54 function foo.bar | export function bar(x: number): string;",
        "57-61 test the client | describe(\"the client\", () =>",
        "58-60 test the client.opens | it(\"opens\", async () =>",
    ];
    let references = "Base 4x1, Client 18x5, Connection 28x1, Entry 1x1, Event 9x1, Item 1x2, LIMIT 24x1, Options 28x1, Outcome 6x2, Promise 18x2, Store 1x1, api 2x1, describe 57x1, .fetchAll 24x1, .open 59x1";
    check(Language::TypeScript, source, &definitions, references);
}

#[test]
fn tsx() {
    let source = r#"import React, { useState } from "react";

export function Panel({ title }: PanelProps) {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <Card onClick={toggle}><Title text={title} /></Card>;
}

export const Row = React.memo(function Row(props: RowProps) {
  return <Cell>{props.text}</Cell>;
});
"#;
    let definitions = [
        "3-7 function Panel | export function Panel({ title }: PanelProps)",
        "5-5 function Panel.toggle | const toggle = () =>",
        "9-11 constant Row | export const Row = React.memo(function Row(props: RowProps)",
    ];
    let references = "Card 6x2, Cell 10x2, PanelProps 3x1, React 1x2, Row 9x1, RowProps 9x1, Title 6x1, .memo 9x1, setOpen 5x1, useState 1x2";
    check(Language::Tsx, source, &definitions, references);
}

#[test]
fn javascript() {
    let source = r#""use strict";
const path = require("path");
var legacy = 1;

class Cache extends Map {
  static #shared = null;
  handler = (x) => x;

  get size() { return this.items.length; }

  *entries() {
    yield* walk(this.items);
  }
}

function* walk(items) {
  for (const item of items) yield item;
}

exports.createCache = function (options) {
  return new Cache(options);
};

Cache.prototype.reset = function reset() {};

const api = {
  load(name) {
    return path.join(name);
  },
};

module.exports = { Cache, api };
"#;
    let definitions = [
        "3-3 variable legacy | var legacy = 1",
        "5-14 class Cache | class Cache extends Map",
        "7-7 method Cache.handler | handler = (x) =>",
        "9-9 method Cache.size | get size()",
        "11-13 method Cache.entries | *entries()",
        "16-18 function walk | function* walk(items)",
        "20-22 function createCache | exports.createCache = function (options)",
        "24-24 function reset | Cache.prototype.reset = function reset()",
        "26-30 constant api | const api =",
        "27-29 method api.load | load(name)",
    ];
    let references = "Cache 21x2, Map 5x1, .join 28x1, require 2x1, walk 12x1";
    check(Language::JavaScript, source, &definitions, references);
}

#[test]
fn bash() {
    let source = r#"#!/usr/bin/env bash
set -euo pipefail
readonly ROOT=/srv
name=value

log_line() {
  local text=$1
  printf '%s\n' "$text"
}

function build_all {
  log_line "building"
  for f in a b; do compile_one "$f"; done
}

build_all "$@"
"#;
    let definitions = [
        "3-3 variable ROOT | readonly ROOT=/srv",
        "4-4 variable name | name=value",
        "6-9 function log_line | log_line()",
        "11-14 function build_all | function build_all",
    ];
    let references = "build_all 16x1, compile_one 13x1, log_line 12x1, printf 8x1, set 2x1";
    check(Language::Bash, source, &definitions, references);
}
