//! What turns a joint by command, as the plugins of simulation worlds do: once in a step.
//!
//! ```text
//! wanted = multiplier (command + offset)
//! position, speed by force    τ from a PID of the error (`SpeedPid`)
//! speed, directly             the joint has it at the end of the step, whatever acts on it
//! position, directly          the same with the speed that reaches the position in this step
//! effort                      τ = wanted
//! ```

use ironbird_kinematics::Channel;
use ironbird_plant::vehicle::Surroundings;

use super::actor::{Law, LinkActor, Links, Loads};
use crate::joints::SpeedPid;

/// What a joint is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// To have a position, by force or directly.
    Position(Option<SpeedPid>),
    /// To have a position, by a speed of at most this.
    PositionBySpeed(f64),
    /// To have a speed, by force or directly.
    Speed(Option<SpeedPid>),
    /// To be turned with an effort.
    Effort,
}

/// A joint that is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrivenJoint {
    /// The link that the joint moves.
    pub link: usize,
    /// What the joint is to do.
    pub goal: Goal,
    /// Factor of the command.
    pub multiplier: f64,
    /// Added to the command before.
    pub offset: f64,
}

/// Joints that one command turns.
#[derive(Clone, Debug)]
pub struct JointController {
    /// The command.
    pub command: [Channel; 1],
    /// The joints.
    pub joints: Vec<DrivenJoint>,
}

/// The effort, the integral of the error, the error of the step before.
const NUMBERS: usize = 3;

impl DrivenJoint {
    fn law(&self, law: &mut Law<'_>, command: f64, own: &mut [f64]) {
        let wanted = self.multiplier * (command + self.offset);
        let (position, dof) =
            (law.tree().position_of(self.link), law.tree().velocity_of(self.link));
        let (position, speed) = (law.state.positions[position], law.state.velocities[dof]);
        let mut by_force = |pid: &SpeedPid, measured: f64| {
            let mut pid = SpeedPid { held: own[1], last_error: own[2], ..*pid };
            own[0] = pid.force(wanted, measured, law.h);
            (own[1], own[2]) = (pid.held, pid.last_error);
        };
        match &self.goal {
            Goal::Position(Some(pid)) => by_force(pid, position),
            Goal::Position(None) => law.drive(self.link, (wanted - position) / law.h),
            Goal::PositionBySpeed(fastest) => {
                let fastest = fastest.abs();
                law.drive(self.link, ((wanted - position) / law.h).clamp(-fastest, fastest));
            }
            Goal::Speed(Some(pid)) => by_force(pid, speed),
            Goal::Speed(None) => law.drive(self.link, wanted),
            Goal::Effort => own[0] = wanted,
        }
    }
}

impl LinkActor for JointController {
    fn commands(&self) -> &[Channel] {
        &self.command
    }

    fn numbers(&self) -> usize {
        NUMBERS * self.joints.len()
    }

    fn last_link(&self) -> usize {
        self.joints.iter().map(|joint| joint.link).max().unwrap_or(0)
    }

    fn law(&self, law: &mut Law<'_>, commands: &[f64], own: &mut [f64]) {
        for (joint, own) in self.joints.iter().zip(own.chunks_exact_mut(NUMBERS)) {
            joint.law(law, commands[0], own);
        }
    }

    fn act(
        &self,
        links: &Links<'_>,
        own: &[f64],
        _: &[f64],
        _: &Surroundings,
        loads: &mut Loads<'_>,
    ) {
        for (joint, own) in self.joints.iter().zip(own.chunks_exact(NUMBERS)) {
            loads.torques[links.tree.velocity_of(joint.link)] += own[0];
        }
    }
}
