//! A sea current from an S-111 file.

use std::path::PathBuf;

use ironbird_component::{Answers, InstantiateError, Parameters};
use ironbird_kernel::Time;
use ironbird_kinematics::{Origin, TangentPlane};
use nalgebra::Vector3;

use super::chart_place::ChartPlace;
use super::date_time::DateTime;
use super::from_file::{FromFile, HOLD, Outside, blame_file, read_bytes};
use super::question::{CurrentAnswer, SeaCurrent, SeaPoint, SeaUnknown};
use super::s111::{MOST_NODES, SurfaceCurrents};

/// The parameters of `sea-current.s111`.
#[derive(Clone, Debug, Parameters)]
pub struct S111CurrentParameters {
    /// The S-111 file (HDF5), with a regular grid.
    #[parameter]
    pub file: PathBuf,
    #[group]
    #[allow(missing_docs)]
    pub origin: Origin,
    /// The date and time in UTC at which the run begins, as in "2026-03-20T19:00:00Z"; if empty, that of
    /// the first record.
    #[parameter(default = String::new(), fixed)]
    pub start: String,
    /// What happens at places and times that the file does not cover, and where it has no data: `fail`
    /// ends the run, `hold` takes what the nearest place and time have.
    #[parameter(default = Outside::Fail, fixed)]
    pub outside: Outside,
}

/// Surface currents seen from the local level frame of an origin.
pub(super) struct S111Current {
    currents: SurfaceCurrents,
    plane: TangentPlane,
    /// Milliseconds from the first record to the start of the run.
    start: f64,
    hold: bool,
}

impl FromFile for S111CurrentParameters {
    const TYPE: &'static str = "sea-current.s111";
    const DOC: &'static str = "\
A sea current from a forecast in the format IHO S-111.

The file has a regular grid of latitude and longitude (dataCodingFormat 2) with speed and direction at \
one time or more. Velocities are interpolated, bilinearly in place and linearly in time; they are the \
same at all depths. Directions are those in which the water flows. The origin is where the local level \
frame of the experiment touches the Earth.";
    type Answer = CurrentAnswer;
    type Source = S111Current;

    fn open(&self) -> Result<S111Current, InstantiateError> {
        let blame = |cause: String| blame_file(&self.file, cause);
        let bytes = read_bytes(&self.file).map_err(blame)?;
        let mut currents = SurfaceCurrents::read(bytes, MOST_NODES).map_err(blame)?;
        let hold = self.outside == Outside::Hold;
        if hold {
            currents.hold_nearest().map_err(blame)?;
        }
        let [first, last] = currents.span();
        let start = match self.start.as_str() {
            "" => first,
            text => DateTime::read(text).map_err(|error| InstantiateError::of("start", error))?,
        };
        if !hold && !(first..=last).contains(&start) {
            let message = format!(
                "it is {start}, and the file covers {first} to {last}; begin in between, or set \
                 outside = \"hold\""
            );
            return Err(InstantiateError::of("start", message));
        }
        let start = (start.0 - first.0) as f64;
        Ok(S111Current { currents, plane: self.origin.plane(), start, hold })
    }
}

impl Answers<SeaPoint, CurrentAnswer> for S111Current {
    fn answer(&self, now: Time, point: &SeaPoint) -> CurrentAnswer {
        let Some(place) = ChartPlace::of(&self.plane, point.position) else {
            let reason = "there is no latitude and longitude there".into();
            return Err(Box::new(SeaUnknown { reason, degrees: None, advice: HOLD }));
        };
        let degrees = place.degrees();
        let milliseconds = self.start + 1e3 * now.as_secs_f64();
        let flow = self.currents.flow(degrees, milliseconds, self.hold).map_err(|reason| {
            Box::new(SeaUnknown { reason, degrees: Some(degrees), advice: HOLD })
        })?;
        let velocity = Vector3::from(point.velocity);
        let [northwards, eastwards] =
            place.gradients().map(|gradient| velocity.dot(&gradient).to_degrees());
        let rate = |axis: usize| {
            flow.by_time[axis]
                + northwards * flow.by_latitude[axis]
                + eastwards * flow.by_longitude[axis]
        };
        let [current, acceleration] = place.horizontal(flow.velocity, [rate(0), rate(1)], velocity);
        Ok(SeaCurrent { velocity: current.into(), acceleration: acceleration.into() })
    }
}
