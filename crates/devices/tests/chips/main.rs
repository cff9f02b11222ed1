//! Chips as their drivers see them.

mod ak8963;
mod bench;
mod checkpoint;
mod driver;
mod esc_and_servo;
mod faults;
mod gnss;
mod host;
mod hostile;
mod mpu9250;
mod mpu9250_golden;
mod ms5611;
mod nmea_parser;
mod pca9685;
mod rounding;
mod types;
