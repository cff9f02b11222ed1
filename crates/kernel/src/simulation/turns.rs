//! One partition, or all: who advances the system next, where that is measured.

use std::time::{Duration as Wall, Instant};

use super::{BuildError, Simulation};
use crate::error::GraphError;
use crate::flatten::Flat;
use crate::graph::ComponentRef;
use crate::placement::{Placement, PlacementReport, place};
use crate::sharing::{Chooser, Sharing, SharingReport, Way};

impl Simulation {
    /// Looks whether the system, as it is now, may be advanced by one partition or by all; with one, where it may. Where
    /// somebody has placed components there is nothing to choose. A change of the system may change that.
    pub(super) fn review_turns(&mut self) -> Result<(), GraphError> {
        let is_free = matches!(self.options.placement, Placement::AtMost(2..))
            && self.options.sharing != Sharing::Always
            && self.span.is_none();
        if !is_free {
            return Ok(());
        }
        let wide = place(&self.graph, &Flat::new(&self.graph)?, &self.options.placement)?.report;
        let chooser = self.chooser.take().map(|(chooser, _)| chooser);
        if wide.partitions > 1 {
            self.alone |= chooser.is_none();
            let mut chooser = chooser.unwrap_or_else(|| Chooser::new(self.options.sharing));
            chooser.spread_over(wide.partitions);
            self.chooser = Some((chooser, wide));
        } else {
            self.alone = false;
        }
        Ok(())
    }

    /// Who makes the next stretch, and for how long on the wall; nothing where it is not measured.
    pub(super) fn next_turn(&mut self) -> Result<Option<(Way, Wall)>, BuildError> {
        let Some((chooser, _)) = &self.chooser else {
            self.run_alone(false)?;
            return Ok(None);
        };
        let (way, wall) = chooser.next();
        let is_alone = way == Way::Alone;
        if self.alone != is_alone {
            let begun = Instant::now();
            self.run_alone(is_alone)?;
            if let Some((chooser, _)) = &mut self.chooser {
                chooser.changed(begun.elapsed());
            }
        }
        Ok(Some((way, wall)))
    }

    /// How many partitions there are, if all advance the system.
    pub fn partitions(&self) -> usize {
        self.chooser.as_ref().map_or(self.report.partitions, |(_, wide)| wide.partitions)
    }

    /// What placement came to, and sharing, if it was measured: the partitions are those that advanced the system for
    /// most of the time.
    pub(super) fn placement(&self) -> (PlacementReport, Option<SharingReport>) {
        let Some((chooser, wide)) = &self.chooser else { return (self.report.clone(), None) };
        let sharing = chooser.report();
        let partitions = if sharing.is_shared() { wide.partitions } else { 1 };
        (PlacementReport { partitions, ..wide.clone() }, Some(sharing))
    }

    /// The components of a partition, if all advance the system.
    pub(super) fn placed_in(&self, partition: usize) -> Vec<String> {
        let placed = Flat::new(&self.graph).and_then(|flat| {
            let placed = place(&self.graph, &flat, &self.options.placement)?;
            Ok((flat, placed))
        });
        // It was placed before.
        let Ok((flat, placed)) = placed else { return Vec::new() };
        let nodes = flat.nodes.iter().zip(&placed.partition_of);
        let own = nodes.filter(|(_, of)| **of as usize == partition);
        own.map(|(&node, _)| self.graph.path(ComponentRef(node))).collect()
    }
}
