// The MPU-9250 reads the AK8963 by itself, every tenth sample, and keeps what it read in EXT_SENS_DATA.
#include "ak8963.h"
#include "../board.h"
#include "../drivers/timer.h"
#include "../system/memory.h"
#include "mpu9250.h"

enum { I2C_MST_CTRL = 0x24, I2C_SLV0_ADDR = 0x25, I2C_SLV0_REG = 0x26, I2C_SLV0_CTRL = 0x27, I2C_SLV4_CTRL = 0x34, I2C_MST_STATUS = 0x36, EXT_SENS_DATA_00 = 0x49, I2C_SLV0_DO = 0x63, I2C_MST_DELAY_CTRL = 0x67 };
enum { WIA = 0x00, ST1 = 0x02, CNTL1 = 0x0A, ASAX = 0x10 };

#define ADDRESS 0x0C
#define SLAVE_READ 0x80
#define SLAVE_ENABLE 0x80
#define SLAVE0_NACK 0x01
#define MODE_POWER_DOWN 0x10
#define MODE_FUSE_ROM 0x1F
#define MODE_CONTINUOUS_100_HZ 0x16 // 16 bit
#define ST1_DATA_READY 0x01
#define ST2_OVERFLOW 0x08
#define ST2_16_BIT 0x10
#define MICROTESLA_PER_LSB 0.15f

static float scale[3];
static uint8_t previous[6];

static void write_behind(uint8_t address, uint8_t value)
{
    mpu9250_write_register(I2C_SLV0_CTRL, 0);
    mpu9250_write_register(I2C_SLV0_DO, value);
    mpu9250_write_register(I2C_SLV0_ADDR, ADDRESS);
    mpu9250_write_register(I2C_SLV0_REG, address);
    mpu9250_write_register(I2C_SLV0_CTRL, SLAVE_ENABLE | 1);
    timer_wait(12000);
    mpu9250_write_register(I2C_SLV0_CTRL, 0);
}

static void start_reading(uint8_t address, uint8_t count)
{
    mpu9250_write_register(I2C_SLV0_CTRL, 0);
    mpu9250_write_register(I2C_SLV0_ADDR, ADDRESS | SLAVE_READ);
    mpu9250_write_register(I2C_SLV0_REG, address);
    mpu9250_write_register(I2C_SLV0_CTRL, SLAVE_ENABLE | count);
}

static void read_behind(uint8_t address, uint8_t *values, uint8_t count)
{
    start_reading(address, count);
    timer_wait(12000);
    mpu9250_read_registers(EXT_SENS_DATA_00, values, count);
    mpu9250_write_register(I2C_SLV0_CTRL, 0);
}

bool ak8963_begin(void)
{
    mpu9250_enable_auxiliary_bus();
    mpu9250_write_register(I2C_MST_CTRL, 0x1D);     // stop between reads, 400 kHz
    mpu9250_write_register(I2C_SLV4_CTRL, 9);       // every tenth sample,
    mpu9250_write_register(I2C_MST_DELAY_CTRL, 0x0F); // for all slaves
    uint8_t identity = 0;
    for (int tries = 0; tries < 5 && identity != 0x48; tries++)
        read_behind(WIA, &identity, 1);
    if (identity != 0x48)
        return false;
    write_behind(CNTL1, MODE_POWER_DOWN);
    write_behind(CNTL1, MODE_FUSE_ROM);
    uint8_t adjustment[3];
    read_behind(ASAX, adjustment, 3);
    // Data sheet, 8.3.11: H_adj = H ((ASA - 128) 0.5 / 128 + 1).
    for (int axis = 0; axis < 3; axis++)
        scale[axis] = MICROTESLA_PER_LSB * ((float)((int)adjustment[axis] - 128) * (0.5f / 128.0f) + 1.0f);
    write_behind(CNTL1, MODE_POWER_DOWN);
    write_behind(CNTL1, MODE_CONTINUOUS_100_HZ);
    start_reading(ST1, 8);
    return true;
}

bool ak8963_read(struct vector3 *field)
{
    uint8_t status, data[8];
    if (!mpu9250_read_registers(I2C_MST_STATUS, &status, 1) || (status & SLAVE0_NACK) != 0)
        return false;
    if (!mpu9250_read_registers(EXT_SENS_DATA_00, data, sizeof data))
        return false;
    uint8_t status2 = data[7];
    if ((status2 & (ST2_OVERFLOW | ST2_16_BIT)) != ST2_16_BIT)
        return false;
    // New if the sensor says so, or if it is not what was read last: the MPU may have read it twice since.
    bool fresh = (data[0] & ST1_DATA_READY) != 0 || memcmp(previous, data + 1, sizeof previous) != 0;
    memcpy(previous, data + 1, sizeof previous);
    if (!fresh)
        return false;
    int16_t raw[3];
    for (int axis = 0; axis < 3; axis++)
        raw[axis] = (int16_t)(data[2 + 2 * axis] << 8 | data[1 + 2 * axis]);
    if (raw[0] == 0 && raw[1] == 0 && raw[2] == 0)
        return false;
    *field = BOARD_FROM_COMPASS((float)raw[0] * scale[0], (float)raw[1] * scale[1], (float)raw[2] * scale[2]);
    return true;
}
