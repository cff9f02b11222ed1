//! Builds the tree of a formula from its tokens: a Pratt parser.
//!
//! From the weakest to the strongest: `implies` (to the right), `or`, `and`, `until`, `for`, `not`,
//! comparisons, `+ -`, `* / %`, unary `-`, `^`. `always` and `eventually` reach as far to the right
//! as they can.

use ironbird_kernel::path::nearest;
use ironbird_units::{Quantity, exact};

use crate::ast::{Arithmetic, Ast, AstKind, Comparison, Function, Logic, Window};
use crate::error::{FormulaError, Problem, Span};
use crate::token::{Kind, Token, tokens};

/// Deeper trees are refused, so that walking one never exhausts the stack.
pub(crate) const DEEPEST: usize = 100;

type Parsed = Result<Ast, FormulaError>;

/// How tightly operators bind; a higher number is tighter.
mod binding {
    pub const WEAKEST: u8 = 0;
    pub const IMPLIES: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const UNTIL: u8 = 4;
    pub const FOR: u8 = 5;
    pub const NOT: u8 = 6;
    pub const COMPARE: u8 = 7;
    pub const SUM: u8 = 8;
    pub const PRODUCT: u8 = 9;
    pub const NEGATE: u8 = 10;
    pub const POWER: u8 = 11;
}

pub(crate) fn parse(text: &str) -> Parsed {
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens, at: 0, depth: 0 };
    if parser.peek().kind == Kind::End {
        return Err(FormulaError::new(Problem::Empty, Span { start: 0, end: text.len() }));
    }
    let ast = parser.expression(binding::WEAKEST)?;
    match parser.peek().kind {
        Kind::End => Ok(ast),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// An operator that follows its left operand.
#[derive(Clone, Copy)]
enum Infix {
    Between(Between),
    Power,
    For,
}

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Between {
    Arithmetic(Arithmetic),
    Compare(Comparison),
    Logic(Logic),
    Until,
}

fn infix(kind: &Kind) -> Option<(Infix, u8)> {
    let (Kind::Word(symbol) | Kind::Symbol(symbol)) = kind else { return None };
    let (operator, strength) = match *symbol {
        "implies" | "->" => (Between::Logic(Logic::Implies), binding::IMPLIES),
        "or" | "||" => (Between::Logic(Logic::Or), binding::OR),
        "and" | "&&" => (Between::Logic(Logic::And), binding::AND),
        "until" => (Between::Until, binding::UNTIL),
        "<" => (Between::Compare(Comparison::Less), binding::COMPARE),
        "<=" => (Between::Compare(Comparison::LessOrEqual), binding::COMPARE),
        ">" => (Between::Compare(Comparison::Greater), binding::COMPARE),
        ">=" => (Between::Compare(Comparison::GreaterOrEqual), binding::COMPARE),
        "==" => (Between::Compare(Comparison::Equal), binding::COMPARE),
        "!=" => (Between::Compare(Comparison::NotEqual), binding::COMPARE),
        "+" => (Between::Arithmetic(Arithmetic::Add), binding::SUM),
        "-" => (Between::Arithmetic(Arithmetic::Subtract), binding::SUM),
        "*" => (Between::Arithmetic(Arithmetic::Multiply), binding::PRODUCT),
        "/" => (Between::Arithmetic(Arithmetic::Divide), binding::PRODUCT),
        "%" => (Between::Arithmetic(Arithmetic::Modulo), binding::PRODUCT),
        "^" => return Some((Infix::Power, binding::POWER)),
        "for" => return Some((Infix::For, binding::FOR)),
        _ => return None,
    };
    Some((Infix::Between(operator), strength))
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, Kind::Symbol(s) if s == symbol)
    }

    fn unexpected(&self, expected: &'static str) -> FormulaError {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end".to_owned(),
            _ => format!("\"{}\"", &self.text[token.span.start..token.span.end]),
        };
        FormulaError::new(Problem::Unexpected { expected, found }, token.span)
    }

    fn expect(&mut self, symbol: &str, expected: &'static str) -> Result<Token, FormulaError> {
        if self.is_symbol(symbol) { Ok(self.advance()) } else { Err(self.unexpected(expected)) }
    }

    /// A node over `children`, unless the tree becomes too deep.
    fn node(&self, kind: AstKind, span: Span, children: &[usize]) -> Parsed {
        let depth = 1 + children.iter().max().copied().unwrap_or(0);
        if depth > DEEPEST {
            return Err(FormulaError::new(Problem::TooDeep { limit: DEEPEST }, span));
        }
        Ok(Ast { kind, span, depth })
    }

    fn expression(&mut self, weakest: u8) -> Parsed {
        if self.depth >= DEEPEST {
            let span = self.peek().span;
            return Err(FormulaError::new(Problem::TooDeep { limit: DEEPEST }, span));
        }
        self.depth += 1;
        let result = self.operators(weakest);
        self.depth -= 1;
        result
    }

    fn operators(&mut self, weakest: u8) -> Parsed {
        let mut left = self.operand()?;
        while let Some((operator, strength)) = infix(&self.peek().kind) {
            if strength < weakest {
                break;
            }
            self.advance();
            left = match operator {
                Infix::Between(operator) => self.between(operator, strength, left)?,
                Infix::Power => self.power(left)?,
                Infix::For => self.held_for(left)?,
            };
        }
        Ok(left)
    }

    fn between(&mut self, operator: Between, strength: u8, left: Ast) -> Parsed {
        let window = if matches!(operator, Between::Until) { self.window()? } else { None };
        // Only `implies` groups to the right.
        let to_right = matches!(operator, Between::Logic(Logic::Implies));
        let right = self.expression(strength + u8::from(!to_right))?;
        let (span, depths) = (left.span.to(right.span), [left.depth, right.depth]);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Between::Arithmetic(a) => AstKind::Arithmetic(a, left, right),
            Between::Logic(l) => AstKind::Logic(l, left, right),
            Between::Until => AstKind::Until(window, left, right),
            Between::Compare(c) => {
                let next = self.peek();
                if let Some((Infix::Between(Between::Compare(_)), _)) = infix(&next.kind) {
                    return Err(FormulaError::new(Problem::ChainedComparison, next.span));
                }
                AstKind::Compare(c, left, right)
            }
        };
        self.node(kind, span, &depths)
    }

    fn power(&mut self, base: Ast) -> Parsed {
        let negative = self.is_symbol("-");
        if negative {
            self.advance();
        }
        let token = self.advance();
        let exponent = match token.kind {
            Kind::Number(q) if q.unit().is_none() && q.number().fract() == 0.0 => q.number(),
            _ => f64::NAN,
        };
        if !(0.0..=16.0).contains(&exponent) || self.is_symbol("^") {
            return Err(FormulaError::new(Problem::BadExponent, token.span));
        }
        let exponent = if negative { -(exponent as i8) } else { exponent as i8 };
        let (span, depth) = (base.span.to(token.span), base.depth);
        self.node(AstKind::Power(Box::new(base), exponent), span, &[depth])
    }

    fn held_for(&mut self, condition: Ast) -> Parsed {
        let (duration, end) = self.duration()?;
        let (span, depth) = (condition.span.to(end), condition.depth);
        self.node(AstKind::For(Box::new(condition), duration), span, &[depth])
    }

    /// A duration in whole picoseconds, read from its text and not from its floating-point value.
    fn duration(&mut self) -> Result<(u64, Span), FormulaError> {
        if !matches!(self.peek().kind, Kind::Number(_)) {
            return Err(self.unexpected("a duration like 2 s"));
        }
        let span = self.advance().span;
        let ps = exact::duration_ps(&self.text[span.start..span.end])
            .map_err(|error| FormulaError::new(Problem::Unit(error), span))?;
        Ok((ps, span))
    }

    /// `[0, 2 s]` after a temporal operator; a zero needs no unit.
    fn window(&mut self) -> Result<Option<Window>, FormulaError> {
        if !self.is_symbol("[") {
            return Ok(None);
        }
        self.advance();
        let (from, low) = self.bound()?;
        self.expect(",", "a comma between the bounds")?;
        let (to, high) = self.bound()?;
        self.expect("]", "] after the bounds")?;
        if from > to {
            let text = |span: Span| self.text[span.start..span.end].to_owned();
            let problem = Problem::ReversedBounds { low: text(low), high: text(high) };
            return Err(FormulaError::new(problem, low.to(high)));
        }
        Ok(Some(Window { from, to }))
    }

    fn bound(&mut self) -> Result<(u64, Span), FormulaError> {
        match &self.peek().kind {
            Kind::Number(q) if q.unit().is_none() && q.number() == 0.0 => {
                Ok((0, self.advance().span))
            }
            _ => self.duration(),
        }
    }

    fn operand(&mut self) -> Parsed {
        let token = self.peek().clone();
        let leaf = |kind| Ok(Ast::leaf(kind, token.span));
        match token.kind {
            Kind::Number(quantity) => {
                self.advance();
                leaf(AstKind::Number(quantity))
            }
            Kind::Path(path) => {
                self.advance();
                if self.is_symbol("(") {
                    return self.call(&path, token.span);
                }
                // In quotes it is the name of a signal.
                let clock = &self.text[token.span.start..token.span.end] == "time";
                leaf(if clock { AstKind::Time } else { AstKind::Signal(path) })
            }
            Kind::Word(word @ ("true" | "false")) => {
                self.advance();
                leaf(AstKind::Bool(word == "true"))
            }
            Kind::Word(word @ ("always" | "eventually")) => {
                self.advance();
                let window = self.window()?;
                let inner = self.expression(binding::WEAKEST)?;
                let (span, depth) = (token.span.to(inner.span), inner.depth);
                let inner = Box::new(inner);
                let kind = if word == "always" {
                    AstKind::Always(window, inner)
                } else {
                    AstKind::Eventually(window, inner)
                };
                self.node(kind, span, &[depth])
            }
            Kind::Word("not") | Kind::Symbol("!") => {
                self.advance();
                let inner = self.expression(binding::NOT)?;
                let (span, depth) = (token.span.to(inner.span), inner.depth);
                self.node(AstKind::Not(Box::new(inner)), span, &[depth])
            }
            Kind::Symbol("-") => {
                self.advance();
                let inner = self.expression(binding::NEGATE)?;
                let (span, depth) = (token.span.to(inner.span), inner.depth);
                match inner.kind {
                    // `-20 degC` is a temperature below zero, not a negated temperature.
                    AstKind::Number(q) => {
                        let negated = Quantity::new(-q.number(), q.unit().clone());
                        Ok(Ast::leaf(AstKind::Number(negated), span))
                    }
                    _ => self.node(AstKind::Negate(Box::new(inner)), span, &[depth]),
                }
            }
            Kind::Symbol("(") => {
                self.advance();
                let mut inner = self.expression(binding::WEAKEST)?;
                let close = self.expect(")", "an operator or )")?;
                inner.span = token.span.to(close.span);
                Ok(inner)
            }
            _ => Err(self.unexpected("a signal, a number or a condition")),
        }
    }

    fn call(&mut self, name: &str, span: Span) -> Parsed {
        let function = Function::find(name).ok_or_else(|| {
            let nearest = nearest(name, Function::names()).map(str::to_owned);
            FormulaError::new(Problem::UnknownFunction { name: name.to_owned(), nearest }, span)
        })?;
        self.advance();
        let mut arguments = Vec::new();
        while !self.is_symbol(")") {
            if !arguments.is_empty() {
                self.expect(",", "a comma or )")?;
            }
            arguments.push(self.expression(binding::WEAKEST)?);
        }
        let span = span.to(self.advance().span);
        let depths: Vec<usize> = arguments.iter().map(|a| a.depth).collect();
        self.node(AstKind::Call(function, arguments), span, &depths)
    }
}
