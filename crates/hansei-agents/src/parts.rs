//! Contents that may be a text, one part or a list of both, read in one pass over the line: outputs are most of a
//! transcript, and each further look at their bytes is felt.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The parts of a content. A plain text is one part; what is neither text nor part is none.
#[derive(Debug)]
pub(crate) struct Parts<P>(pub(crate) Vec<P>);

/// A part that may stand as a plain text.
pub(crate) trait FromText<'de> {
    fn from_text(text: Cow<'de, str>) -> Self;
}

impl<P> Default for Parts<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, P: Deserialize<'de> + FromText<'de>> Deserialize<'de> for Parts<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartsVisitor(PhantomData))
    }
}

struct PartsVisitor<P>(PhantomData<P>);

impl<'de, P: Deserialize<'de> + FromText<'de>> Visitor<'de> for PartsVisitor<P> {
    type Value = Parts<P>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text, a part or a list of parts")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Parts(vec![P::from_text(Cow::Borrowed(text))]))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Parts(vec![P::from_text(Cow::Owned(text))]))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Ok(Parts(vec![P::deserialize(MapAccessDeserializer::new(map))?]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(Parts(mut some)) = list.next_element::<Parts<P>>()? {
            parts.append(&mut some);
        }
        Ok(Parts(parts))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Parts::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Parts::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Parts::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Parts::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Parts::default())
    }
}

/// What a tool gave back: a text as it is, anything else as JSON.
#[derive(Debug)]
pub(crate) struct Given<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Given<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GivenVisitor)
    }
}

struct GivenVisitor;

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Given<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Given(Cow::Borrowed(text)))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Given(Cow::Owned(text)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(MapAccessDeserializer::new(map)).map(written)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(list)).map(written)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(written(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(written(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(written(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(written(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(written(value))
    }
}

fn written<'a>(value: impl Into<Value>) -> Given<'a> {
    Given(Cow::Owned(value.into().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    struct Part<'a> {
        #[serde(borrow, default)]
        text: Option<Cow<'a, str>>,
    }

    impl<'de: 'a, 'a> FromText<'de> for Part<'a> {
        fn from_text(text: Cow<'de, str>) -> Self {
            Self { text: Some(text) }
        }
    }

    #[test]
    fn every_form_of_a_content_is_read() {
        for (content, texts) in [
            (r#""plain""#, &["plain"][..]),
            (r#""a\nb""#, &["a\nb"]),
            (r#"{"text":"one"}"#, &["one"]),
            (r#"[{"text":"a"},"b",{"image":[1,{}]},[{"text":"c"}],null,3]"#, &["a", "b", "c"]),
            ("null", &[]),
            ("true", &[]),
            ("-1", &[]),
            ("1.5", &[]),
            ("[]", &[]),
        ] {
            let parts: Parts<Part<'_>> = serde_json::from_str(content).unwrap();
            let read: Vec<&str> = parts.0.iter().filter_map(|part| part.text.as_deref()).collect();
            assert_eq!(read, texts, "{content}");
        }
    }

    #[test]
    fn what_is_no_text_is_given_as_json() {
        for (json, given) in [
            (r#""a\tb""#, "a\tb"),
            (r#"{ "b": [1, 2], "a": null }"#, r#"{"b":[1,2],"a":null}"#),
            ("[ true ]", "[true]"),
            ("null", "null"),
            ("false", "false"),
            ("-3", "-3"),
            ("7", "7"),
            ("0.5", "0.5"),
        ] {
            assert_eq!(serde_json::from_str::<Given<'_>>(json).unwrap().0, given, "{json}");
        }
    }
}
