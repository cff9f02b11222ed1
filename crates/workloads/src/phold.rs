//! PHOLD: jobs that hop at random between places, each hop a message with latency. Two halves of
//! the places can run on two threads; how much a place does with a job is a setting.

use ironbird_kernel::{
    Atomic, Context, Duration, EventIn, EventOut, Graph, GraphError, Inputs, Link, Model, Outputs,
    Ports, RandomIn,
};

/// Places, their jobs and their work.
#[derive(Clone, Copy, Debug)]
pub struct Phold {
    /// Places in each half.
    pub places: u32,
    /// Jobs that start at each place.
    pub jobs: u32,
    /// The latency of every hop.
    pub latency: Duration,
    /// Share of hops that go to the other half, in percent.
    pub remote_percent: u32,
    /// Rounds of arithmetic for each job; about a nanosecond each.
    pub work: u32,
}

impl Phold {
    /// Two halves, `left` and `right`, of `places` each; every place is linked to the next one of
    /// its half and to its twin in the other.
    pub fn graph(&self) -> Result<Graph, GraphError> {
        let mut graph = Graph::new();
        let mut halves = Vec::new();
        for half in ["left", "right"] {
            let composite = graph.composite(graph.root(), half)?;
            let mut places = Vec::new();
            for number in 0..self.places {
                let place = Place {
                    waiting: self.jobs,
                    remote_percent: self.remote_percent,
                    work: self.work,
                    ..Place::default()
                };
                places.push(graph.add(composite, &format!("place[{number}]"), place)?);
            }
            halves.push(places);
        }
        let hop = || Link::direct().latency(self.latency);
        for (half, places) in halves.iter().enumerate() {
            for (number, place) in places.iter().enumerate() {
                let next = places[(number + 1) % places.len()];
                graph.link(place.port("near"), next.port("jobs"), hop())?;
                let twin = halves[1 - half][number];
                graph.link(place.port("far"), twin.port("jobs"), hop())?;
            }
        }
        Ok(graph)
    }
}

/// A place where jobs are worked on and sent away at once.
#[derive(Default)]
struct Place {
    jobs: EventIn<u64>,
    near: EventOut<u64>,
    far: EventOut<u64>,
    choice: RandomIn,
    waiting: u32,
    remote_percent: u32,
    work: u32,
    /// For each waiting job, whether it goes to the other half.
    goes_far: Vec<bool>,
    state: u64,
}

impl Place {
    fn choose(&mut self, context: &mut Context<'_>, jobs: u32) {
        for _ in 0..jobs {
            let far = context.random(self.choice).below(100) < u64::from(self.remote_percent);
            self.goes_far.push(far);
        }
        for _ in 0..u64::from(self.work) * u64::from(jobs) {
            self.state = (self.state ^ (self.state >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) + 1;
        }
    }
}

impl Model for Place {
    fn ports(&mut self, ports: &mut Ports) {
        self.jobs = ports.event_in("jobs");
        self.near = ports.event_out("near");
        self.far = ports.event_out("far");
        self.choice = ports.random("choice");
    }
}

impl Atomic for Place {
    fn time_advance(&self) -> Duration {
        if self.waiting > 0 || !self.goes_far.is_empty() {
            Duration::ZERO
        } else {
            Duration::FOREVER
        }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        for &far in &self.goes_far {
            out.send(if far { self.far } else { self.near }, self.state);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.goes_far.clear();
        let waiting = std::mem::take(&mut self.waiting);
        self.choose(context, waiting);
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let mut arrived = 0;
        for job in inputs.events(self.jobs) {
            self.state = self.state.wrapping_add(*job);
            arrived += 1;
        }
        self.choose(context, arrived);
    }
}
