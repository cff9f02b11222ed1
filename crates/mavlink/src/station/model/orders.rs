//! What becomes of orders: who is meant, what is to be sent, how it ended.

use ironbird_kernel::{Context, Payload};
use ironbird_kinematics::TangentPlane;

use super::{About, Request, Station};
use crate::exchange::{Command, End, Job, Order, SetParameter, Upload};
use crate::mission::{e7, from_home};
use crate::station::arguments::{Answer, Verdict};
use crate::station::outputs::Failure;
use crate::station::services::{Asked, Does, Service};

impl Station {
    /// A job has ended.
    pub(super) fn end(&mut self, vehicle: usize, about: &About, end: End) {
        let (verdict, result, why) = match end {
            End::Accepted => (Verdict::Accepted, 0, String::new()),
            End::Denied(result) => {
                (Verdict::Denied, result, format!("denied with result {result}"))
            }
            End::TimedOut if self.state.vehicles[vehicle].route.is_none() => {
                (Verdict::TimedOut, 0, "the vehicle was never heard".into())
            }
            End::TimedOut => (
                Verdict::TimedOut,
                0,
                format!("no answer to {} attempts", self.parameters.attempts),
            ),
        };
        self.close(vehicle, about, Answer { verdict, result }, &why);
    }

    /// Tells those who want to know how it ended.
    fn close(&mut self, number: usize, about: &About, answer: Answer, why: &str) {
        self.state.has_news = true;
        if answer.verdict != Verdict::Accepted {
            let vehicle = &mut self.state.vehicles[number];
            vehicle.failures += 1;
            vehicle.is_new = true;
            let text = Payload::new(format!("{}: {why}", about.name).into_bytes());
            self.leaving.failures.push((number, Failure { result: answer.result, text }));
        }
        let Some(id) = about.request else { return };
        let Some(request) = self.state.requests.get_mut(&id) else { return };
        if answer.verdict != Verdict::Accepted {
            (request.verdict, request.result) = (answer.verdict, answer.result);
        }
        request.left -= 1;
        if request.left == 0 {
            let answer = Answer { verdict: request.verdict, result: request.result };
            self.leaving.answers.push((request.ticket, answer));
            self.state.requests.remove(&id);
        }
    }

    /// The vehicles that a number means; why there are none.
    fn meant(&self, vehicle: Option<i32>) -> Result<Vec<usize>, String> {
        let count = self.state.vehicles.len();
        match vehicle {
            None => Ok(vec![0]),
            Some(-1) => Ok((0..count).collect()),
            Some(number) => match usize::try_from(number).ok().filter(|number| *number < count) {
                Some(number) => Ok(vec![number]),
                None => Err(format!(
                    "there is no vehicle {number}: they are counted from 0 to {}, and -1 stands for all",
                    count - 1
                )),
            },
        }
    }

    /// A service was called.
    pub(super) fn take(&mut self, context: &mut Context<'_>, (ticket, vehicle, numbers): Asked) {
        let Service { name, does, .. } = &self.services[ticket.service];
        let (name, does) = (name.clone(), *does);
        let meant = match self.meant(vehicle) {
            Ok(meant) => meant,
            Err(why) => return context.fail(format!("{name}: {why}")),
        };
        let id = self.state.numbered;
        self.state.numbered += 1;
        let verdict = Verdict::Accepted;
        self.state.requests.insert(id, Request { ticket, left: meant.len(), verdict, result: 0 });
        for number in meant {
            let about = About { name: name.clone(), request: Some(id) };
            match self.job(number, does, numbers) {
                Ok(job) => self.state.vehicles[number].lane(&job).add(job, about),
                Err(why) => {
                    let answer = Answer { verdict: Verdict::Refused, result: 0 };
                    self.close(number, &about, answer, why);
                }
            }
        }
    }

    /// What a service means for a vehicle; why it cannot be done.
    fn job(&self, vehicle: usize, does: Does, numbers: [f64; 3]) -> Result<Job, &'static str> {
        const NO_HOME: &str = "the home of the vehicle is not known yet";
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err("a number is not finite");
        }
        let home = self.state.vehicles[vehicle].known.home();
        let [first, second, third] = numbers;
        let order = match does {
            Does::Arm => Order::Arm,
            Does::Disarm => Order::Disarm,
            Does::Land => Order::Land,
            Does::ReturnToLaunch => Order::ReturnToLaunch,
            Does::StartMission => Order::StartMission,
            Does::SetMode(number) => Order::SetMode { number },
            Does::TakeOff if self.state.vehicles[vehicle].known.is_px4 => {
                let ground = home.ok_or(NO_HOME)?.height;
                Order::TakeOffHere { altitude: (ground + first) as f32 }
            }
            Does::TakeOff => Order::TakeOff { altitude: first as f32 },
            Does::GoTo => {
                let [latitude, longitude] = [first, second].map(|angle| e7(angle.to_degrees()));
                Order::GoTo { latitude, longitude, altitude: third as f32 }
            }
            Does::GoToOffset => {
                let plane = TangentPlane::at(home.ok_or(NO_HOME)?);
                let (latitude, longitude) = from_home(&plane, first, second);
                Order::GoTo { latitude, longitude, altitude: third as f32 }
            }
            Does::SetMessageRate => {
                // An interval of 0 would ask for the default rate; -1 asks for none.
                let interval = if second > 0.0 { (1e6 / second) as f32 } else { -1.0 };
                Order::MessageInterval { message: first as u32, interval }
            }
            Does::Upload(number) => {
                let items = self.plans[number].resolve(home).ok_or(NO_HOME)?;
                return Ok(Job::Upload(Upload::new(items)));
            }
        };
        Ok(Job::Command(Command(order)))
    }

    /// Parameters of vehicles are to be set.
    pub(super) fn take_settings(&mut self, context: &mut Context<'_>) {
        for (vehicle, parameter, value) in std::mem::take(&mut self.state.settings) {
            match self.meant(Some(vehicle)) {
                Ok(meant) => {
                    for number in meant {
                        let name = parameter.clone();
                        let about = About { name: format!("set-parameter {name}"), request: None };
                        let job = Job::SetParameter(SetParameter { name, value });
                        self.state.vehicles[number].lane(&job).add(job, about);
                    }
                }
                Err(why) => context.fail(format!("set-parameter: {why}")),
            }
        }
    }
}
