//! What an audience asks for, done.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration as Wall, Instant};

use ironbird_experiment::checked::Act;
use ironbird_experiment::commands::{Command, CommandReader};
use ironbird_kernel::{Action, Duration, Simulation, Time};
use ironbird_record::{Event, RecordingThread};

use super::{Audience, Lamp, Request, Sight, Wish};
use crate::actions::{plain, switch};
use crate::build::Wiring;
use crate::events::{Responses, command_event};
use crate::interrupt::Interrupt;
use crate::pace::Pace;
use crate::requirements::SharedJudge;
use crate::states::States;

/// Wall time between two sights.
const SIGHT: Wall = Wall::from_millis(33);
/// How long a run that waits waits before it looks up.
const NAP: Wall = Wall::from_millis(50);
/// The slowest and the fastest that can be asked for, in simulated seconds per second.
const SLOWEST: f64 = 1e-6;
const FASTEST: f64 = 1e6;

/// How the run goes on.
pub(crate) enum Turn {
    /// As it is paced.
    Run,
    /// For so long, and then it waits.
    For(Duration),
    /// To the next instant at which anything happens, and then it waits.
    Instant,
    /// Not at all.
    End,
}

/// A step that somebody asked for, made in parts, so that it can be watched, and given up.
struct Step {
    goal: Time,
    part: Duration,
    begun: Instant,
}

impl Step {
    fn by(by: Duration, now: Time) -> Self {
        Step { goal: now + by, part: Duration::from_ms(1), begun: Instant::now() }
    }

    /// The next part, which takes about as long as the time between two sights; none at the end.
    fn next(&mut self, now: Time) -> Option<Duration> {
        let took = std::mem::replace(&mut self.begun, Instant::now()).elapsed();
        if took < SIGHT / 2 {
            self.part = Duration::from_ps(self.part.as_ps().saturating_mul(2));
        } else if took > SIGHT {
            self.part = Duration::from_ps((self.part.as_ps() / 2).max(1));
        }
        (now < self.goal).then(|| self.part.min(self.goal.since(now)))
    }
}

/// What becomes of a command.
pub(crate) struct Wanted<'a> {
    /// The system.
    pub(crate) wiring: &'a Wiring,
    /// The links of each fault.
    pub(crate) fault_links: &'a [Vec<String>],
}

impl Wanted<'_> {
    /// What a command does to the system, and when: now, or one instant later. An end is none.
    pub(crate) fn actions(&self, command: &Command, now: Time) -> Vec<(Time, Action)> {
        let experiment = &self.wiring.experiment;
        let acts = |acts: &[Act], at: Time| -> Vec<(Time, Action)> {
            acts.iter().filter_map(|act| Some((at, plain(experiment, act)?))).collect()
        };
        match command {
            Command::Set { acts: first, later } => {
                let mut all = acts(first, now);
                all.extend(acts(later, now + Duration::EPSILON));
                all
            }
            Command::Faults(switched) => {
                let faults = &self.wiring.scenario().faults;
                let switched = switched.iter().flat_map(|(number, active)| {
                    switch(&faults[*number], &self.fault_links[*number], *active)
                });
                switched.map(|action| (now, action)).collect()
            }
            Command::Note(_) | Command::End => Vec::new(),
        }
    }
}

/// Where it is said what has happened.
pub(crate) struct Sources<'a> {
    pub(crate) thread: &'a RecordingThread,
    pub(crate) judge: &'a SharedJudge,
    pub(crate) responses: &'a Responses,
    pub(crate) states: &'a States,
}

/// Stands between a run and its audience.
pub(crate) struct Control<'a> {
    audience: Arc<dyn Audience>,
    reader: CommandReader<'a>,
    wanted: Wanted<'a>,
    sources: Sources<'a>,
    /// What is known to happen and has not happened yet.
    planned: &'a [Event],
    /// Whether each fault acts.
    faults: Vec<bool>,
    paused: bool,
    step: Option<Step>,
    /// What was asked for and has to wait for the end of a step.
    waiting: VecDeque<Request>,
    shown: Option<Instant>,
    /// Simulated seconds per second, as last seen.
    pub(crate) speed: f64,
    /// What has happened and was not shown yet.
    news: Vec<Event>,
    /// How much of what monitors did, and of the states of each component, was shown.
    told: (usize, Vec<usize>),
    /// Commands that stood in a file.
    given_before: usize,
    commands: Vec<Event>,
}

impl<'a> Control<'a> {
    pub(crate) fn new(
        audience: Arc<dyn Audience>,
        reader: CommandReader<'a>,
        wanted: Wanted<'a>,
        sources: Sources<'a>,
        planned: &'a [Event],
        given_before: usize,
    ) -> Self {
        let faults = vec![false; wanted.wiring.scenario().faults.len()];
        Control {
            audience,
            reader,
            wanted,
            sources,
            planned,
            faults,
            paused: false,
            step: None,
            waiting: VecDeque::new(),
            shown: None,
            speed: 0.0,
            news: Vec::new(),
            told: (0, Vec::new()),
            given_before,
            commands: Vec::new(),
        }
    }

    /// The commands that were given. Nobody comes to what still waits.
    pub(crate) fn into_commands(self) -> Vec<Event> {
        for request in self.waiting {
            (request.answer)(Err("the run is over".into()));
        }
        self.commands
    }

    /// Does what is asked for, and waits while the run is paused.
    pub(crate) fn attend(
        &mut self,
        simulation: &mut Simulation,
        pace: &mut Pace,
        interrupt: &Interrupt,
    ) -> Turn {
        let mut patience = Wall::ZERO;
        loop {
            let requests = self.audience.asks(patience);
            let asked = !requests.is_empty();
            self.waiting.extend(requests);
            if self.waiting.iter().any(|request| request.wish == Wish::Pause) {
                self.step = None;
            }
            let mut turn = self.part_of_step(simulation.now());
            while turn.is_none()
                && let Some(request) = self.waiting.pop_front()
            {
                turn = self.answer(request, simulation, pace);
            }
            if asked || self.shown.is_none_or(|shown| shown.elapsed() >= SIGHT) {
                self.show(simulation, pace);
            }
            match turn {
                Some(turn) => return turn,
                None if !self.paused || interrupt.is_requested() => return Turn::Run,
                None => {}
            }
            patience = NAP;
            // What stood still was not late.
            pace.change(pace.speed(), simulation.now());
        }
    }

    fn part_of_step(&mut self, now: Time) -> Option<Turn> {
        let part = self.step.as_mut().and_then(|step| step.next(now));
        if part.is_none() {
            self.step = None;
        }
        part.map(Turn::For)
    }

    fn answer(
        &mut self,
        request: Request,
        simulation: &mut Simulation,
        pace: &mut Pace,
    ) -> Option<Turn> {
        let Request { wish, answer } = request;
        let mut turn = None;
        let done = match wish {
            Wish::Pause => {
                self.paused = true;
                Ok(())
            }
            Wish::Go => {
                self.paused = false;
                Ok(())
            }
            Wish::Step(_) if !self.paused => Err("the run must be paused to be stepped".into()),
            Wish::Step(None) => {
                turn = Some(Turn::Instant);
                Ok(())
            }
            Wish::Step(Some(by)) => {
                self.step = Some(Step::by(by, simulation.now()));
                turn = self.part_of_step(simulation.now());
                Ok(())
            }
            Wish::Speed(Some(speed)) if !(SLOWEST..=FASTEST).contains(&speed) => Err(format!(
                "a speed of {speed} is not possible: above 0, {SLOWEST} at least and {FASTEST} at most"
            )),
            Wish::Speed(speed) => {
                pace.change(speed, simulation.now());
                Ok(())
            }
            Wish::Command(text) => match self.command(&text, simulation) {
                Ok(ends) => {
                    turn = ends.then_some(Turn::End);
                    Ok(())
                }
                Err(why) => Err(why),
            },
        };
        answer(done);
        turn
    }

    /// Does a command; whether it ends the run.
    fn command(&mut self, text: &str, simulation: &mut Simulation) -> Result<bool, String> {
        let command = self.reader.read(text).map_err(|problem| problem.to_string())?;
        let now = simulation.now();
        // All of it or nothing: what is refused is not recorded, and must not have been done either.
        let actions = self.wanted.actions(&command, now);
        simulation.schedule_all(actions).map_err(|error| error.to_string())?;
        if let Command::Faults(switched) = &command {
            for (number, active) in switched {
                self.faults[*number] = *active;
            }
        }
        let event = command_event(now, self.given_before + self.commands.len(), text);
        self.sources.thread.event(event.clone());
        self.news.push(event.clone());
        self.commands.push(event);
        Ok(matches!(command, Command::End))
    }

    /// Shows the audience how things are.
    pub(crate) fn show(&mut self, simulation: &Simulation, pace: &Pace) {
        self.shown = Some(Instant::now());
        let happened = self.planned.partition_point(|event| event.time < simulation.now());
        let (happened, planned) = self.planned.split_at(happened);
        self.planned = planned;
        let responses = self.sources.responses.events();
        let new = responses.iter().skip(std::mem::replace(&mut self.told.0, responses.len()));
        for event in happened.iter().chain(new) {
            self.follow_fault(event);
            self.news.push(event.clone());
        }
        self.news.extend(self.sources.states.since(&mut self.told.1));
        let lamps: Vec<Lamp> = self.sources.judge.lamps();
        self.audience.sees(&Sight {
            simulation,
            now: simulation.now(),
            speed: self.speed,
            paused: self.paused && self.step.is_none(),
            pace: pace.speed(),
            lamps: &lamps,
            faults: &self.faults,
            news: &self.news,
        });
        self.news.clear();
    }

    fn follow_fault(&mut self, event: &Event) {
        let faults = &self.wanted.wiring.scenario().faults;
        if event.kind == "fault"
            && let Some(number) = faults.iter().position(|fault| fault.name == event.name)
        {
            self.faults[number] = event.text.starts_with("begins");
        }
    }
}
