//! Checking a release of noisy counts: is it whole, and could a mechanism have put it out?
