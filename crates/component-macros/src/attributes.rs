//! Reading what attributes say: `#[input(unit = "K", waking)]`.

use ironbird_units::{Unit, exact};
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{
    Attribute, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, ReturnType, Token, Type, TypeFnPtr,
};

/// The entries of one attribute, each taken once.
pub struct Entries {
    of: String,
    span: Span,
    entries: Vec<Entry>,
}

struct Entry {
    name: Ident,
    value: Value,
}

enum Value {
    Flag,
    Expression(Expr),
    Function(TypeFnPtr),
}

impl Entries {
    pub fn of(attribute: &Attribute) -> syn::Result<Self> {
        let name = |path: &syn::Path| {
            path.get_ident().cloned().ok_or_else(|| Error::new_spanned(path, "write a plain word"))
        };
        let of = name(attribute.path())?;
        let mut entries: Vec<Entry> = Vec::new();
        if let Meta::List(list) = &attribute.meta {
            list.parse_args_with(|input: syn::parse::ParseStream<'_>| {
                while !input.is_empty() {
                    // `type` is a keyword.
                    let name = input.call(Ident::parse_any)?;
                    let value = if input.peek(Token![=]) {
                        input.parse::<Token![=]>()?;
                        if input.peek(Token![fn]) {
                            Value::Function(input.parse()?)
                        } else {
                            Value::Expression(input.parse()?)
                        }
                    } else {
                        Value::Flag
                    };
                    if entries.iter().any(|entry| entry.name == name) {
                        return Err(Error::new(name.span(), format!("`{name}` is given twice")));
                    }
                    entries.push(Entry { name, value });
                    if !input.is_empty() {
                        input.parse::<Token![,]>()?;
                    }
                }
                Ok(())
            })?;
        } else if let Meta::NameValue(pair) = &attribute.meta {
            return Err(Error::new_spanned(pair, format!("write `#[{of}(…)]`")));
        }
        let span = of.span();
        Ok(Entries { of: of.to_string(), span, entries })
    }

    pub fn span(&self) -> Span {
        self.span
    }

    fn take(&mut self, name: &str) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.name == name)?;
        Some(self.entries.remove(at))
    }

    /// Whether the word `name` stands there.
    pub fn flag(&mut self, name: &str) -> syn::Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Entry { value: Value::Flag, .. }) => Ok(true),
            Some(entry) => {
                let text = format!("`{name}` stands alone, without a value");
                Err(Error::new(entry.name.span(), text))
            }
        }
    }

    /// The expression after `name =`.
    pub fn expression(&mut self, name: &str) -> syn::Result<Option<Expr>> {
        match self.take(name) {
            None => Ok(None),
            Some(Entry { value: Value::Expression(expression), .. }) => Ok(Some(expression)),
            Some(entry) => {
                Err(Error::new(entry.name.span(), format!("`{name}` needs a value: `{name} = …`")))
            }
        }
    }

    /// The text after `name =`.
    pub fn text(&mut self, name: &str) -> syn::Result<Option<LitStr>> {
        match self.expression(name)? {
            None => Ok(None),
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(Some(text)),
            Some(other) => {
                Err(Error::new_spanned(other, format!("`{name}` is a text: `{name} = \"…\"`")))
            }
        }
    }

    /// Argument and result after `name = fn(A) -> R`.
    pub fn function(&mut self, name: &str) -> syn::Result<Option<(Type, Type)>> {
        let Some(entry) = self.take(name) else { return Ok(None) };
        if let Value::Function(function) = &entry.value
            && let (Some(argument), ReturnType::Type(_, result)) =
                (function.inputs.first().filter(|_| function.inputs.len() == 1), &function.output)
        {
            return Ok(Some((argument.ty.clone(), (**result).clone())));
        }
        let text = format!("write `{name} = fn(Argument) -> Answer`");
        Err(Error::new(entry.name.span(), text))
    }

    /// The unit after `unit =`; checked.
    pub fn unit(&mut self) -> syn::Result<Option<LitStr>> {
        let unit = self.text("unit")?;
        unit.iter().try_for_each(|text| check_unit(&text.value(), text.span()))?;
        Ok(unit)
    }

    /// The units of leaves after `name =`: one for all, or `position: m, velocity: m/s`; checked.
    pub fn units(&mut self, name: &str) -> syn::Result<Option<LitStr>> {
        let units = self.text(name)?;
        if let Some(text) = &units {
            let value = text.value();
            let is_list = value.contains(':');
            for part in value.split(',') {
                let unit = match part.split_once(':') {
                    Some((_, unit)) => unit,
                    None if is_list => {
                        let message = "each part is a path, a colon and a unit: \"position: m\"";
                        return Err(Error::new(text.span(), message));
                    }
                    None => part,
                };
                check_unit(unit, text.span())?;
            }
        }
        Ok(units)
    }

    /// The rate after `rate =`; checked.
    pub fn rate(&mut self) -> syn::Result<Option<LitStr>> {
        let rate = self.text("rate")?;
        if let Some(text) = &rate {
            exact::rate(&text.value()).map_err(|error| Error::new(text.span(), error))?;
        }
        Ok(rate)
    }

    /// Refuses what nobody took; `known` is what may stand here.
    pub fn finish(self, known: &str) -> syn::Result<()> {
        match self.entries.first() {
            None => Ok(()),
            Some(entry) => {
                let of = &self.of;
                let text = format!("`#[{of}(…)]` knows {known}, not `{}`", entry.name);
                Err(Error::new(entry.name.span(), text))
            }
        }
    }
}

fn check_unit(text: &str, span: Span) -> syn::Result<()> {
    text.trim().parse::<Unit>().map(drop).map_err(|error| Error::new(span, error))
}

/// The doc comment, as written.
pub fn doc(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            let text = text.value();
            lines.extend(
                text.lines()
                    .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()),
            );
            if text.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines.join("\n").trim().to_owned()
}
