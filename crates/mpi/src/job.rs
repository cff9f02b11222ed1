//! This process as a rank of its job, from its beginning to its end.

use std::mem::forget;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ironbird_kernel::Carrier;
use ironbird_runner::{Interrupt, Ranks};
use mpi::Threading;
use mpi::environment::Universe;
use mpi::topology::{Communicator, SimpleCommunicator};

use crate::lookout::{self, Calls};
use crate::peers::Peers;
use crate::rank::{Known, Rank};
use crate::requests::Way;
use crate::started::Started;

/// The job, seen from one of its ranks.
pub struct Job {
    /// What the ranks talk over, and MPI itself, which ends after it.
    joined: Option<(SimpleCommunicator, Universe)>,
    known: Arc<Known>,
    looked_after: bool,
}

impl Job {
    /// Joins the job of which this process is a part, as the environment says.
    ///
    /// # Errors
    /// If the MPI library knows less of it than the environment says.
    pub fn join(started: &Started) -> Result<Self, String> {
        // Calls come from one thread at a time, which needs not be the first one.
        let (universe, threading) = mpi::initialize_with_threading(Threading::Serialized)
            .ok_or("MPI was initialised before")?;
        let world = universe.world();
        let (number, count) = (world.rank() as usize, world.size() as usize);
        let Started { by, .. } = started;
        if count != started.count {
            let library = mpi::environment::library_version().unwrap_or_default();
            let library = library.lines().next().unwrap_or_default().replace('\t', " ");
            return Err(format!(
                "{by} started {} processes, but MPI knows of {count}: start them with the mpirun of the MPI library \
                 that this program was built with ({library}), or with srun --mpi=pmix (srun --mpi=list shows what \
                 there is)",
                started.count
            ));
        }
        if threading < Threading::Serialized {
            return Err("the MPI library was built without threads".into());
        }
        let peers = Peers::meet(&world);
        // A way of its own: user code may use MPI, too.
        let world = world.duplicate();
        let way = Way::new(&world);
        let broken = AtomicBool::new(false);
        let calls = Calls::default();
        let known = Arc::new(Known { number, count, way, peers, calls, broken });
        Ok(Job { joined: Some((world, universe)), known, looked_after: false })
    }
}

impl Ranks for Job {
    fn number(&self) -> usize {
        self.known.number
    }

    fn count(&self) -> usize {
        self.known.count
    }

    fn join(&mut self, patience: Duration, interrupt: &Interrupt) -> Box<dyn Carrier> {
        if !std::mem::replace(&mut self.looked_after, true) {
            lookout::start(self.known.clone(), interrupt.clone());
        }
        Box::new(Rank::join(self.known.clone(), patience, interrupt.clone()))
    }

    fn is_broken(&self) -> bool {
        self.known.broken.load(Ordering::Relaxed)
    }

    fn await_end_of_first(&self, patience: Duration) {
        let begin = Instant::now();
        while begin.elapsed() < patience && !self.known.peers.get(0).has_ended() {
            sleep(Duration::from_millis(10));
        }
    }

    fn end(mut self: Box<Self>, status: u8, in_good_order: bool) {
        let joined = self.joined.take();
        if let (Some((world, _)), false) = (&joined, in_good_order) {
            // What started the job ends it already, and may be too busy with that to answer MPI's abort. All see each
            // other's end, and follow.
            if self.known.peers.are_all_here() && self.known.peers.first_ended().is_some() {
                exit(i32::from(status));
            }
            world.abort(i32::from(status));
        }
        // Waits for the others.
        drop(joined);
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // Not ended, but left by a panic: the others would not come to the end that MPI waits for.
        forget(self.joined.take());
    }
}
