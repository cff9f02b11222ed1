// The kind of work that a flight controller does: an attitude filter, a mixer, a check sequence, and a
// peripheral that is polled. The device at 0x10000000 says how often. `workload.txt` is this, compiled:
//
//   riscv64-unknown-elf-gcc -O2 -march=rv32imafc_zicsr -mabi=ilp32f -nostdlib -ffreestanding -static -msmall-data-limit=0 -Wl,--no-relax
//     -Wl,--section-start=.start=0x20000000,-Ttext=0x20000020,-Tbss=0x80001000 workload.c -o workload.elf
//   riscv64-unknown-elf-objcopy -O binary workload.elf workload.bin
//   od -An -v -tx4 -w32 workload.bin > workload.txt

#define STATUS (*(volatile unsigned *)0x10000000)

static float attitude[4], bias[3], motors[4];
static unsigned char frame[64];
static unsigned noise;

static float root(float x) {
    float result;
    __asm__("fsqrt.s %0, %1" : "=f"(result) : "f"(x));
    return result;
}

static float draw(void) {
    noise = noise * 1664525u + 1013904223u;
    return (float)(int)(noise >> 8) * (1.0f / 16777216.0f) - 0.5f;
}

static unsigned check_sequence(const unsigned char *bytes, int count) {
    unsigned rest = ~0u;
    for (int i = 0; i < count; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            rest = (rest >> 1) ^ (0xedb88320u & -(rest & 1));
    }
    return ~rest;
}

// Mahony's filter: the gyro is corrected by the direction that gravity should have.
static void filter(const float *gyro, const float *acceleration) {
    float *q = attitude;
    float x = acceleration[0], y = acceleration[1], z = acceleration[2];
    float length = root(x * x + y * y + z * z);
    if (length < 0.01f)
        return;
    x /= length, y /= length, z /= length;
    float down_x = 2 * (q[1] * q[3] - q[0] * q[2]);
    float down_y = 2 * (q[0] * q[1] + q[2] * q[3]);
    float down_z = q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3];
    float error[3] = {y * down_z - z * down_y, z * down_x - x * down_z, x * down_y - y * down_x};
    float rate[3];
    for (int i = 0; i < 3; i++) {
        bias[i] += 0.0001f * error[i];
        rate[i] = 0.0005f * (gyro[i] + error[i] + bias[i]);
    }
    float a = q[0], b = q[1], c = q[2], d = q[3];
    q[0] = a - b * rate[0] - c * rate[1] - d * rate[2];
    q[1] = b + a * rate[0] + c * rate[2] - d * rate[1];
    q[2] = c + a * rate[1] - b * rate[2] + d * rate[0];
    q[3] = d + a * rate[2] + b * rate[1] - c * rate[0];
    float scale = 1.0f / root(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

static void mix(void) {
    float roll = attitude[1], pitch = attitude[2], yaw = attitude[3];
    motors[0] = 0.5f + roll - pitch + yaw;
    motors[1] = 0.5f - roll + pitch + yaw;
    motors[2] = 0.5f + roll + pitch - yaw;
    motors[3] = 0.5f - roll - pitch - yaw;
    for (int i = 0; i < 4; i++) {
        float motor = motors[i] < 0 ? 0 : motors[i] > 1 ? 1 : motors[i];
        int width = (int)(motor * 1000.0f);
        frame[2 * i] = width, frame[2 * i + 1] = width >> 8;
    }
}

__attribute__((used)) void work(void) {
    attitude[0] = 1;
    for (;;) {
        float gyro[3] = {draw(), draw(), draw()};
        float acceleration[3] = {draw(), draw(), 9.8f + draw()};
        filter(gyro, acceleration);
        mix();
        for (unsigned polls = STATUS; polls > 0; polls--)
            noise += STATUS;
        frame[24] = check_sequence(frame, 24);
    }
}

// Turns floating point on.
__attribute__((naked, section(".start"))) void _start(void) {
    __asm__("li t0, 0x6000\n csrs mstatus, t0\n li sp, 0x80001000\n tail work");
}
