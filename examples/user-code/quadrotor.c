/* A quadrotor as Simulink generates a model: functions without arguments, global structs.
 *
 * North, east, down; body forward, starboard, down. Rotor i at (x, y) turns at w:
 *
 *     w'     = (command - w) / tau            tau differs for speeding up and slowing down
 *     thrust = k w^2                          up, that is against the third axis of the body
 *     moment = c thrust                       about the third axis, against its turning
 *
 *     m v' = m g + R f,    J r' = M - r x J r,    q' = q (0, r) / 2
 *
 * advanced by the fourth-order Runge-Kutta method. There is no drag and no ground. The constants are those of
 * the x500 that PX4 flies in its simulator (mass with its four rotors).
 *
 *     cc -shared -fPIC -O2 -ffp-contract=off -o quadrotor.so quadrotor.c -lm
 */
#include <math.h>

typedef double real_T;
typedef unsigned int uint32_T;
typedef unsigned char boolean_T;

typedef struct {
    real_T motors[4];            /* commanded speeds, rad/s */
    boolean_T armed;
} ExtU_quad_T;

typedef struct {
    real_T position[3];          /* m, north east down */
    real_T velocity[3];          /* m/s, north east down */
    real_T attitude[4];          /* w x y z: from the body to north east down */
    real_T rates[3];             /* rad/s, body */
    real_T speeds[4];            /* rad/s */
    uint32_T steps;
} ExtY_quad_T;

typedef struct {
    real_T mass;                 /* kg */
    real_T inertia[3];           /* kg m^2 */
    real_T arm[2];               /* forward and starboard distance of the rotors, m */
    real_T thrust_constant;      /* N s^2 */
    real_T moment_constant;      /* m */
    real_T up;                   /* time constants of the motors, s */
    real_T down;
    real_T largest;              /* rad/s */
    real_T start[3];             /* m */
} P_quad_T;

typedef struct {
    real_T x[17];                /* position, velocity, attitude, rates, speeds of the motors */
    uint32_T steps;
} DW_quad_T;

ExtU_quad_T quad_U;
ExtY_quad_T quad_Y;
DW_quad_T quad_DW;
P_quad_T quad_P = {
    2.064308, {0.021667, 0.021667, 0.04}, {0.174, 0.174}, 8.54858e-6, 0.016, 0.0125, 0.025, 1000.0,
    {0.0, 0.0, 0.0},
};

static const real_T STEP = 0.001;
static const real_T GRAVITY = 9.80665;

/* Where the rotors are, as signs of the arms, and which way their moment turns the body. */
static const real_T ROTORS[4][3] = {
    {1.0, 1.0, 1.0}, {-1.0, -1.0, 1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0},
};

static void derivative(const real_T x[17], real_T dx[17]) {
    const real_T *v = x + 3, *q = x + 6, *r = x + 10, *w = x + 13;
    real_T force = 0.0, moment[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        real_T thrust = quad_P.thrust_constant * w[i] * w[i];
        force += thrust;
        moment[0] -= ROTORS[i][1] * quad_P.arm[1] * thrust;
        moment[1] += ROTORS[i][0] * quad_P.arm[0] * thrust;
        moment[2] += ROTORS[i][2] * quad_P.moment_constant * thrust;
        real_T command = quad_U.armed ? quad_U.motors[i] : 0.0;
        command = fmin(fmax(command, 0.0), quad_P.largest);
        dx[13 + i] = (command - w[i]) / (command > w[i] ? quad_P.up : quad_P.down);
    }
    /* The third column of the rotation: where the body's down points. */
    real_T down[3] = {
        2.0 * (q[1] * q[3] + q[0] * q[2]),
        2.0 * (q[2] * q[3] - q[0] * q[1]),
        1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]),
    };
    for (int i = 0; i < 3; i++) {
        dx[i] = v[i];
        dx[3 + i] = -force / quad_P.mass * down[i] + (i == 2 ? GRAVITY : 0.0);
    }
    dx[6] = 0.5 * (-q[1] * r[0] - q[2] * r[1] - q[3] * r[2]);
    dx[7] = 0.5 * (q[0] * r[0] + q[2] * r[2] - q[3] * r[1]);
    dx[8] = 0.5 * (q[0] * r[1] + q[3] * r[0] - q[1] * r[2]);
    dx[9] = 0.5 * (q[0] * r[2] + q[1] * r[1] - q[2] * r[0]);
    const real_T *j = quad_P.inertia;
    dx[10] = (moment[0] - (j[2] - j[1]) * r[1] * r[2]) / j[0];
    dx[11] = (moment[1] - (j[0] - j[2]) * r[2] * r[0]) / j[1];
    dx[12] = (moment[2] - (j[1] - j[0]) * r[0] * r[1]) / j[2];
}

static void show(void) {
    const real_T *x = quad_DW.x;
    for (int i = 0; i < 3; i++) {
        quad_Y.position[i] = x[i];
        quad_Y.velocity[i] = x[3 + i];
        quad_Y.rates[i] = x[10 + i];
    }
    for (int i = 0; i < 4; i++) {
        quad_Y.attitude[i] = x[6 + i];
        quad_Y.speeds[i] = x[13 + i];
    }
    quad_Y.steps = quad_DW.steps;
}

void quad_initialize(void) {
    for (int i = 0; i < 17; i++) quad_DW.x[i] = 0.0;
    for (int i = 0; i < 3; i++) quad_DW.x[i] = quad_P.start[i];
    quad_DW.x[6] = 1.0;
    quad_DW.steps = 0;
}

/* Shows the outputs of this instant and goes on to the next. */
void quad_step(void) {
    show();
    real_T *x = quad_DW.x, at[17], slopes[4][17];
    derivative(x, slopes[0]);
    for (int i = 0; i < 17; i++) at[i] = x[i] + 0.5 * STEP * slopes[0][i];
    derivative(at, slopes[1]);
    for (int i = 0; i < 17; i++) at[i] = x[i] + 0.5 * STEP * slopes[1][i];
    derivative(at, slopes[2]);
    for (int i = 0; i < 17; i++) at[i] = x[i] + STEP * slopes[2][i];
    derivative(at, slopes[3]);
    for (int i = 0; i < 17; i++)
        x[i] += STEP / 6.0 * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]);
    real_T length = sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
    for (int i = 6; i < 10; i++) x[i] /= length;
    quad_DW.steps++;
}

void quad_terminate(void) {}
