//! The declarations: one for a struct of parameters, one for a choice among words.

/// Declares a struct of parameters: fields, defaults, ranges and docs stand once.
///
/// A field is written `pub name: Type = default, in range;`. The range may be left out where the type has
/// one of its own: flags, and types made by [`choice!`](crate::choice). The first sentence of a field's doc is its
/// help text on the command line, so it says what the parameter does in plain words and without links.
///
/// Besides the struct with `Default` and serde (unknown fields are refused, absent ones are the default)
/// it yields `PARAMETERS`, the table that help texts and tests read, and `check`, which refuses the first
/// value that lies outside its range. The crate that uses it needs `serde` with `derive`.
///
/// ```
/// use ilk::parameter::Range;
///
/// ilk::parameters! {
///     /// The groups of points within a distance of each other.
///     pub struct Linkage {
///         /// Points closer than this are linked.
///         pub radius: f64 = 1.0, in Range::POSITIVE;
///         /// Whether single points are groups.
///         pub keep_singletons: bool = true;
///     }
/// }
///
/// assert_eq!(Linkage::PARAMETERS[0].name, "radius");
/// assert_eq!(Linkage::PARAMETERS[0].default(), "1");
/// let refused = Linkage { radius: 0.0, ..Linkage::default() }.check().unwrap_err();
/// assert_eq!(refused.to_string(), "radius = 0 is out of range: it must be a number above 0");
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                pub $field:ident: $type:ty = $default:expr $(, in $range:expr)?;
            )*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            /// The parameters as data.
            pub const PARAMETERS: &'static [$crate::parameter::ParameterInfo] = &[
                $($crate::parameter::ParameterInfo {
                    name: stringify!($field),
                    doc: concat!($($doc),+).trim_ascii(),
                    range: $crate::parameters!(@range $type $(, $range)?),
                    word: <$type as $crate::parameter::ParameterValue>::WORD,
                    write_default: || {
                        let default: $type = $default;
                        $crate::parameter::ParameterValue::text(&default)
                    },
                },)*
            ];

            /// Refuses the first value that lies outside its range.
            pub fn check(&self) -> $crate::Result<()> {
                let mut table = Self::PARAMETERS.iter();
                $(
                    if let Some(parameter) = table.next() {
                        parameter.check(&self.$field)?;
                    }
                )*
                Ok(())
            }
        }
    };
    (@range $type:ty) => {
        <$type as $crate::parameter::ParameterValue>::RANGE
    };
    (@range $type:ty, $range:expr) => {
        $range
    };
}

/// Declares a parameter that is one of some words: an enum whose variants have names in files, on the
/// command line and in Python.
///
/// ```
/// ilk::choice! {
///     /// How far apart two groups are.
///     #[derive(Default)]
///     pub enum Linkage {
///         /// As far as their nearest points.
///         #[default]
///         Single = "single",
///         /// As far as their points are on average.
///         Average = "average",
///     }
/// }
///
/// assert_eq!(Linkage::NAMES, ["single", "average"]);
/// assert_eq!(Linkage::Average.to_string(), "average");
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ::serde::Serialize, ::serde::Deserialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// The names, as files and the command line write them.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The name of this one.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl $crate::parameter::ParameterValue for $name {
            const RANGE: $crate::parameter::Range = $crate::parameter::Range::Choice(Self::NAMES);

            fn text(&self) -> String {
                self.name().to_owned()
            }

            fn is_in(&self, _: &$crate::parameter::Range) -> bool {
                true
            }
        }
    };
}
