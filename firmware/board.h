// Wiring of the board: what is connected where. The peripherals are described in docs/src/computer.md.
#ifndef BOARD_H
#define BOARD_H

#define BOARD_IMU_SPI 0              // MPU-9250, with an AK8963 behind its auxiliary bus
#define BOARD_IMU_CHIP_SELECT 0
#define BOARD_BAROMETER_I2C 0        // MS5611
#define BOARD_BAROMETER_ADDRESS 0x77
#define BOARD_TELEMETRY_UART 0       // radio
#define BOARD_TELEMETRY_BAUD 57600
#define BOARD_GNSS_UART 1
#define BOARD_STATUS_LED (1u << 0)   // GPIO output

#define BOARD_MOTOR_PWM_HZ 400       // multirotor: channels 0 to 3
#define BOARD_SERVO_PWM_HZ 50        // plane: aileron, elevator, throttle, rudder

// The axes of the MPU-9250 as it is mounted: x_body = chip y, y_body = chip x, z_body = -chip z.
#define BOARD_FROM_IMU(x, y, z) ((struct vector3){(y), (x), -(z)})
// The AK8963 is turned against the MPU-9250 in the same package: its x is chip y, its y is chip x, its z is
// -chip z. These are the axes of the body already.
#define BOARD_FROM_COMPASS(x, y, z) ((struct vector3){(x), (y), (z)})

#endif
