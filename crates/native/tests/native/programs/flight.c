// A multirotor that climbs to a height, stays above its start, and lands. What it knows of its motion is given.

struct motion {
    double w, x, y, z;                  // attitude, body to north-east-down
    double rates[3], position[3], velocity[3];
};

static struct {
    double integral, landed_for;
    double hover;                       // control at which it hovers, about
    double rate_gain[3];                // control per rad/s
    double lift_gain;                   // control per m/s
} flight;

static double limited(double x, double most) { return x > most ? most : x < -most ? -most : x; }

// Controls of front right, rear left, front left, rear right, from 0 to 1.
static void fly(const struct motion *m, double dt, double controls[4]) {
    if (!vehicle.armed || !vehicle.flies) {
        flight.integral = flight.landed_for = 0;
        for (int i = 0; i < 4; i++) controls[i] = 0;
        return;
    }
    double roll = atan2(2 * (m->w * m->x + m->y * m->z), 1 - 2 * (m->x * m->x + m->y * m->y));
    double pitch = asin(limited(2 * (m->w * m->y - m->z * m->x), 1));
    double yaw = atan2(2 * (m->w * m->z + m->x * m->y), 1 - 2 * (m->y * m->y + m->z * m->z));
    double wanted[2];
    for (int i = 0; i < 2; i++)
        wanted[i] = limited(1.5 * (limited(-0.7 * m->position[i], 1) - m->velocity[i]), 2);
    double forward = cos(yaw) * wanted[0] + sin(yaw) * wanted[1];
    double right = cos(yaw) * wanted[1] - sin(yaw) * wanted[0];
    double angles[3] = {right / 9.81 - roll, -forward / 9.81 - pitch, -yaw};
    double turn[3];
    for (int i = 0; i < 3; i++) {
        double rate = limited((i < 2 ? 6 : 1) * angles[i], i < 2 ? 3 : 0.5);
        turn[i] = limited(flight.rate_gain[i] * (rate - m->rates[i]), 0.15);
    }
    double height = -m->position[2], rising = -m->velocity[2];
    double climb = vehicle.lands ? (height > 1 ? -1 : -0.4) : limited(vehicle.height - height, 1);
    double missing = climb - rising;
    flight.integral = limited(flight.integral + 0.5 * flight.lift_gain * missing * dt, 0.3);
    double lift = flight.hover + flight.integral + flight.lift_gain * missing;
    if (vehicle.lands && height < 0.3 && fabs(rising) < 0.15) flight.landed_for += dt;
    else flight.landed_for = 0;
    if (flight.landed_for > 1) vehicle.armed = vehicle.flies = 0;
    double signs[4][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    for (int i = 0; i < 4; i++) {
        double sum = lift;
        for (int k = 0; k < 3; k++) sum += signs[i][k] * turn[k];
        controls[i] = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    }
}
