//! Names of functions, for people who see an address.

use ::elf::endian::LittleEndian;
use ::elf::{ElfBytes, ParseError, abi};

/// Functions by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols(Vec<Symbol>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Symbol {
    address: u32,
    /// 0: up to the next one.
    bytes: u32,
    name: String,
}

impl Symbols {
    /// The functions of an ELF file, and labels of its assembly code.
    pub(crate) fn of(elf: &ElfBytes<LittleEndian>) -> Result<Symbols, ParseError> {
        let Some((table, names)) = elf.symbol_table()? else { return Ok(Symbols::default()) };
        let sections: Vec<_> = elf.section_headers().into_iter().flatten().collect();
        let mut symbols = Vec::new();
        for symbol in table {
            let section = sections.get(usize::from(symbol.st_shndx));
            let is_code =
                section.is_some_and(|one| one.sh_flags & u64::from(abi::SHF_EXECINSTR) != 0);
            let name = names.get(symbol.st_name as usize)?;
            // "$x" marks where code begins, ".L" labels are the compiler's own.
            let is_named = !name.is_empty() && !name.starts_with('$') && !name.starts_with(".L");
            let is_function = matches!(symbol.st_symtype(), abi::STT_FUNC | abi::STT_NOTYPE);
            if is_code && is_named && is_function {
                let (address, bytes) = (symbol.st_value as u32, symbol.st_size as u32);
                symbols.push(Symbol { address, bytes, name: name.to_owned() });
            }
        }
        // Among names of one address the one with a size is last, and found.
        symbols.sort_by(|a, b| (a.address, a.bytes, &a.name).cmp(&(b.address, b.bytes, &b.name)));
        Ok(Symbols(symbols))
    }

    /// The function that an address is in, and how many bytes behind its start.
    pub fn at(&self, address: u32) -> Option<(&str, u32)> {
        let behind = self.0.partition_point(|symbol| symbol.address <= address);
        let symbol = self.0.get(behind.checked_sub(1)?)?;
        let offset = address - symbol.address;
        (symbol.bytes == 0 || offset < symbol.bytes).then_some((symbol.name.as_str(), offset))
    }

    /// An address as people read it: `control_step+0x1c`, or the number alone.
    pub fn describe(&self, address: u32) -> String {
        match self.at(address) {
            Some((name, 0)) => name.to_owned(),
            Some((name, offset)) => format!("{name}+{offset:#x}"),
            None => format!("{address:#010x}"),
        }
    }

    /// The address of a function.
    pub fn address(&self, name: &str) -> Option<u32> {
        self.0.iter().find(|symbol| symbol.name == name).map(|symbol| symbol.address)
    }
}
