//! Which document an answer is: the first field of every JSON answer names its kind and version.
//!
//! Each kind is a type of its own without content, so that an answer cannot be read as another one:
//! a text that is not exactly the expected one is refused.

/// Makes the type that stands for one kind of document, `mingle.<kind>/<version>`.
macro_rules! schema {
    ($(#[$about:meta])* $name:ident, $text:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl $name {
            /// What stands in the document.
            pub const TEXT: &'static str = $text;
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(Self::TEXT)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let found = String::deserialize(deserializer)?;
                if found == Self::TEXT {
                    Ok(Self)
                } else {
                    let expected = format!("this is no document of the kind {}", Self::TEXT);
                    Err(serde::de::Error::custom(expected))
                }
            }
        }
    };
}

pub(crate) use schema;
