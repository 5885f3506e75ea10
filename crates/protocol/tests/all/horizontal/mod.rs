//! n providers and a board, from outside.

mod against_central;
mod disk;
mod network;
mod world;
