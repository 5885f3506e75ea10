//! n providers and a board, from outside.

mod against_central;
mod disk;
mod faults;
mod hostile;
mod network;
mod noisy;
mod seen;
mod tasks;
mod wire;
mod world;
