//! File formats of ilk.
