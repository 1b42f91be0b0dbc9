//! Python module `ilk._core`.
