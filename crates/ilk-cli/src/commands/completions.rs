//! `ilk completions` and `ilk man`: completions for shells, and pages for `man`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use ilk_io::write_file;

use crate::args::Cli;
use crate::failure::Usage;
use crate::terminal::{self, Terminal};

#[derive(Debug, Args)]
#[command(
    after_help = "bash: ilk completions bash > ~/.local/share/bash-completion/completions/ilk\n\
                  zsh:  ilk completions zsh > \"${fpath[1]}/_ilk\"\n\
                  fish: ilk completions fish > ~/.config/fish/completions/ilk.fish"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ilk", &mut script);
    terminal::result(|out| out.write_all(&script))
}

#[derive(Debug, Args)]
#[command(after_help = "To read a page without installing it: ilk man cluster | man -l -")]
pub(crate) struct ManArgs {
    /// The command whose page is wanted [default: the page of `ilk`]
    #[arg(conflicts_with = "out")]
    command: Option<String>,
    /// Folder to write the pages of all commands to, such as ~/.local/share/man/man1; made if it does not exist
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn man(args: &ManArgs, terminal: &Terminal) -> Result<()> {
    let mut ilk = Cli::command().disable_help_subcommand(true);
    // Options that all commands share are on all pages.
    ilk.build();
    if let Some(folder) = &args.out {
        return write_pages(&ilk, folder, terminal);
    }
    let named = args.command.as_ref().map(|name| {
        let names = || ilk.get_subcommands().map(Command::get_name).collect::<Vec<_>>().join(", ");
        ilk.find_subcommand(name)
            .cloned()
            .ok_or_else(|| Usage(format!("there is no command {name:?}; there are {}", names())))
    });
    let command = named.transpose()?.unwrap_or(ilk);
    let page = page(command)?;
    terminal::result(|out| out.write_all(&page))
}

fn write_pages(ilk: &Command, folder: &Path, terminal: &Terminal) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|source| ilk_io::Error::CannotWrite { path: folder.to_owned(), source })?;
    for command in std::iter::once(ilk).chain(ilk.get_subcommands()) {
        let page = page(command.clone())?;
        let path = folder.join(format!("{}.1", page_name(command)));
        write_file(&path, |out: &mut dyn Write| out.write_all(&page))?;
        terminal.info(format!("wrote        {}", path.display()));
    }
    Ok(())
}

/// `ilk-cluster` for `ilk cluster`.
fn page_name(command: &Command) -> String {
    command.get_display_name().unwrap_or("ilk").to_owned()
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
