//! `ironbird export`: a recording as a table, or its frames as a capture.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use ironbird_record::export::{Gaps, Layout, write_csv, write_parquet, write_pcapng};

use crate::arguments::{ExportArguments, TableFormat};
use crate::commands::report::{chosen, open_recording};
use crate::failure::Failure;
use crate::output::{Printer, line};

/// Writes CSV, Parquet or pcapng.
pub fn export(arguments: &ExportArguments) -> Result<u8, Failure> {
    let recording = open_recording(&arguments.recording)?;
    let names = chosen(&recording, &arguments.signal)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let gaps = if arguments.hold { Gaps::Hold } else { Gaps::Empty };
    let ending = arguments.out.as_ref().and_then(|path| path.extension()?.to_str());
    let format = match (arguments.format, ending) {
        (Some(format), _) => format,
        (None, None | Some("csv")) => TableFormat::Csv,
        (None, Some("parquet")) => TableFormat::Parquet,
        (None, Some("pcapng")) => TableFormat::Pcapng,
        (None, Some(other)) => {
            let message =
                format!("\".{other}\" is no known kind of table: use .csv, .parquet or .pcapng");
            return Err(Failure::input(message));
        }
    };
    let Some(path) = &arguments.out else {
        if format != TableFormat::Csv {
            return Err(Failure::input("only CSV is printed: name a file with --out"));
        }
        write_csv(&recording, &names, gaps, Printer::default(), "the output")?;
        return Ok(0);
    };
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| Failure::Run(format!("cannot write {shown}: {error}"));
    // What is there stays if nothing better comes; but a pipe or a device is written to.
    let is_file = std::fs::metadata(path).map_or(true, |there| there.is_file());
    let mut part = path.clone().into_os_string();
    if is_file {
        part.push(".part");
    }
    let part = PathBuf::from(part);
    let mut file = BufWriter::new(File::create(&part).map_err(failed)?);
    let written = match format {
        TableFormat::Csv => write_csv(&recording, &names, gaps, &mut file, &shown),
        TableFormat::Parquet => {
            write_parquet(&recording, &names, gaps, Layout::Wide, &mut file, &shown)
        }
        TableFormat::Pcapng => {
            write_pcapng(&recording, &names, &mut file, &shown).map(|_frames| ())
        }
    };
    if let Err(error) = written {
        if is_file {
            let _ = std::fs::remove_file(&part);
        }
        return Err(error.into());
    }
    file.flush().map_err(failed)?;
    if is_file {
        std::fs::rename(&part, path).map_err(failed)?;
    }
    line(format_args!("{shown}"));
    Ok(0)
}
