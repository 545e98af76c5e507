//! The table of all routes of the HTTP interface.

mod auth;
mod body;
mod chat;
mod chats;
mod code;
mod config;
mod data;
mod frame;
mod lan;
mod mcp;
mod mcp_sign_in;
mod media;
mod memory;
mod memory_files;
mod models;
mod personality;
mod service;
mod skills;
mod tools;
mod v1;
mod vector;
pub mod ws;

use crate::route::Route;

pub fn all() -> Vec<Route> {
    [
        body::routes(),
        chat::routes(),
        chats::routes(),
        code::routes(),
        models::routes(),
        config::routes(),
        auth::routes(),
        data::routes(),
        tools::routes(),
        frame::routes(),
        lan::routes(),
        skills::routes(),
        mcp::routes(),
        mcp_sign_in::routes(),
        media::routes(),
        memory::routes(),
        memory_files::routes(),
        personality::routes(),
        vector::routes(),
        service::routes(),
        v1::routes(),
        ws::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
