//! Several audiences of one run.

use std::sync::Arc;
use std::time::{Duration as Wall, Instant};

use ironbird_kernel::Time;
use ironbird_record::{Event, Observer};

use super::{Audience, Closing, Opening, Request, Sight};

/// How long one is waited for before the others are asked again.
const TURN: Wall = Wall::from_millis(10);

/// Audiences that watch the same run, and may all change it.
pub struct Several(pub Vec<Arc<dyn Audience>>);

impl Audience for Several {
    fn begins(&self, opening: &Opening<'_>) {
        self.0.iter().for_each(|one| one.begins(opening));
    }

    fn sees(&self, sight: &Sight<'_>) {
        self.0.iter().for_each(|one| one.sees(sight));
    }

    fn observer(&self) -> Box<dyn Observer> {
        Box::new(Observers(self.0.iter().map(|one| one.observer()).collect()))
    }

    fn asks(&self, patience: Wall) -> Vec<Request> {
        let until = Instant::now() + patience;
        loop {
            let mut requests = Vec::new();
            for one in &self.0 {
                // Nobody is waited for once somebody has asked.
                let left = until.saturating_duration_since(Instant::now());
                let patience = if requests.is_empty() { left.min(TURN) } else { Wall::ZERO };
                requests.extend(one.asks(patience));
            }
            if !requests.is_empty() || Instant::now() >= until {
                return requests;
            }
        }
    }

    fn ends(&self, closing: &Closing<'_>) {
        self.0.iter().for_each(|one| one.ends(closing));
    }
}

struct Observers(Vec<Box<dyn Observer>>);

impl Observer for Observers {
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event> {
        // All of them see it, whatever the first says.
        let said = self.0.iter_mut().filter_map(|one| one.value(tap, time, bytes));
        said.collect::<Vec<Event>>().into_iter().next()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::live::{Wish, Wishes};

    /// Asks for what it was given, and keeps the taps whose values it sees.
    #[derive(Default)]
    struct One {
        wishes: Wishes,
        seen: Arc<Mutex<Vec<u32>>>,
    }

    impl Audience for One {
        fn begins(&self, _: &Opening<'_>) {}
        fn sees(&self, _: &Sight<'_>) {}
        fn observer(&self) -> Box<dyn Observer> {
            Box::new(Eyes(self.seen.clone()))
        }
        fn asks(&self, patience: Wall) -> Vec<Request> {
            self.wishes.take(patience)
        }
        fn ends(&self, _: &Closing<'_>) {}
    }

    struct Eyes(Arc<Mutex<Vec<u32>>>);

    impl Observer for Eyes {
        fn value(&mut self, tap: u32, time: Time, _: &[u8]) -> Option<Event> {
            self.0.lock().unwrap().push(tap);
            let (kind, name) = ("state".into(), "x".into());
            Some(Event { time, kind, name, text: "seen".into() })
        }
    }

    #[test]
    fn all_are_heard_in_their_order_and_nobody_is_waited_for_in_vain() {
        let (first, last) = (Arc::new(One::default()), Arc::new(One::default()));
        let several = Several(vec![first.clone(), last.clone()]);
        assert!(several.asks(Wall::ZERO).is_empty());
        last.wishes.ask(Wish::Go, |_| {});
        let wishes = |requests: Vec<Request>| -> Vec<Wish> {
            requests.into_iter().map(|request| request.wish).collect()
        };
        let asked = Instant::now();
        assert_eq!(wishes(several.asks(Wall::from_secs(60))), [Wish::Go]);
        assert!(asked.elapsed() < Wall::from_secs(30));
        last.wishes.ask(Wish::Go, |_| {});
        first.wishes.ask(Wish::Pause, |_| {});
        assert_eq!(wishes(several.asks(Wall::ZERO)), [Wish::Pause, Wish::Go]);
    }

    #[test]
    fn all_see_every_value() {
        let (first, last) = (Arc::new(One::default()), Arc::new(One::default()));
        let mut observer = Several(vec![first.clone(), last.clone()]).observer();
        assert!(observer.value(7, Time::ZERO, &[]).is_some());
        assert_eq!(
            (&*first.seen.lock().unwrap(), &*last.seen.lock().unwrap()),
            (&vec![7], &vec![7])
        );
    }
}
