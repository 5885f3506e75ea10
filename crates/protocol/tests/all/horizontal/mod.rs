//! n providers and a board, from outside.

mod against_central;
mod disk;
mod faults;
mod hostile;
mod network;
mod seen;
mod tasks;
mod wire;
mod world;
