//! A program that talks to chips.

use ironbird_kernel::Time;
use ironbird_test_rig::{seconds, text};

use crate::programs::{compile, rig, words};

const BAROMETER: &str = r#"
int main(void) {
    int bus = open("/dev/i2c-1", O_RDWR);
    uint8_t command = 0xA2, word[2] = {0};
    struct i2c_msg parts[2] = {{0x77, 0, 1, &command}, {0x77, I2C_M_RD, 2, word}};
    struct i2c_rdwr_ioctl_data transfer = {parts, 2};
    pause_us(5000); // after power on it loads its calibration
    uint64_t begin = now_us();
    int done = ioctl(bus, I2C_RDWR, &transfer);
    say("%d %u %llu", done, word[0] << 8 | word[1], (unsigned long long)(now_us() - begin));
    parts[0].addr = parts[1].addr = 0x10;
    done = ioctl(bus, I2C_RDWR, &transfer);
    say("%d %s", done, strerror(errno));
    for (;;) pause_us(1000000);
}
"#;

const INERTIAL: &str = r#"
int main(void) {
    int chip = open("/dev/spidev0.1", O_RDWR);
    uint8_t written[2] = {0x80 | 0x75, 0}, read[2] = {0};
    struct spi_ioc_transfer transfer = {
        .tx_buf = (uintptr_t)written, .rx_buf = (uintptr_t)read, .len = 2, .speed_hz = 1000000, .bits_per_word = 8};
    int done = ioctl(chip, SPI_IOC_MESSAGE(1), &transfer);
    say("%d 0x%02x", done, read[1]);
    for (;;) pause_us(1000000);
}
"#;

#[test]
fn a_barometer_answers_on_i2c_and_an_empty_address_does_not() {
    let Some(program) = compile(BAROMETER) else { return };
    let mut rig = rig(&program, &[("devices", text("/dev/i2c-1 = i2c[0]"))]);
    let place = [("bus", text("i2c")), ("chip", ironbird_kernel::Parameter::Integer(0x77))];
    rig.add("barometer", "device.ms5611", &place);
    rig.script("pressure", &[(Time::ZERO, 1e5)]);
    rig.script("temperature", &[(Time::ZERO, 293.15)]);
    rig.link("pressure.out", "barometer.pressure");
    rig.link("temperature.out", "barometer.temperature");
    rig.link("computer.i2c[0].request", "barometer.request");
    rig.link("barometer.reply", "computer.i2c[0].reply");
    let said = words(&rig.run(seconds(0.5), &["computer.udp[0].sent"]));
    // The data sheet's calibration; 48 bits at 400 kHz, 5 us, and what the calls take.
    assert_eq!(said[0].1.split(' ').take(2).collect::<Vec<_>>(), ["2", "40127"]);
    let took: u64 = said[0].1.rsplit(' ').next().and_then(|us| us.parse().ok()).expect("a number");
    assert!((125..=127).contains(&took), "{took} us");
    assert!(said[1].1.starts_with("-1 "), "{}", said[1].1);
}

#[test]
fn a_chip_on_spi_is_selected_by_the_path() {
    let Some(program) = compile(INERTIAL) else { return };
    for (select, expected) in [(1, "2 0x71"), (0, "2 0xff")] {
        let mut rig = rig(&program, &[("devices", text("/dev/spidev0.1 = spi[0] chip 1"))]);
        let place = [("chip", ironbird_kernel::Parameter::Integer(select))];
        rig.add("imu", "device.mpu9250", &place);
        for (name, value) in [
            ("angular_velocity", [0.0; 3]),
            ("specific_force", [0.0, 0.0, -9.81]),
            ("magnetic_field", [2e-5, 0.0, 4e-5]),
        ] {
            rig.script(name, &[(Time::ZERO, value)]);
            rig.link(&format!("{name}.out"), &format!("imu.{name}"));
        }
        rig.link("computer.spi[0].request", "imu.request");
        rig.link("imu.reply", "computer.spi[0].reply");
        let said = words(&rig.run(seconds(0.5), &["computer.udp[0].sent"]));
        assert_eq!(said[0].1, expected);
    }
}
