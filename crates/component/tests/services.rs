//! A call by a scenario reaches the component that provides the service.

use std::path::Path;

use ironbird_component::*;
use ironbird_kernel::{
    Action, Atomic, CallIn, Context, Duration, Graph, Inputs, Options, Outputs, Parameter, Reply,
    Scalar, SignalOut, Simulation, Time, Value,
};

#[derive(Clone, Debug, PartialEq, Value)]
struct SetSpeed {
    speed: f64,
    direction: f64,
}

/// Shows the speed that it was told last.
#[derive(Component)]
#[component(type = "test.fan", event_driven)]
struct Fan {
    #[service(units = "speed: m/s, direction: deg")]
    set_speed: CallIn<SetSpeed, bool>,
    #[output(unit = "m/s")]
    speed: SignalOut<f64>,
    told: f64,
    #[skip]
    replies: Vec<Reply<bool>>,
    has_news: bool,
}

impl Atomic for Fan {
    fn time_advance(&self) -> Duration {
        if self.has_news { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.speed, self.told);
        for reply in self.replies.drain(..) {
            out.send(self.set_speed.reply, reply);
        }
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.has_news = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for request in inputs.events(self.set_speed.request) {
            self.told += request.content.speed;
            self.replies.push(request.reply(true));
            self.has_news = true;
        }
    }
}

fn system() -> Graph {
    let (mut registry, mut graph) = (Registry::empty(), Graph::new());
    registry.register::<Fan>().unwrap();
    let place = Place { folder: Path::new(".") };
    let fan = registry.get("test.fan").unwrap();
    let instance = fan.instantiate(&Settings::new(), &place).unwrap();
    let service = instance.interface().service("set_speed").unwrap().clone();

    let arguments = service.arguments();
    let names: Vec<_> = arguments.iter().map(|a| format!("{}: {}", a.name, a.unit)).collect();
    assert_eq!(names, ["speed: m/s", "direction: deg"]);

    let argument = service.service.argument();
    let leaves = [(arguments[0].index, Scalar::Float(2.5))];
    let bytes = argument.set_leaves(&argument.zero().unwrap(), &leaves).unwrap();
    let root = graph.root();
    let fan = instance.add_to(&mut graph, root, "fan", None).unwrap();
    let caller = service.service.add_caller(&mut graph, root, "caller", &bytes).unwrap();
    graph.bind_call(caller.port("call"), fan.port("set_speed"), Duration::ZERO).unwrap();
    graph
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}

fn fire(simulation: &mut Simulation, at: Time) {
    let (component, name) = ("caller".into(), "fire".into());
    let action = Action::SetParameter { component, name, value: Parameter::Bool(true) };
    simulation.schedule(at, action).unwrap();
}

#[test]
fn a_call_arrives_in_the_instant_in_which_it_is_made() {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    simulation.record("fan", "speed").unwrap();
    fire(&mut simulation, ms(10));
    fire(&mut simulation, ms(20));
    fire(&mut simulation, ms(20));
    simulation.run_until(ms(50)).unwrap();
    let speeds: Vec<(Time, f64)> = simulation.samples("fan", "speed").unwrap();
    assert_eq!(speeds, [(ms(10), 2.5), (ms(20), 7.5)]);
}

#[test]
fn a_caller_can_be_saved_between_two_calls() {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    fire(&mut simulation, ms(10));
    simulation.run_until(ms(15)).unwrap();
    let saved = simulation.checkpoint().unwrap();
    let mut restored = Simulation::restore(system(), Options::default(), &saved).unwrap();
    restored.record("fan", "speed").unwrap();
    fire(&mut restored, ms(20));
    restored.run_until(ms(50)).unwrap();
    let speeds: Vec<(Time, f64)> = restored.samples("fan", "speed").unwrap();
    assert_eq!(speeds, [(ms(20), 5.0)]);
}

#[test]
fn an_argument_of_another_type_is_refused() {
    let mut graph = Graph::new();
    let root = graph.root();
    let service = ServiceType::of::<SetSpeed, bool>();
    let error = service.add_caller(&mut graph, root, "caller", &[0; 8]).unwrap_err();
    let text = "the value is no SetSpeed: the bytes of the value end too early";
    assert_eq!(error.to_string(), text);
    let error = service.add_caller(&mut graph, root, "caller", &[0; 17]).unwrap_err();
    assert_eq!(error.to_string(), "the value has 17 bytes, but a SetSpeed has 16");
}
