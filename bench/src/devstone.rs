//! DEVStone: synthetic DEVS models of known size whose transitions can be counted on paper.
//!
//! A model has `depth` nested coupled models; the innermost holds one atomic. One event enters at
//! time 0, every atomic passes on what it gets without delay, and no atomic does any work of its
//! own: what is measured is the engine. Glinsky and Wainer, "DEVStone", DS-RT 2005; HOmod: Risco
//! Martín et al., "Reconsidering the performance of DEVS modeling and simulation environments
//! using the DEVStone benchmark", Simulation 2017.

/// How a level is wired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// Low level of interconnections: the level's input goes to each of its w-1 atomics.
    Li,
    /// High input: LI, and atomic i feeds atomic i+1.
    Hi,
    /// High output: HI with a second input for the atomics, whose outputs also leave the level.
    Ho,
    /// HO modified: a triangle of atomics feeds a row that floods the level below.
    HoMod,
}

/// One DEVStone model.
#[derive(Clone, Copy, Debug)]
pub struct Devstone {
    pub wiring: Wiring,
    pub width: u64,
    pub depth: u64,
}

/// What a run of a DEVStone model comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub atomics: u64,
    pub internal: u64,
    pub external: u64,
}

impl Devstone {
    /// A model as wide as it is deep.
    pub const fn square(wiring: Wiring, side: u64) -> Self {
        Devstone { wiring, width: side, depth: side }
    }

    /// How many atomic models there are.
    pub fn atomics(self) -> u64 {
        let (w, d) = (self.width, self.depth);
        match self.wiring {
            Wiring::Li | Wiring::Hi | Wiring::Ho => (w - 1) * (d - 1) + 1,
            Wiring::HoMod => (w - 1 + w * (w - 1) / 2) * (d - 1) + 1,
        }
    }

    /// How many internal transitions a run makes: as many as external ones.
    pub fn internal_transitions(self) -> u64 {
        let (w, d) = (self.width, self.depth);
        match self.wiring {
            Wiring::Li => (w - 1) * (d - 1) + 1,
            Wiring::Hi | Wiring::Ho => (d - 1) * (w * (w - 1) / 2) + 1,
            Wiring::HoMod => {
                let level = |k: u64| {
                    let floods = (k - 1) * (w - 1);
                    (1 + floods) * (w * (w - 1) / 2) + (w - 1) * (w + floods)
                };
                1 + (1..d).map(level).sum::<u64>()
            }
        }
    }

    /// Internal and external transitions together: the work of a run.
    pub fn transitions(self) -> u64 {
        2 * self.internal_transitions()
    }

    /// What a run must come to.
    pub fn tally(self) -> Tally {
        let internal = self.internal_transitions();
        Tally { atomics: self.atomics(), internal, external: internal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_give_the_known_counts() {
        for (wiring, side, atomics, internal) in [
            (Wiring::Li, 200, 39_602, 39_602),
            (Wiring::Hi, 200, 39_602, 3_960_101),
            (Wiring::Ho, 200, 39_602, 3_960_101),
            (Wiring::HoMod, 20, 3_972, 689_872),
            (Wiring::HoMod, 30, 13_457, 5_500_982),
        ] {
            let model = Devstone::square(wiring, side);
            assert_eq!(model.tally(), Tally { atomics, internal, external: internal }, "{model:?}");
        }
    }
}
