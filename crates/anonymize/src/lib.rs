//! anonymize
