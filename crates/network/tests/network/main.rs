//! Links, switches and radios seen from outside.

mod link;
mod switch;
mod talker;
