//! `ilk studio`, over its socket as a page talks to it.

mod answers;
mod client;
mod guard;
mod kept;
mod schema;
