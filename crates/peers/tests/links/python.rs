//! Peers in Python.
