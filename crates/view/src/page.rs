//! The page, as it was built.

mod built {
    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}

/// A file of the page: its bytes and what they are.
pub fn file(path: &str) -> Option<(&'static [u8], &'static str)> {
    let name = if path.is_empty() { "index.html" } else { path };
    let (_, bytes) = built::FILES.iter().find(|(known, _)| *known == name)?;
    Some((bytes, media_type(name)))
}

/// Why there is no page in this program, if there is none.
pub fn missing() -> Option<&'static str> {
    built::FILES.is_empty().then_some(built::MISSING)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}
