//! Values that do not fit into the whole numbers of a link, told once each.

/// Which parts of a device were told a value that did not fit.
#[derive(Debug, Default)]
pub(super) struct Saturation {
    told: Vec<String>,
    is_shown: bool,
}

impl Saturation {
    /// A value of this port did not fit.
    pub fn tell(&mut self, link: &str, port: &str) {
        if self.told.iter().any(|told| told == port) {
            return;
        }
        eprintln!(
            "ironbird: link `{link}`: a value of \"{port}\" does not fit and is cut to the nearest that does; it is \
             not told again"
        );
        self.told.push(port.to_owned());
    }

    /// Whether it is to be shown now that something did not fit; once.
    pub fn take_news(&mut self) -> bool {
        self.has_news() && !std::mem::replace(&mut self.is_shown, true)
    }

    pub fn has_news(&self) -> bool {
        !self.told.is_empty() && !self.is_shown
    }
}
