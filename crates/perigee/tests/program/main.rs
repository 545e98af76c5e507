//! Whole-product tests: the real program, its real API, and a scripted model behind a real socket.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::disallowed_methods, reason = "tests use the program from outside, as a person would")]
#![allow(clippy::needless_pass_by_value, reason = "what is sent is made where it is sent")]

mod access;
mod acp;
mod auth;
mod body;
mod chat;
mod clients;
mod code;
mod coding;
mod coding_limits;
mod coding_projects;
mod command_line;
mod config;
mod conversations;
mod crash;
mod description;
mod dialect;
mod escape;
mod faults;
mod feed;
mod full_disk;
mod generated_servers;
mod half_open;
mod lan;
mod mcp;
mod mcp_served;
mod mcp_servers;
mod mcp_sessions;
mod memory;
mod models;
mod network;
mod other_pages;
mod prompt;
mod readers;
mod resume;
mod review;
mod safekeeping;
mod sandbox;
mod service;
mod shell;
mod support;
mod taint;
mod tokens;
mod tools;
mod turns;
mod v1;
