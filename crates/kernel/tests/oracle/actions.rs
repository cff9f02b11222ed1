//! What scenarios and monitors do to the system.

use ironbird_kernel::{Duration, Grid, Interposer, Parameter, Provider, Time};

use super::{Oracle, State};
use crate::random_graph::behaviour::set_periodic_parameter;
use crate::random_graph::plan::ActionPlan;

impl Oracle<'_> {
    pub(super) fn act(&mut self, action: &ActionPlan) {
        match action {
            ActionPlan::SetModel { model, name, value } => {
                let value = Parameter::Integer(*value);
                let set = match &mut self.nodes[*model].state {
                    State::Atomic(state) => state.set_parameter(name, &value),
                    State::Periodic(core) => set_periodic_parameter(core, name, &value),
                    State::RunAhead(state) => state.set_parameter(name, &value),
                };
                set.expect("the generator knows the parameters");
                self.reconsider(*model);
            }
            ActionPlan::SetField { field, value } => self.fields[*field]
                .set_parameter("gain", Parameter::Integer(*value))
                .expect("a field has a gain"),
            ActionPlan::SetLink { link, value } => self.set_link(link, *value),
            ActionPlan::Stop(whom) => {
                self.plan.reached(*whom).into_iter().for_each(|model| self.stop(model));
            }
            ActionPlan::Start(whom) => {
                self.plan.reached(*whom).into_iter().for_each(|model| self.start(model));
            }
            ActionPlan::Reset(whom) => {
                self.plan.reached(*whom).into_iter().for_each(|model| self.reset(model));
            }
            ActionPlan::SetRate { model, rate } => {
                let (now, node) = (self.now, &mut self.nodes[*model]);
                // Numbers of ticks are not used twice.
                node.ticks_before += node.tick.max(node.grid.first_tick_from(now));
                (node.grid, node.tick) = (Grid::new(now, *rate), 0);
            }
        }
    }

    /// The present state may last for another time than was thought.
    fn reconsider(&mut self, model: usize) {
        let (now, node) = (self.now, &mut self.nodes[model]);
        if node.stopped {
            return;
        }
        match &node.state {
            State::Atomic(state) => node.next = now.max(node.last + state.time_advance()),
            State::RunAhead(_) => (node.clock, node.asleep) = (now, false),
            State::Periodic(_) => {}
        }
    }

    /// The interposers of a link take a new parameter; a signal passes again with it at once.
    fn set_link(&mut self, link: &str, value: i64) {
        for number in 0..self.roads.len() {
            let road = &mut self.roads[number];
            let named = road.interposers.iter_mut().find(|(name, ..)| name == link);
            let Some((_, interposer, _)) = named else { continue };
            let set = interposer.set_parameter("gain", Parameter::Integer(value));
            set.expect("a disturbance has a gain");
            if road.signal {
                let (model, port) = road.way.from;
                let held = self.nodes[model].outputs[port].clone().expect("a signal has a value");
                self.send(number, 0, held);
            }
        }
    }

    fn stop(&mut self, model: usize) {
        let (now, node) = (self.now, &mut self.nodes[model]);
        if std::mem::replace(&mut node.stopped, true) {
            return;
        }
        if !matches!(node.state, State::Periodic(_)) {
            // What an earlier action of this instant sent to it is lost.
            node.bag.clear();
            node.woken.clear();
        }
        node.elapsed = now.since(node.last);
        let forever = node.next.is_never();
        node.left = if forever { Duration::FOREVER } else { node.next.since(now) };
    }

    fn start(&mut self, model: usize) {
        let (now, node) = (self.now, &mut self.nodes[model]);
        if !std::mem::replace(&mut node.stopped, false) {
            return;
        }
        match &node.state {
            State::Atomic(_) => {
                node.last = Time::from_ps(now.as_ps().saturating_sub(node.elapsed.as_ps()));
                node.next = now + node.left;
            }
            State::Periodic(_) => node.tick = node.tick.max(node.grid.first_tick_from(now)),
            State::RunAhead(_) => (node.clock, node.asleep) = (now, false),
        }
    }

    fn reset(&mut self, model: usize) {
        let (now, node) = (self.now, &mut self.nodes[model]);
        let (state, outputs) = node.initial.clone().expect("every model was initialised");
        node.state = state;
        let signals = outputs.into_iter().enumerate();
        let shown = signals.filter_map(|(port, value)| Some((port, value?))).collect();
        if node.stopped {
            node.elapsed = Duration::ZERO;
            if let State::Atomic(state) = &node.state {
                node.left = state.time_advance();
            }
        } else {
            node.last = now;
            self.reconsider(model);
        }
        self.route(model, shown);
    }
}
