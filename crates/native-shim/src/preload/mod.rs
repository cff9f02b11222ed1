//! The library that is preloaded into the program.
