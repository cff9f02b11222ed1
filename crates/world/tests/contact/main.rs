//! Where bodies touch: friction and impacts, against closed forms and what must always hold.

#[path = "../scene/mod.rs"]
mod scene;

mod air;
mod impacts;
mod numbers;
mod order;
mod sliding;
mod standing;
mod things;
