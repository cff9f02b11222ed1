//! Serving the page of the view.

use std::net::SocketAddr;
use std::time::Duration;

use ironbird_runner::Interrupt;
use ironbird_view::{ServeError, Server, Show};

use crate::failure::Failure;
use crate::output::{complain, line};

/// Wall time between two looks at whether the user wants to end.
const NAP: Duration = Duration::from_millis(100);

/// Serves the page and says where.
pub fn serve(address: SocketAddr, shows: Vec<Show>) -> Result<Server, Failure> {
    let server = Server::start(address, shows).map_err(|error| match error {
        ServeError::NoPage(_) | ServeError::Listen { .. } => Failure::input(error.to_string()),
        ServeError::Random(_) => Failure::Run(error.to_string()),
    })?;
    if !address.ip().is_loopback() {
        complain(format_args!(
            "warning: {} is open to other machines: everybody with the address below can look, and change a live run\n",
            address.ip()
        ));
    }
    line(format_args!("  view      {}", server.address()));
    Ok(server)
}

/// Goes on serving until the user has seen enough.
pub fn until_interrupted(interrupt: &Interrupt) {
    line(format_args!("the page stays until Ctrl-C"));
    while !interrupt.is_requested() {
        std::thread::sleep(NAP);
    }
    interrupt.hear();
}
