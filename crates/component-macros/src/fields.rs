//! Sorts the fields of a struct into parameters, ports and state.

use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Field, Fields, Ident, LitStr, Type};

use crate::attributes::{Entries, doc};

/// A field, and what it stands for.
pub struct Part {
    pub ident: Ident,
    pub ty: Type,
    /// What users call it.
    pub name: String,
    pub doc: String,
    pub role: Role,
}

pub enum Role {
    Parameter(Box<ParameterAttribute>),
    Group,
    Input(Box<InputAttribute>),
    Output(Box<OutputAttribute>),
    Random,
    Service {
        units: Option<LitStr>,
        /// The leaves of the argument that must be above 0.
        positive: Option<LitStr>,
    },
    Requires {
        units: Option<LitStr>,
        optional: bool,
    },
    Query,
    /// Saved in checkpoints.
    State,
    /// Not saved.
    Skip,
}

pub struct ParameterAttribute {
    pub unit: Option<LitStr>,
    pub default: Option<Expr>,
    pub min: Option<Expr>,
    pub max: Option<Expr>,
    pub above: Option<Expr>,
    pub below: Option<Expr>,
    pub fixed: bool,
}

pub struct InputAttribute {
    pub units: Option<LitStr>,
    pub frame: Option<LitStr>,
    pub default: Option<Expr>,
    pub waking: bool,
    /// For continuous components.
    pub index: Option<Expr>,
}

pub struct OutputAttribute {
    pub units: Option<LitStr>,
    pub frame: Option<LitStr>,
    pub initial: Option<Expr>,
    /// For continuous components.
    pub state: Option<Expr>,
    /// For continuous components: the number of the only event that is sent.
    pub event: Option<Expr>,
}

const ROLES: [&str; 9] =
    ["parameter", "group", "input", "output", "random", "service", "requires", "query", "skip"];

/// Keys that a component has whatever its type.
const RESERVED: [&str; 10] =
    ["type", "in", "rate", "delay", "timing", "placement", "enabled", "count", "priority", "bind"];

/// The fields of a struct that has names for them.
pub fn parts(input: &DeriveInput) -> syn::Result<Vec<Part>> {
    if !input.generics.params.is_empty() {
        let text = "a component type is one type: no generics";
        return Err(Error::new_spanned(&input.generics, text));
    }
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "this must be a struct"));
    };
    match &data.fields {
        Fields::Named(fields) => fields.named.iter().map(part).collect(),
        Fields::Unit => Ok(Vec::new()),
        Fields::Unnamed(fields) => {
            Err(Error::new_spanned(fields, "name the fields: users see their names"))
        }
    }
}

fn part(field: &Field) -> syn::Result<Part> {
    let Some(ident) = field.ident.clone() else {
        return Err(Error::new_spanned(field, "name the field: users see its name"));
    };
    let is_role = |a: &&Attribute| ROLES.iter().any(|role| a.path().is_ident(role));
    let mut roles = field.attrs.iter().filter(is_role);
    let attribute = roles.next();
    if let Some(second) = roles.next() {
        return Err(Error::new_spanned(second, "a field is one thing only"));
    }
    let mut name = ident.unraw().to_string();
    let role = match attribute {
        None => Role::State,
        Some(attribute) => {
            let mut entries = Entries::of(attribute)?;
            if let Some(other) = entries.text("name")? {
                name = other.value();
            }
            let role = role(attribute, &mut entries)?;
            entries.finish(known(&role))?;
            role
        }
    };
    if matches!(role, Role::Parameter(_) | Role::Group) && RESERVED.contains(&name.as_str()) {
        let text =
            format!("every component has a key `{name}` already: call this parameter otherwise");
        return Err(Error::new(ident.span(), text));
    }
    Ok(Part { ident, ty: field.ty.clone(), name, doc: doc(&field.attrs), role })
}

fn role(attribute: &Attribute, entries: &mut Entries) -> syn::Result<Role> {
    let is = |name: &str| attribute.path().is_ident(name);
    if is("parameter") {
        let parameter = ParameterAttribute {
            unit: entries.unit()?,
            default: entries.expression("default")?,
            min: entries.expression("min")?,
            max: entries.expression("max")?,
            above: entries.expression("above")?,
            below: entries.expression("below")?,
            fixed: entries.flag("fixed")?,
        };
        for (one, other, end) in [
            (&parameter.min, &parameter.above, "`min` or `above`"),
            (&parameter.max, &parameter.below, "`max` or `below`"),
        ] {
            if let (Some(_), Some(second)) = (one, other) {
                return Err(Error::new_spanned(second, format!("give {end}, not both")));
            }
        }
        Ok(Role::Parameter(Box::new(parameter)))
    } else if is("input") {
        Ok(Role::Input(Box::new(InputAttribute {
            units: entries.units("unit")?,
            frame: entries.text("frame")?,
            default: entries.expression("default")?,
            waking: entries.flag("waking")?,
            index: entries.expression("index")?,
        })))
    } else if is("output") {
        Ok(Role::Output(Box::new(OutputAttribute {
            units: entries.units("unit")?,
            frame: entries.text("frame")?,
            initial: entries.expression("initial")?,
            state: entries.expression("state")?,
            event: entries.expression("event")?,
        })))
    } else if is("service") {
        let (units, positive) = (entries.units("units")?, entries.text("positive")?);
        Ok(Role::Service { units, positive })
    } else if is("requires") {
        let (units, optional) = (entries.units("units")?, entries.flag("optional")?);
        Ok(Role::Requires { units, optional })
    } else if is("group") {
        Ok(Role::Group)
    } else if is("random") {
        Ok(Role::Random)
    } else if is("query") {
        Ok(Role::Query)
    } else {
        Ok(Role::Skip)
    }
}

/// What the attribute of a role may say.
fn known(role: &Role) -> &'static str {
    match role {
        Role::Parameter(_) => {
            "`name`, `unit`, `default`, `min`, `max`, `above`, `below` and `fixed`"
        }
        Role::Input(_) => "`name`, `unit`, `frame`, `default`, `waking` and `index`",
        Role::Output(_) => "`name`, `unit`, `frame`, `initial`, `state` and `event`",
        Role::Service { .. } => "`name`, `units` and `positive`",
        Role::Requires { .. } => "`name`, `units` and `optional`",
        Role::Group | Role::Random | Role::Query => "`name`",
        Role::State | Role::Skip => "nothing",
    }
}
