//! Operands as they are written: registers, numbers, rounding modes, CSRs, memory operands.

/// CSRs by name (privileged, 2.2).
pub const CSRS: &[(&str, u32)] = &[
    ("fflags", 0x001),
    ("frm", 0x002),
    ("fcsr", 0x003),
    ("mstatus", 0x300),
    ("misa", 0x301),
    ("mie", 0x304),
    ("mtvec", 0x305),
    ("mcountinhibit", 0x320),
    ("mscratch", 0x340),
    ("mepc", 0x341),
    ("mcause", 0x342),
    ("mtval", 0x343),
    ("mip", 0x344),
    ("pmpaddr13", 0x3bd),
    ("pmpaddr14", 0x3be),
    ("pmpaddr15", 0x3bf),
    ("mcycle", 0xb00),
    ("minstret", 0xb02),
    ("mcycleh", 0xb80),
    ("minstreth", 0xb82),
    ("cycle", 0xc00),
    ("time", 0xc01),
    ("instret", 0xc02),
    ("cycleh", 0xc80),
    ("timeh", 0xc81),
    ("instreth", 0xc82),
    ("mvendorid", 0xf11),
    ("marchid", 0xf12),
    ("mimpid", 0xf13),
    ("mhartid", 0xf14),
];

/// Rounding modes (F, 11.2); 5 and 6 are reserved.
const ROUNDING: [&str; 8] = ["rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", "dyn"];

/// The number of a CSR.
pub fn csr(name: &str) -> Option<u32> {
    CSRS.iter().find(|(known, _)| *known == name).map(|&(_, number)| number)
}

/// The number of a rounding mode.
pub fn rounding(name: &str) -> Option<u32> {
    ROUNDING.iter().position(|known| *known == name).map(|at| at as u32)
}

/// Reads the operands of `name` from left to right; `imm(x1)` is two of them.
pub fn read(name: &str, text: &str) -> Result<Vec<i64>, String> {
    let mut operands = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if name == "fence" {
            operands.push(order(part)?);
        } else if let Some((immediate, register)) =
            part.strip_suffix(')').and_then(|part| part.split_once('('))
        {
            if !immediate.is_empty() {
                operands.push(one(immediate)?);
            }
            operands.push(one(register)?);
        } else {
            operands.push(one(part)?);
        }
    }
    Ok(operands)
}

fn one(part: &str) -> Result<i64, String> {
    let register = part
        .strip_prefix(['x', 'f'])
        .and_then(|number| number.parse().ok())
        .filter(|&number: &i64| number < 32);
    let named = rounding(part).or_else(|| csr(part)).map(i64::from);
    register.or(named).or_else(|| number(part)).ok_or_else(|| format!("`{part}` is no operand"))
}

fn number(part: &str) -> Option<i64> {
    match part.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => part.parse().ok(),
    }
}

/// What a fence orders: letters of `iorw`, or `0` for nothing.
fn order(part: &str) -> Result<i64, String> {
    if part == "0" {
        return Ok(0);
    }
    part.chars().try_fold(0, |set, letter| {
        let at =
            "wroi".find(letter).ok_or_else(|| format!("`{part}` is nothing a fence orders"))?;
        Ok(set | 1 << at)
    })
}
