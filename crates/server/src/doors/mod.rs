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

use crate::door::Door;

pub fn all() -> Vec<Door> {
    [
        body::doors(),
        chat::doors(),
        chats::doors(),
        code::doors(),
        models::doors(),
        config::doors(),
        auth::doors(),
        data::doors(),
        tools::doors(),
        frame::doors(),
        lan::doors(),
        skills::doors(),
        mcp::doors(),
        mcp_sign_in::doors(),
        media::doors(),
        memory::doors(),
        memory_files::doors(),
        personality::doors(),
        vector::doors(),
        service::doors(),
        v1::doors(),
        ws::doors(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
