//! Sources of the sea that come from a file: read once when the component is made, and shared by all
//! replicas.

use std::io::Read;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use ironbird_component::scenery::Scenery;
use ironbird_component::{
    Answers, Choice, ComponentType, Description, Given, Instance, InstantiateError, Interface,
    Kind, Made, Parameters, Place, QuerySignature, Settings,
};
use ironbird_kernel::{LoadError, Provider, SaveError, StateReader, StateWriter, Time};

use super::question::SeaPoint;

/// What a file that ends, or has gaps, says beyond them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Outside {
    /// Nothing: the run ends.
    #[default]
    Fail,
    /// What it says at the nearest place and time at which it says something.
    Hold,
}

/// What to do where a file says nothing.
pub(super) const HOLD: &str =
    "keep inside what the file covers, or give its source outside = \"hold\"";

/// The parameters of a source that reads a file.
pub(super) trait FromFile: Parameters + 'static {
    /// The name of the component type.
    const TYPE: &'static str;
    /// Its help text.
    const DOC: &'static str;
    /// What it answers.
    type Answer: 'static;
    /// What was read.
    type Source: Answers<SeaPoint, Self::Answer> + Send + Sync + 'static;

    /// Reads the file.
    fn open(&self) -> Result<Self::Source, InstantiateError>;

    /// What the source looks like, if it can be drawn.
    fn scenery(_source: &Arc<Self::Source>) -> Option<Scenery> {
        None
    }
}

/// The component type of a source that reads a file.
pub(super) fn component_type<P: FromFile>() -> Box<dyn ComponentType> {
    let interface = Interface {
        answers: Some(QuerySignature::of::<SeaPoint, P::Answer>()),
        ..Interface::default()
    };
    let mut description = Description::new(P::TYPE, Kind::Provider, P::DOC);
    description.parameters = P::describe();
    description.interface = Some(Arc::new(interface));
    Box::new(FileType { description, of: PhantomData::<fn() -> P> })
}

struct FileType<P> {
    description: Description,
    of: PhantomData<fn() -> P>,
}

impl<P: FromFile> ComponentType for FileType<P> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let source = P::read(&Given::new(settings, place))?.open()?;
        let source = Arc::new(source);
        let interface = self.description.interface.clone().unwrap_or_default();
        let scenery = P::scenery(&source);
        Ok(Made::provider(Replica(source)).with_scenery(scenery).with_interface(interface))
    }
}

/// One of several that share a file. It has no parameters that change, so there is nothing to save.
pub(super) struct Replica<S>(pub Arc<S>);

impl<S> Clone for Replica<S> {
    fn clone(&self) -> Self {
        Replica(self.0.clone())
    }
}

impl<R, S> Answers<SeaPoint, R> for Replica<S>
where
    S: Answers<SeaPoint, R>,
{
    fn answer(&self, now: Time, point: &SeaPoint) -> R {
        self.0.answer(now, point)
    }
}

impl<R, S> Provider<SeaPoint, R> for Replica<S>
where
    R: 'static,
    S: Answers<SeaPoint, R> + Send + Sync + 'static,
{
    fn answer(&self, now: Time, point: &SeaPoint) -> R {
        self.0.answer(now, point)
    }
    fn save(&self, _: &mut StateWriter) -> Result<(), SaveError> {
        Ok(())
    }
    fn load(&mut self, _: &mut StateReader<'_>) -> Result<(), LoadError> {
        Ok(())
    }
}

/// The bytes of a file.
pub(super) fn read_bytes(file: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    ironbird_files::open_data(file)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Blames the parameter `file`.
pub(super) fn blame_file(file: &Path, cause: impl std::fmt::Display) -> InstantiateError {
    InstantiateError::of("file", format!("{}: {cause}", file.display()))
}

/// What a reader of a format, which is not ours, makes of a file. Readers index and add with numbers
/// of the file; where a damaged one makes them panic, that is an error of the file as well.
pub(super) fn caught<T>(
    format: &str,
    read: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        Err(format!("it is damaged: its contents contradict each other, so that it is no {format}"))
    })
}
