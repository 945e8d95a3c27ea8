//! Assertions about JSON and its schema. A schema is read as draft 7 unless it says otherwise; a keyword that nobody
//! knows is an error, because it would hold of everything.

use jsonschema::Draft;
use serde_json::Value;

use super::{Grade, NoGrade, braces, quoted, verdict};
use crate::yaml;

/// The answer is JSON, and of the schema if there is one.
pub fn is_json(schema: &Value, output: &str, inverse: bool) -> Result<Grade, NoGrade> {
    let parsed: Option<Value> = serde_json::from_str(output).ok();
    let schema = schema_of(schema)?;
    let (Some(parsed), Some(schema)) = (&parsed, &schema) else {
        return Ok(verdict(parsed.is_some() != inverse, || "Expected output to be valid JSON".to_owned()));
    };
    let complaint = complaint(schema, parsed)?;
    Ok(match complaint {
        Some(complaint) => verdict(inverse, || complaint),
        None => verdict(!inverse, || "Output is JSON that conforms to the provided schema".to_owned()),
    })
}

/// JSON is somewhere in the answer, and one of it of the schema if there is one.
pub fn contains_json(schema: &Value, output: &str, inverse: bool) -> Result<Grade, NoGrade> {
    let objects = braces::objects(output);
    let Some(schema) = schema_of(schema)?.filter(|_| !objects.is_empty()) else {
        return Ok(verdict(objects.is_empty() == inverse, || {
            "Expected output to contain valid JSON".to_owned()
        }));
    };
    let mut last = String::new();
    for object in &objects {
        match complaint(&schema, object)? {
            None => {
                return Ok(verdict(!inverse, || {
                    "Output contains JSON conforming to the provided schema".to_owned()
                }));
            }
            Some(complaint) => last = complaint,
        }
    }
    Ok(verdict(inverse, || last))
}

fn schema_of(value: &Value) -> Result<Option<Value>, NoGrade> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::String(text) => match yaml::parse(text, "schema") {
            Ok(schema @ (Value::Object(_) | Value::Bool(_))) => Ok(Some(schema)),
            Ok(_) => Err(NoGrade::Case("the value is no JSON schema".to_owned())),
            Err(problem) => Err(NoGrade::Case(problem.to_string())),
        },
        schema => Ok(Some(schema.clone())),
    }
}

/// What `value` does not keep of `schema`.
fn complaint(schema: &Value, value: &Value) -> Result<Option<String>, NoGrade> {
    known_keywords(schema, 0)
        .map_err(|keyword| NoGrade::Case(format!("the schema's keyword {keyword:?} is not known")))?;
    let validator = jsonschema::options()
        .with_draft(draft(schema))
        .should_validate_formats(true)
        .build(schema)
        .map_err(|error| NoGrade::Case(format!("the schema cannot be used: {error}")))?;
    let errors: Vec<String> = validator
        .iter_errors(value)
        .take(3)
        .map(|error| format!("data{} {error}", error.instance_path()))
        .collect();
    Ok((!errors.is_empty()).then(|| {
        format!("JSON does not conform to the provided schema. Errors: {}", quoted(&errors.join(", ")))
    }))
}

fn draft(schema: &Value) -> Draft {
    match schema["$schema"].as_str() {
        Some(named) if named.contains("2020-12") => Draft::Draft202012,
        Some(named) if named.contains("2019-09") => Draft::Draft201909,
        Some(named) if named.contains("draft-06") => Draft::Draft6,
        Some(named) if named.contains("draft-04") => Draft::Draft4,
        _ => Draft::Draft7,
    }
}

const PLAIN: &[&str] = &[
    "$schema", "$id", "id", "$ref", "$comment", "$anchor", "$defs", "definitions", "title", "description",
    "default", "examples", "deprecated", "readOnly", "writeOnly", "type", "enum", "const", "multipleOf",
    "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
    "format", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required",
    "dependencies", "dependentRequired", "contentEncoding", "contentMediaType", "maxContains", "minContains",
    "nullable",
];
const SCHEMAS: &[&str] = &[
    "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames",
    "then", "unevaluatedItems", "unevaluatedProperties",
];
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
const MAPS: &[&str] = &["properties", "patternProperties", "definitions", "$defs", "dependentSchemas"];

/// The first keyword that nobody knows.
fn known_keywords(schema: &Value, depth: usize) -> Result<(), String> {
    let Value::Object(fields) = schema else { return Ok(()) };
    if depth > 50 {
        return Err("a schema that deep".to_owned());
    }
    for (keyword, value) in fields {
        let word = keyword.as_str();
        if MAPS.contains(&word) {
            for schema in value.as_object().into_iter().flat_map(|map| map.values()) {
                known_keywords(schema, depth + 1)?;
            }
        } else if LISTS.contains(&word) || (word == "items" && value.is_array()) {
            for schema in value.as_array().into_iter().flatten() {
                known_keywords(schema, depth + 1)?;
            }
        } else if SCHEMAS.contains(&word) {
            known_keywords(value, depth + 1)?;
        } else if !PLAIN.contains(&word) {
            return Err(keyword.clone());
        }
    }
    Ok(())
}
