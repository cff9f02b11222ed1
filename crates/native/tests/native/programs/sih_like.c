// Behaves as PX4 does in its own simulator: a thread moves the vehicle 250 times a second by the time of the day, and only the
// ground station is spoken to.

static void *simulate(void *nothing) {
    struct motion m = {.w = 1};
    const double gravity = 9.80665, dt = 0.004;
    struct timespec before;
    clock_gettime(CLOCK_REALTIME, &before);
    for (;;) {
        pthread_mutex_lock(&lock);
        double controls[4], lift = 0;
        fly(&m, dt, controls);
        for (int i = 0; i < 4; i++) lift += controls[i] / 4;
        m.velocity[2] += (gravity - gravity * lift / flight.hover) * dt;
        m.position[2] += m.velocity[2] * dt;
        if (m.position[2] > 0) m.position[2] = m.velocity[2] = 0;
        vehicle.above = -m.position[2];
        pthread_mutex_unlock(&lock);
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        long took = (now.tv_sec - before.tv_sec) * 1000000 + (now.tv_nsec - before.tv_nsec) / 1000;
        if (took < 4000) usleep(4000 - took);
        clock_gettime(CLOCK_REALTIME, &before);
    }
    return nothing;
}

int main(void) {
    autopilot = 12;
    station_local = 18570;
    flight.hover = 0.5;
    flight.lift_gain = 0.08;
    vehicle.ground = 488;
    vehicle.latitude = 473977000;
    vehicle.longitude = 85456000;
    vehicle.knows_place = 1;
    start(simulate, 86);
    start(talk_to_station, 50);
    for (;;) pause();
}
