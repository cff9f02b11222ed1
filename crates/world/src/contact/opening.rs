//! The contacts of a group as a part of a step begins.
//!
//! | contact | speeds at the end, with w⁰ = J u⁰ at the beginning, both where bodies are in the middle |
//! |---|---|
//! | open: gap above `TOUCHING` | takes no part, but ends the part when it closes |
//! | touching, new | Jn u ≥ 0; an impact first, where it approaches |
//! | touching, has held | Jn u ≥ -b |
//! | sliding | friction against the mean slip (Jt u + wt⁰) / 2; ends the part when that comes to stand |
//! | sticking | Jt u = -b |
//!
//! On a plane b is zero. On a curved surface, and where a point of contact wanders over a body, J turns on in a part, and
//! what holds at both ends has speeds of b and -b in the middle. b is half of what J u⁰ is more with the J of this part
//! than with that of the part before: it knows of the change of J alone, so that what was left of other errors is gone
//! after each part.

use nalgebra::Vector3;

use super::find::{FEATURE, Found};
use super::impact::SLOWEST_BOUNCE;
use super::mover::When;
use super::part::{Moved, Room, Start};

/// Surfaces that are closer than this touch, in m.
pub(super) const TOUCHING: f64 = 1e-7;
/// A contact that has held touches up to this part of the way by which J bends it, and this part of its gap is closed in
/// a part of a step.
const PARTING: f64 = 0.1;
const CLOSING: f64 = 0.2;
/// What touches and approaches faster than this is an impact, in m/s.
const STILL: f64 = 1e-6;
/// Slip that friction would stop in this part of a step has come to stand; so has slip below this, in m/s.
const STANDING: f64 = 1e-4;
const LEAST_SLIP: f64 = 1e-9;

/// What is known of a contact in a part.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// In the middle of the part and at its beginning, in m, and how fast it grows there.
    pub gap: f64,
    pub start: f64,
    pub speed: f64,
    /// J u at the beginning, and at the end if nothing touched.
    pub begun: [f64; 3],
    pub freed: [f64; 3],
    memory: Memory,
    /// b
    bend: [f64; 3],
    pub open: bool,
    pub slides: bool,
}

/// A force along the normal and the tangents of a contact, which never pulls.
fn pressed(contact: &Found, force: &Vector3<f64>) -> [f64; 3] {
    let [normal, first, second] = contact.parts(force);
    [normal.max(0.0), first, second]
}

/// What each of the contacts of two shapes bears, where there are more or fewer of them than there were.
fn shared(moved: &Moved<'_>, contacts: &[Found]) -> Option<Vector3<f64>> {
    let Found { a, key, .. } = contacts[0];
    let warm = moved.bodies[a].state.warm.iter();
    let before = warm.filter(|warm| warm.key >> FEATURE == key >> FEATURE);
    let count = before.clone().count();
    let sum: Vector3<f64> = before.map(|warm| Vector3::from(warm.force)).sum();
    (count > 0 && count != contacts.len()).then(|| sum / contacts.len() as f64)
}

impl State {
    /// Whether nothing is known of its force.
    pub fn is_new(&self) -> bool {
        self.memory.force == [0.0; 3]
    }
}

/// What a contact remembers, along its normal and tangents of now.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    force: [f64; 3],
    ended: [f64; 3],
    holds: bool,
    sticks: bool,
}

impl Memory {
    pub fn of(moved: &Moved<'_>, contact: &Found) -> Self {
        let warm = moved.bodies[contact.a].state.warm.iter().find(|warm| warm.key == contact.key);
        let Some(warm) = warm else {
            return Memory { force: [0.0; 3], ended: [0.0; 3], holds: false, sticks: false };
        };
        let force = pressed(contact, &Vector3::from(warm.force));
        let (holds, sticks) = (!moved.shaken, warm.sticks && !moved.shaken);
        Memory { force, ended: contact.parts(&Vector3::from(warm.ended)), holds, sticks }
    }

    /// What approaches faster than this is an impact, in m/s.
    pub fn slowest_impact(&self) -> f64 {
        if self.holds { SLOWEST_BOUNCE + 1.5 * self.ended[0].abs() } else { STILL }
    }
}

impl Room {
    /// Fills the solver with the contacts of a part of `span` seconds. Whether some seem to strike, which is to be looked
    /// at first.
    pub fn open(&mut self, moved: &mut Moved<'_>, span: f64, last: bool) -> bool {
        self.rows(moved, When::Middle, span);
        let Room { members, own, states, solver, starts, .. } = self;
        states.clear();
        let alone = members.len() == 1;
        let mut strikes = false;
        let of_two = own.chunk_by(|a, b| (a.a, a.key >> FEATURE) == (b.a, b.key >> FEATURE));
        let contacts = of_two.flat_map(|contacts| {
            let shared = shared(moved, contacts);
            contacts.iter().map(move |contact| (contact, shared))
        });
        for (number, (contact, shared)) in contacts.enumerate() {
            let (begun, freed) = (solver.begun(number), solver.ended(number));
            let mut gap = contact.touch.gap;
            if contact.early {
                gap += 0.5 * span * begun[0];
            }
            let mut memory = Memory::of(moved, contact);
            if let Some(force) = shared {
                memory.force = pressed(contact, &force);
            }
            let bend = |row: usize| 0.5 * (begun[row] - memory.ended[row]);
            let bend = [bend(0), bend(1), bend(2)];
            // Told from the middle, the gap of a body that turns is wrong by ω² r τ² / 8.
            let own = (contact.a, contact.key);
            let (start, speed) = match starts.binary_search_by_key(&own, Start::of) {
                Ok(at) => (starts[at].gap, starts[at].speed),
                Err(_) => (gap - 0.5 * span * begun[0], begun[0]),
            };
            let near = if memory.holds { PARTING * bend[0].abs() * span } else { 0.0 };
            let parts = !memory.holds && speed > SLOWEST_BOUNCE;
            let open = parts || start > TOUCHING + near;
            strikes |= !open && speed < -memory.slowest_impact();
            let state =
                State { gap, start, speed, begun, freed, memory, bend, open, slides: false };
            states.push(state);
        }
        for (number, contact) in own.iter().enumerate() {
            if solver.yielding(number) <= 0.0 {
                continue;
            }
            let state = &mut states[number];
            if state.open {
                if last && state.speed <= SLOWEST_BOUNCE {
                    // They may come as close as to touch; what comes in otherwise is not thrown out.
                    let target = (-2.0 * state.gap / span).min(0.0);
                    solver.choose(number, [target, 0.0, 0.0], [0.0; 3], 0.0);
                }
                continue;
            }
            let State { start, begun, memory, bend, .. } = *state;
            let mut targets = [0.0; 3];
            if memory.holds {
                let wide = (start - 0.5 * TOUCHING).max(0.0);
                targets[0] = -bend[0] - CLOSING * wide / span;
            }
            // What friction could change in the whole step.
            let force = memory.force[0];
            let change = contact.surface.friction * force * moved.h * solver.loosest(number);
            let slip = size([begun[1], begun[2]]);
            if last {
                targets = [0.0; 3];
            } else if memory.sticks && slip <= change {
                targets[1] = -bend[1];
                targets[2] = -bend[2];
            } else if (alone || force > 0.0 && slip > change)
                && slip > LEAST_SLIP.max(STANDING * change)
            {
                state.slides = true;
                targets[1] = -begun[1];
                targets[2] = -begun[2];
            }
            let [x, y, z] = memory.force;
            solver.choose(number, targets, [x * span, y * span, z * span], 0.0);
        }
        for &number in members.iter() {
            if let Some(mover) = &moved.movers[number] {
                mover.bend(&mut moved.bodies[number], solver, span);
            }
        }
        strikes
    }

    /// The rows of all contacts.
    pub fn rows(&mut self, moved: &mut Moved<'_>, when: When, span: f64) {
        let Room { members, own, solver, .. } = self;
        let Moved { bodies, movers, .. } = moved;
        solver.clear();
        for &number in members.iter() {
            if let Some(mover) = &mut movers[number] {
                mover.open(&mut bodies[number], solver, when, span);
            }
        }
        for contact in own.iter_mut() {
            let sides = [Some(contact.a), contact.b];
            let mover = |side: usize| sides[side].and_then(|number| movers[number].as_ref());
            if contact.early {
                // Where it will be in the middle.
                let point = contact.touch.point;
                let speeds = [0, 1].map(|side| mover(side).map(|m| m.now_velocity_of(&point)));
                let count = speeds.iter().flatten().count() as f64;
                let sum: Vector3<f64> = speeds.iter().flatten().sum();
                contact.touch.point += sum * (0.5 * span / count);
            }
            let contact = &*contact;
            let touched = [mover(0).map(|mover| mover.side), mover(1).map(|mover| mover.side)];
            solver.add_contact(
                touched,
                contact.surface.friction,
                |way, side, jacobian, response| {
                    let (Some(mover), Some(number)) = (mover(side), sides[side]) else { return };
                    let way = if side == 0 { contact.ways[way] } else { -contact.ways[way] };
                    let point = &contact.touch.point;
                    let link = contact.links[side];
                    mover.row(&bodies[number], link, point, &way, jacobian, response);
                },
            );
        }
    }
}

#[inline]
pub(super) fn size([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}
