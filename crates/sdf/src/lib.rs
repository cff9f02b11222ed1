//! SDF files as the users of Gazebo have them: worlds and models, resolved, with the place of everything.
