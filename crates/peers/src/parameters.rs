//! The parameters that all types of this crate have: the link, and how long to wait on it.

use std::path::Path;
use std::time::Duration;

use ironbird_component::{
    Bound, Description, Given, InstantiateError, Kind, ParameterDescription, ParameterKind, Range,
    Unit,
};
use ironbird_kernel::Parameter;
use ironbird_simbricks::url::Role;
use ironbird_simbricks::{Link, QueueSize, SyncMode, Url};

use crate::line::Plan;
use crate::traffic;

/// A type that talks over a link: its description with the parameters `link`, `patience` and `trace`, in front of its own.
pub(crate) fn description(
    name: &str,
    doc: &str,
    own: impl IntoIterator<Item = ParameterDescription>,
) -> Description {
    let mut description = Description::new(name, Kind::EventDriven, doc);
    description.foreign = true;
    description.saves_state = false;
    let link = ParameterDescription::required(
        "link",
        ParameterKind::Link,
        "The link: the name of one of the experiment, over which a [program] speaks; or \"connect:SOCKET\" or \
         \"listen:SOCKET:SHM\", with \":latency=N\" in ns behind it (500 where none is given). Paths are relative to the \
         folder in which Ironbird runs; without SHM the memory has no file.",
    );
    let seconds: Unit = "s".parse().unwrap_or_else(|_| Unit::none());
    let range = Range { low: Bound::Exclusive(0.0), high: Bound::Inclusive(1e6) };
    let patience = ParameterDescription::required(
        "patience",
        ParameterKind::Real { unit: seconds, range },
        "How long the peer may take to appear, and then to go on, in real time, before it counts as hanging. It never \
         changes a result.",
    )
    .or([Parameter::Real(30.0)]);
    description.parameters = vec![link.fixed(), patience.fixed(), traffic::parameter()];
    description.parameters.extend(own);
    description
}

/// Where a type's own parameters begin in its description.
pub(crate) const OWN: usize = 3;

/// The link that a component is to make. `layer` is what its upper layer wants.
pub(crate) fn plan(
    given: &Given<'_>,
    description: &Description,
    layer: impl FnOnce(String) -> Link,
) -> Result<Plan, InstantiateError> {
    let text: String = given.read(&description.parameters[0])?;
    let patience: f64 = given.read(&description.parameters[1])?;
    let is_traced = given.read(&description.parameters[2])?;
    let wrong = |why: String| InstantiateError::of("link", why);
    // A name stands for a link whose place is known when the run starts: until then it is like any other.
    let written = if text.contains(':') { text } else { format!("connect:{text}") };
    let url = read_link(&written).map_err(wrong)?;
    let name = socket(&url).file_name().map_or(written, |name| name.to_string_lossy().into());
    let mut link = layer(name);
    url.apply(&mut link);
    // The two ends of a link learn of each other within the latency: more words would say nothing more.
    link.sync_interval = url.sync_interval.unwrap_or(link.latency);
    let size = QueueSize::standard(link.protocol);
    let checked = ironbird_simbricks::Connecter::new(link.clone(), socket(&url));
    checked.map_err(|error| wrong(error.into_problem().to_string()))?;
    let url = Url { sync_interval: Some(link.sync_interval), ..url };
    Ok(Plan { url, link, size, patience: Duration::from_secs_f64(patience), is_traced })
}

/// Reads a link as users write it.
fn read_link(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
    if url.sync == SyncMode::Disabled {
        return Err(
            "without synchronisation the result would depend on the speed of the machine: \
                    leave out \"sync=false\""
                .into(),
        );
    }
    url.sync = SyncMode::Required;
    Ok(url)
}

/// The socket of a link.
pub(crate) fn socket(url: &Url) -> &Path {
    match &url.role {
        Role::Connect { socket } | Role::Listen { socket, .. } => socket,
    }
}
