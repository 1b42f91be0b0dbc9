//! Multilevel clustering of graphs.

mod agglomerate;
mod apart;
mod coarsen;
mod fit;
mod grow;
mod level;
mod params;
mod partition;
mod refine;
mod said;
mod tally;
mod watch;

pub use params::Multilevel;
pub use said::Said;
