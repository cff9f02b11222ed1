//! Bodies together in one world: flight, contact, joints, islands.
