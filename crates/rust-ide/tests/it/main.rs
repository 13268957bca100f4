//! What names mean, asked as users do: by place. `$0` stands before each name that is asked about.

mod changes;
mod hostile;
mod kit;
mod names;
mod projects;
