//! The fixture language of the test suites: many files in one text.
