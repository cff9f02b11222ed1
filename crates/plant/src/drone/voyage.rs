//! A mission that is planned once, and the travel along its path.

use std::sync::Arc;

use ironbird_kernel::{QueryIn, Start, Step};
use ironbird_kinematics::Mission;
use serde::{Deserialize, Serialize};

use super::path::Path;
use super::travel::{Orders, Travel, TravelPorts};

/// Travel along a path. The path is not saved: after a checkpoint was loaded it is planned anew.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Voyage {
    travel: Travel,
    #[serde(skip)]
    path: Option<Path>,
}

impl Voyage {
    /// Plans a mission and sets out on it.
    pub fn begin(
        &mut self,
        mission: &Mission,
        orders: &Orders,
        ports: &TravelPorts,
        start: &mut Start<'_>,
        plan: impl FnOnce(&Mission) -> Result<Path, String>,
    ) {
        let begun = plan(mission).and_then(|path| {
            self.travel.begin(&path, orders, ports, start)?;
            self.path = Some(path);
            Ok(())
        });
        if let Err(reason) = begun {
            start.fail(reason);
        }
    }

    /// Goes on, and plans the mission where there is no path yet.
    #[inline]
    pub fn step(
        &mut self,
        mission: QueryIn<(), Arc<Mission>>,
        orders: &Orders,
        ports: &TravelPorts,
        step: &mut Step<'_>,
        plan: impl FnOnce(&Mission) -> Result<Path, String>,
    ) {
        if self.path.is_none() {
            let mission = step.ask(mission, &());
            match plan(&mission) {
                Ok(path) => self.path = Some(path),
                Err(reason) => return step.fail(reason),
            }
        }
        if let Some(path) = &self.path {
            self.travel.step(path, orders, ports, step);
        }
    }
}
