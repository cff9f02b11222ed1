//! Why a trace could not be read.

use std::path::PathBuf;

/// Why a trace could not be read at all. What is damaged inside of streams is not an error but told by
/// [`Events::damage`](super::Events::damage).
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CtfError {
    #[error("{}: it cannot be read: {cause}", file.display())]
    Io { file: PathBuf, cause: std::io::Error },
    #[error(
        "{}: there is no file named \"metadata\" in it or below it; give the folder that \
         `lttng create --output` named", folder.display()
    )]
    NoMetadata { folder: PathBuf },
    #[error("{}, byte {byte}: {what}", file.display())]
    MetadataPacket { file: PathBuf, byte: usize, what: String },
    #[error("{}, line {line}: {what}", file.display())]
    Metadata { file: PathBuf, line: usize, what: String },
}
