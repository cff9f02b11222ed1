// The autopilot: starts everything, then runs its loop for ever.
#include "board.h"
#include "chips/ak8963.h"
#include "chips/gnss.h"
#include "chips/mpu9250.h"
#include "chips/ms5611.h"
#include "drivers/gpio.h"
#include "drivers/pwm.h"
#include "drivers/registers.h"
#include "drivers/system.h"
#include "drivers/timer.h"
#include "drivers/watchdog.h"
#include "link/ports.h"
#include "navigation/failsafes.h"
#include "navigation/mission.h"
#include "navigation/modes.h"
#include "navigation/sensing.h"
#include "system/announcements.h"
#include "system/memory.h"
#include "system/scheduler.h"
#include "system/trap.h"

#define WATCHDOG_TIME 500 // ms

static struct scheduler scheduler;
static uint64_t idle_before, measured_at;

static void read_compass(void)
{
    struct vector3 field;
    if (vehicle.chip_compass && ak8963_read(&field))
        sensing_take_field(field);
}

static void read_barometer(void)
{
    float pressure;
    if (vehicle.chip_barometer && ms5611_poll(timer_micros(), &pressure))
        sensing_take_pressure(pressure);
}

static void read_gnss(void)
{
    struct gnss_fix fix;
    if (gnss_poll(timer_micros(), &fix))
        sensing_take_fix(&fix);
}

static void check_registers(void)
{
    mpu9250_check_next_register();
    vehicle.register_errors = mpu9250_register_errors();
}

// The part of the time that was not spent waiting, once a second.
static void measure_load(void)
{
    uint64_t now = timer_micros();
    uint32_t elapsed = (uint32_t)(now - measured_at);
    if (elapsed > 0)
        vehicle.load = 1.0f - (float)(uint32_t)(scheduler.idle - idle_before) / (float)elapsed;
    vehicle.task_slips = scheduler.slips;
    vehicle.long_loops = scheduler.long_loops;
    idle_before = scheduler.idle;
    measured_at = now;
}

// Blinks while it waits, is on when armed.
static void blink(void)
{
    gpio_write(BOARD_STATUS_LED, vehicle.armed || vehicle.now / 500000 % 2 == 0);
}

// The most important first.
static const struct task tasks[] = {
    {"barometer", read_barometer, 0, 60},
    {"gnss", read_gnss, 200, 200},
    {"compass", read_compass, 100, 350},
    {"receive", ports_receive, 400, 300},
    {"watch sensors", sensing_watch, 10, 200},
    {"failsafes", failsafes_step, FAILSAFES_RATE, 100},
    {"send", ports_send, 200, 400},
    {"check registers", check_registers, 20, 100},
    {"led", blink, 10, 50},
    {"load", measure_load, 1, 50},
};

static void report_start(void)
{
    struct trap_report trap;
    if (trap_take_report(&trap)) {
        struct text text = {.length = 0};
        text_append(&text, "Trap ");
        text_append_integer(&text, (int32_t)trap.cause);
        text_append(&text, " at ");
        text_append_hexadecimal(&text, trap.program_counter);
        text_append(&text, " address ");
        text_append_hexadecimal(&text, trap.value);
        announce_text(SEVERITY_EMERGENCY, &text);
    }
    if (system_reset_cause() == RESET_WATCHDOG)
        announce(SEVERITY_CRITICAL, "Reset by watchdog");
    if (!vehicle.chip_imu)
        announce(SEVERITY_CRITICAL, "MPU-9250 not found");
    if (!vehicle.chip_compass)
        announce(SEVERITY_CRITICAL, "AK8963 not found");
    if (!vehicle.chip_barometer)
        announce(SEVERITY_CRITICAL, "MS5611 not found");
}

static void begin(void)
{
    // First of all: whatever hangs from here on, a chip or a trap, ends in a reset.
    watchdog_begin(WATCHDOG_TIME);
    extern char heap_start[];
    heap_begin((uintptr_t)heap_start, RAM_BASE + system_ram_size());
#ifdef VEHICLE_PLANE
    pwm_begin(BOARD_SERVO_PWM_HZ);
#else
    pwm_begin(BOARD_MOTOR_PWM_HZ);
#endif
    modes_armed(false);
    vehicle.chip_imu = mpu9250_begin();
    watchdog_feed();
    vehicle.chip_compass = vehicle.chip_imu && ak8963_begin();
    watchdog_feed();
    vehicle.chip_barometer = ms5611_begin();
    watchdog_feed();
    gnss_begin(timer_micros());
    ports_begin(system_unique());
    mission_begin();
    report_start();
    scheduler_begin(&scheduler, tasks, sizeof tasks / sizeof tasks[0], timer_micros());
}

static void write_outputs(void)
{
    for (unsigned i = 0; i < OUTPUTS; i++)
        pwm_write(i, vehicle.output[i]);
}

// Every loop: gyroscope, outputs, estimate, mode. Outputs use this loop's gyroscope and the last loop's demands.
static void run_fast_tasks(void)
{
    struct imu_reading imu;
    bool fresh = vehicle.chip_imu && mpu9250_read(&imu);
    if (fresh) {
        modes_output(imu.angular_velocity, scheduler.loop_dt);
        write_outputs();
        float dt = imu.lost ? scheduler.loop_dt : (float)imu.samples * MPU9250_SAMPLE_TIME;
        sensing_take_imu(imu.angular_velocity, imu.specific_force, dt);
    }
    modes_step(scheduler.loop_dt);
}

int main(void)
{
    begin();
    for (;;) {
        uint64_t before = timer_micros();
        timer_wait_until(scheduler.next_at);
        uint64_t now = timer_micros();
        scheduler.idle += now - before;
        scheduler_loop_began(&scheduler, now);
        vehicle.now = now;
        vehicle.loop_rate = scheduler.loop_rate;
        watchdog_feed();
        run_fast_tasks();
        scheduler_run(&scheduler);
    }
}
