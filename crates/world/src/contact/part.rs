//! A step of bodies that touch, in parts.
//!
//! A step is one part as long as nothing happens in it. Where surfaces meet, or a sliding contact comes to stand, it is
//! cut at that time, so that each part is smooth and of the second order (`mover.rs`), and an impact happens where bodies
//! really are (`impact.rs`).

use super::energy;
use super::evenly::{self, Load};
use super::find::{Found, Scene, Search};
use super::impact::Impact;
use super::mover::{Mover, When};
use super::opening::{Memory, State, TOUCHING};
use super::overlap::Overlaps;
use super::solver::{Effort, Solver};
use crate::body::{Body, Mechanics};
use crate::body_state::Warm;
use crate::geometry::Touch;

/// Parts of a step at most, of one body and of several together: before the last one all strikes that would meet in it.
/// Where many bodies meet something happens all the time.
const MOST_PARTS: usize = 32;
const MOST_PARTS_TOGETHER: usize = 5;
/// How many impacts there are at one time, at most.
const MOST_STRIKES: usize = 20;
/// How often the time at which surfaces meet is made more exact.
const MOST_REFINEMENTS: usize = 4;
/// Where nothing is known of any contact yet, their impulses are sought for so much longer.
const MOST_TRIES: usize = 8;
/// How often loads are spread evenly at most, and the change, against the largest load, that ends this.
const MOST_SPREADINGS: usize = 20;
const EVEN: f64 = 1e-8;
/// So does a change that is not smaller than the one before by this factor: loads may not settle.
const SETTLING: f64 = 0.5;

/// Room for the steps of one group after the other.
#[derive(Default)]
pub(super) struct Room {
    /// The bodies of the group, and its contacts.
    pub members: Vec<usize>,
    pub own: Vec<Found>,
    pub states: Vec<State>,
    touching: Vec<(usize, f64)>,
    /// How contacts begin the part, once anything happens in the step.
    pub starts: Vec<Start>,
    touches: Vec<Touch>,
    pub solver: Solver,
    impact: Impact,
    overlaps: Overlaps,
    loads: Vec<Load>,
}

/// How a contact begins a part, seen from there.
pub(super) struct Start {
    pub body: usize,
    pub key: u128,
    /// Its gap in m, and how fast that grows.
    pub gap: f64,
    pub speed: f64,
}

impl Start {
    pub fn of(&self) -> (usize, u128) {
        (self.body, self.key)
    }
}

/// Bodies with what moves them.
pub(super) struct Moved<'a> {
    pub bodies: &'a mut [Box<Body>],
    pub movers: &'a mut [Option<Mover>],
    scene: &'a Scene<'a>,
    /// Length of the step in s.
    pub h: f64,
    /// Whether there was an impact in this step: what contacts remember of their speeds no longer holds.
    pub shaken: bool,
}

impl Room {
    /// A step of `h` seconds of a group whose bodies have flown freely, with its contacts in the middle of the step.
    pub fn step(
        &mut self,
        bodies: &mut [Box<Body>],
        movers: &mut [Option<Mover>],
        scene: &Scene<'_>,
        h: f64,
    ) {
        let mut moved = Moved { bodies, movers, scene, h, shaken: false };
        let (mut left, mut exact) = (h, false);
        let most = if self.members.len() == 1 { MOST_PARTS } else { MOST_PARTS_TOGETHER };
        self.starts.clear();
        let mut part = 1;
        while part <= most {
            let last = part == most;
            if exact {
                self.begin(&mut moved, left, last);
                self.search(&mut moved, When::Middle, left);
            }
            let strikes = self.open(&mut moved, left, last);
            if strikes && !exact {
                exact = self.prepare(&mut moved);
                continue;
            }
            self.solve();
            let event = if last { None } else { self.next_event(left) };
            let Some(span) = event else {
                self.close(&mut moved, left);
                break;
            };
            if !exact {
                exact = self.prepare(&mut moved);
                continue;
            }
            let span = self.until(&mut moved, span);
            self.close(&mut moved, span);
            left -= span;
            self.fly(&mut moved, left);
            part += 1;
        }
        for &number in &self.members {
            if let Some(mover) = &moved.movers[number] {
                mover.finish(&mut moved.bodies[number]);
            }
        }
    }

    /// Something happens in the step: from here on it is looked at where each part begins.
    fn prepare(&self, moved: &mut Moved<'_>) -> bool {
        for &number in &self.members {
            if let Some(mover) = &mut moved.movers[number] {
                mover.prepare(moved.h);
            }
        }
        true
    }

    fn fly(&self, moved: &mut Moved<'_>, span: f64) {
        for &number in &self.members {
            if let Some(mover) = &mut moved.movers[number] {
                mover.fly(&mut moved.bodies[number], span);
            }
        }
    }

    fn search(&mut self, moved: &mut Moved<'_>, when: When, span: f64) {
        self.own.clear();
        let Moved { bodies, movers, scene, .. } = moved;
        let (touches, found) = (&mut self.touches, &mut self.own);
        let members = &self.members;
        Search { scene, bodies, movers, when, span, touches, found }
            .run(|number| members.binary_search(&number).is_ok());
    }

    /// Brings a part to the event that was seen at `span` seconds; how long it really is.
    fn until(&mut self, moved: &mut Moved<'_>, mut span: f64) -> f64 {
        for refined in 0.. {
            self.fly(moved, span);
            self.search(moved, When::Middle, span);
            self.open(moved, span, false);
            self.solve();
            // Too late by more than nothing: before surfaces meet.
            let sooner =
                (0..self.own.len()).filter_map(|number| self.closes(number, span, TOUCHING));
            match sooner.min_by(f64::total_cmp) {
                Some(sooner) if sooner < span && refined < MOST_REFINEMENTS => span = sooner,
                _ => break,
            }
        }
        span
    }

    /// Finds the impulses, with the loads of a body that slides alone spread evenly where that makes a difference.
    fn solve(&mut self) {
        let tries = if self.states.iter().all(State::is_new) { MOST_TRIES } else { 1 };
        let found = (0..tries).any(|_| self.solver.solve(Effort::PART));
        if !found || self.members.len() > 1 || !self.states.iter().any(|state| state.slides) {
            return;
        }
        let mut last = f64::INFINITY;
        for _ in 0..MOST_SPREADINGS {
            let mut change = 0.0_f64;
            for first in 0..self.own.len() {
                let Found { a, b, links, .. } = self.own[first];
                let same = |other: &Found| other.a == a && other.b == b && other.links == links;
                if self.own[..first].iter().any(same) {
                    continue;
                }
                change = change.max(
                    self.spread((first..self.own.len()).filter(|&n| same(&self.own[n])).collect()),
                );
            }
            if change <= EVEN || change > SETTLING * last || !self.solver.solve(Effort::PART) {
                break;
            }
            last = change;
        }
    }

    /// Spreads the loads of one body on another evenly over the contacts that can bear some.
    fn spread(&mut self, contacts: Vec<usize>) -> f64 {
        let Room { own, states, solver, loads, .. } = self;
        if contacts.len() < 3 || !contacts.iter().any(|&number| states[number].slides) {
            return 0.0;
        }
        loads.clear();
        loads.extend(contacts.into_iter().filter(|&number| solver.bears(number)).map(|contact| {
            let Touch { point, normal, .. } = own[contact].touch;
            Load { contact, point, normal, size: solver.impulse(contact)[0] }
        }));
        let change = evenly::spread(loads);
        if change > EVEN {
            for load in loads.iter() {
                solver.load(load.contact, load.size);
            }
        }
        change
    }

    /// Looks at a part of `span` seconds where bodies are as it begins, and solves the impacts of all that touches then;
    /// in the last part of a step also of what would meet in it.
    fn begin(&mut self, moved: &mut Moved<'_>, span: f64, last: bool) {
        self.search(moved, When::Begin, span);
        for struck in 0.. {
            self.rows(moved, When::Begin, 0.0);
            let reach = if last { span } else { 0.0 };
            if struck == MOST_STRIKES || !self.strike(moved, reach, struck + 1 == MOST_STRIKES) {
                break;
            }
        }
        let Room { own, solver, starts, .. } = self;
        starts.clear();
        starts.extend(own.iter().enumerate().map(|(number, contact)| Start {
            body: contact.a,
            key: contact.key,
            gap: contact.touch.gap,
            speed: solver.begun(number)[0],
        }));
        starts.sort_unstable_by_key(Start::of);
        if moved.shaken {
            self.fly(moved, span);
        }
    }

    /// Solves the impact of all contacts that touch, or will within `reach` seconds, if any of them approaches.
    fn strike(&mut self, moved: &mut Moved<'_>, reach: f64, last: bool) -> bool {
        let Room { own, touching, solver, impact, .. } = self;
        touching.clear();
        let mut strikes = false;
        for (number, contact) in own.iter().enumerate() {
            let [speed, ..] = solver.begun(number);
            let gap = contact.touch.gap + reach * speed.min(0.0);
            if solver.yielding(number) > 0.0 && gap <= 4.0 * TOUCHING {
                touching.push((number, contact.surface.restitution));
                strikes |= gap <= TOUCHING && speed < -Memory::of(moved, contact).slowest_impact();
            }
        }
        if !strikes {
            return false;
        }
        impact.solve(solver, touching, last);
        self.hand_out(moved);
        for &number in &self.members {
            if let Some(mover) = &mut moved.movers[number] {
                mover.strike(&mut moved.bodies[number], &self.solver);
            }
        }
        moved.shaken = true;
        true
    }

    /// Ends a part of `span` seconds whose impulses are found.
    fn close(&mut self, moved: &mut Moved<'_>, span: f64) {
        self.hand_out(moved);
        for &number in &self.members {
            moved.bodies[number].state.warm.clear();
        }
        let Room { own, states, solver, overlaps, members, .. } = self;
        let mut alone = true;
        for (number, contact) in own.iter().enumerate() {
            let fixed = |body: usize| matches!(moved.bodies[body].mechanics, Mechanics::Outside);
            alone &= !fixed(contact.a) && contact.b.is_some_and(|b| !fixed(b));
            let impulse = solver.impulse(number);
            if impulse[0] > 0.0 {
                let force = contact.vector(&impulse) / span;
                let sticks = solver.sticks(number) && !states[number].slides;
                let [normal, first, second] = solver.ended(number);
                let across = if sticks { [first, second] } else { [0.0; 2] };
                let ended = contact.vector(&[normal, across[0], across[1]]);
                let (force, ended) = (force.into(), ended.into());
                let warm = Warm { key: contact.key, force, ended, sticks };
                moved.bodies[contact.a].state.warm.push(warm);
            }
        }
        let gaps = states.iter().enumerate();
        let gaps = gaps.map(|(number, state)| state.gap + 0.5 * span * solver.ended(number)[0]);
        let shift = overlaps.part(solver, gaps, span, moved.h);
        let gain = if span == moved.h { energy::SMOOTH } else { energy::EXACT };
        for &number in members.iter() {
            if let Some(mover) = &mut moved.movers[number] {
                mover.gain = (members.len() == 1).then_some(gain);
                mover.close(&mut moved.bodies[number], solver, shift, span, alone);
            }
        }
        moved.shaken = false;
    }

    /// Gives the bodies their impulses.
    fn hand_out(&self, moved: &mut Moved<'_>) {
        for (number, contact) in self.own.iter().enumerate() {
            let impulse = self.solver.impulse(number);
            let whole = contact.vector(&impulse);
            for (side, sign) in [(Some(contact.a), 1.0), (contact.b, -1.0)] {
                let Some(side) = side else { continue };
                let body = &mut moved.bodies[side];
                let reaction = &mut body.state.reaction;
                reaction.overlap = reaction.overlap.max(-contact.touch.gap);
                let Some(mover) = &mut moved.movers[side] else { continue };
                if impulse[0] > 0.0 {
                    reaction.force += whole * (sign / moved.h);
                    let arm = contact.touch.point - body.before.position;
                    reaction.moment += arm.cross(&(whole * (sign / moved.h)));
                    mover.take(&(whole * sign), &contact.touch.point);
                }
            }
        }
    }
}
