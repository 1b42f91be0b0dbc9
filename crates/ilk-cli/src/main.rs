//! The command `ilk`; all of it is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ilk_cli::run(std::env::args_os()))
}
