//! Names of registers and bits (MPU-9250 register map, RM-MPU-9250A-00, revision 1.6).
#![allow(missing_docs)]

pub const XG_OFFSET_H: u8 = 0x13;
pub const SMPLRT_DIV: u8 = 0x19;
pub const CONFIG: u8 = 0x1A;
pub const GYRO_CONFIG: u8 = 0x1B;
pub const ACCEL_CONFIG: u8 = 0x1C;
pub const ACCEL_CONFIG2: u8 = 0x1D;
pub const FIFO_EN: u8 = 0x23;
pub const I2C_MST_CTRL: u8 = 0x24;
pub const I2C_SLV0_ADDR: u8 = 0x25;
pub const I2C_SLV4_ADDR: u8 = 0x31;
pub const I2C_SLV4_REG: u8 = 0x32;
pub const I2C_SLV4_DO: u8 = 0x33;
pub const I2C_SLV4_CTRL: u8 = 0x34;
pub const I2C_SLV4_DI: u8 = 0x35;
pub const I2C_MST_STATUS: u8 = 0x36;
pub const INT_PIN_CFG: u8 = 0x37;
pub const INT_ENABLE: u8 = 0x38;
pub const INT_STATUS: u8 = 0x3A;
pub const ACCEL_XOUT_H: u8 = 0x3B;
pub const EXT_SENS_DATA_00: u8 = 0x49;
pub const EXT_SENS_DATA_23: u8 = 0x60;
pub const I2C_SLV0_DO: u8 = 0x63;
pub const I2C_MST_DELAY_CTRL: u8 = 0x67;
pub const SIGNAL_PATH_RESET: u8 = 0x68;
pub const USER_CTRL: u8 = 0x6A;
pub const PWR_MGMT_1: u8 = 0x6B;
pub const PWR_MGMT_2: u8 = 0x6C;
pub const FIFO_COUNTH: u8 = 0x72;
pub const FIFO_COUNTL: u8 = 0x73;
pub const FIFO_R_W: u8 = 0x74;
pub const WHO_AM_I: u8 = 0x75;
pub const XA_OFFSET_H: u8 = 0x77;

/// What `WHO_AM_I` reads.
pub const IDENTITY: u8 = 0x71;

/// Bits of `CONFIG`.
pub const FIFO_STOPS_WHEN_FULL: u8 = 0x40;
/// Bits of `ACCEL_CONFIG2`.
pub const ACCEL_BYPASS: u8 = 0x08;
/// Bits of `INT_PIN_CFG`.
pub const PIN_ACTIVE_LOW: u8 = 0x80;
pub const PIN_LATCHED: u8 = 0x20;
pub const ANY_READ_CLEARS: u8 = 0x10;
pub const BYPASS: u8 = 0x02;
/// Bits of `INT_STATUS` and `INT_ENABLE`.
pub const DATA_READY: u8 = 0x01;
pub const FIFO_OVERFLOW: u8 = 0x10;
/// Bits of `USER_CTRL`.
pub const FIFO_ENABLED: u8 = 0x40;
pub const MASTER_ENABLED: u8 = 0x20;
pub const I2C_DISABLED: u8 = 0x10;
pub const FIFO_RESET: u8 = 0x04;
pub const MASTER_RESET: u8 = 0x02;
pub const SIGNAL_RESET: u8 = 0x01;
/// Bits of `PWR_MGMT_1`.
pub const DEVICE_RESET: u8 = 0x80;
pub const SLEEP: u8 = 0x40;
pub const GYRO_STANDBY: u8 = 0x10;
/// A slave is enabled; an address is read.
pub const ENABLED: u8 = 0x80;

/// The value of every register after a reset, but for the factory's offsets.
pub fn after_reset() -> Vec<u8> {
    let mut registers = vec![0; 128];
    registers[usize::from(PWR_MGMT_1)] = 0x01;
    registers[usize::from(WHO_AM_I)] = IDENTITY;
    registers
}

/// Whether writing has no effect.
pub fn is_read_only(register: u8) -> bool {
    matches!(register, I2C_SLV4_DI | I2C_MST_STATUS | INT_STATUS..=EXT_SENS_DATA_23)
        || matches!(register, FIFO_COUNTH | FIFO_COUNTL | WHO_AM_I)
}
