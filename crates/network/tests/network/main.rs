//! Links, switches and radios seen from outside.

mod link;
mod radio;
mod serial_radio;
mod switch;
mod talker;
