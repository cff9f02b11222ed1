// With q the attitude, R its matrix, w and a what the sensors say without their biases:
//
//   q' = q * [0, w]/2        v' = R a + g        p' = v        biases and offset: constant
//
// and for the errors, that of attitude as a small turn th about the axes of the body:
//
//   th' = -w x th - dbg      dv' = -R (a x th) - R dba      dp' = dv
#include "estimator.h"
#include "../system/memory.h"

#define N ESTIMATOR_STATES
enum { TH = 0, VE = 3, PO = 6, BG = 9, BA = 12, BO = 15 };

// Noise of the sensors as built in: densities, with room for vibration and for what the model leaves out.
#define GYRO_NOISE 0.003f        // rad/s/sqrt(Hz)
#define ACCEL_NOISE 0.06f        // m/s^2/sqrt(Hz)
#define GYRO_BIAS_WALK 2e-5f     // rad/s/sqrt(s)
#define ACCEL_BIAS_WALK 1e-3f    // m/s^2/sqrt(s)
#define BARO_OFFSET_WALK 0.01f   // m/sqrt(s)
#define HEADING_DEVIATION 0.1f   // rad
#define BARO_DEVIATION 0.4f      // m
#define GATE 5.0f                // standard deviations
#define COVARIANCE_PERIOD 0.01f  // s
#define HISTORY_PERIOD 20000u    // us
#define HISTORY_COUNT (sizeof ((struct estimator *)0)->history / sizeof ((struct estimator *)0)->history[0])
#define ACCEL_BIAS_MAX 1.0f
#define GYRO_BIAS_MAX 0.2f

static void set_variance(struct estimator *e, int first, int count, float deviation)
{
    for (int i = first; i < first + count; i++) {
        for (int j = 0; j < N; j++)
            e->covariance[i][j] = e->covariance[j][i] = 0.0f;
        e->covariance[i][i] = deviation * deviation;
    }
}

// The heading that a field tells, in the frame that `attitude` levels: yaw of the body over true north.
static float heading_of_field(struct quaternion attitude, struct vector3 field, float declination)
{
    struct euler angles = quaternion_to_euler(attitude);
    angles.yaw = 0.0f;
    struct vector3 level = quaternion_rotate(quaternion_from_euler(angles), field);
    return wrap_angle(declination - arc_tangent2(level.y, level.x));
}

void estimator_align(struct estimator *e, struct vector3 f, struct vector3 field, float declination, struct vector3 gyro_bias)
{
    memset(e, 0, sizeof *e);
    struct euler angles = {arc_tangent2(-f.y, -f.z), arc_tangent2(f.x, square_root(f.y * f.y + f.z * f.z)), 0.0f};
    e->attitude = quaternion_from_euler(angles);
    angles.yaw = heading_of_field(e->attitude, field, declination);
    e->attitude = quaternion_from_euler(angles);
    e->angles = angles;
    e->gyro_bias = gyro_bias;
    set_variance(e, TH, 2, 0.05f);
    set_variance(e, TH + 2, 1, 0.15f);
    set_variance(e, VE, 3, 1.0f);
    set_variance(e, PO, 3, 1.0f);
    set_variance(e, BG, 3, 0.005f);
    set_variance(e, BA, 3, 0.15f);
    set_variance(e, BO, 1, 0.5f);
    e->aligned = true;
}

// P <- F P F' + Q, with F as above over dt. Rows first, then columns; only nine of them change.
static void predict_covariance(struct estimator *e, struct vector3 w, struct vector3 a, float dt)
{
    float r[3][3];
    quaternion_to_matrix(e->attitude, r);
    // m = -R [a x]: column k is -R (a x e_k).
    float m[3][3];
    for (int i = 0; i < 3; i++) {
        m[i][0] = -dt * (r[i][1] * a.z - r[i][2] * a.y);
        m[i][1] = -dt * (r[i][2] * a.x - r[i][0] * a.z);
        m[i][2] = -dt * (r[i][0] * a.y - r[i][1] * a.x);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] *= -dt;
    float wx = w.x * dt, wy = w.y * dt, wz = w.z * dt;
    float (*p)[N] = e->covariance;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < N; j++) {
            float old[N], new[9];
            for (int i = 0; i < N; i++)
                old[i] = pass == 0 ? p[i][j] : p[j][i];
            new[0] = old[0] + wz * old[1] - wy * old[2] - dt * old[BG];
            new[1] = old[1] + wx * old[2] - wz * old[0] - dt * old[BG + 1];
            new[2] = old[2] + wy * old[0] - wx * old[1] - dt * old[BG + 2];
            for (int i = 0; i < 3; i++) {
                new[VE + i] = old[VE + i] + m[i][0] * old[0] + m[i][1] * old[1] + m[i][2] * old[2] + r[i][0] * old[BA] + r[i][1] * old[BA + 1] + r[i][2] * old[BA + 2];
                new[PO + i] = old[PO + i] + dt * old[VE + i];
            }
            for (int i = 0; i < 9; i++) {
                if (pass == 0)
                    p[i][j] = new[i];
                else
                    p[j][i] = new[i];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        p[TH + i][TH + i] += square(GYRO_NOISE) * dt;
        p[VE + i][VE + i] += square(ACCEL_NOISE) * dt;
        p[BG + i][BG + i] += square(GYRO_BIAS_WALK) * dt;
        p[BA + i][BA + i] += square(ACCEL_BIAS_WALK) * dt;
    }
    p[BO][BO] += square(BARO_OFFSET_WALK) * dt;
    // Rounding must not make it lopsided.
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            p[i][j] = p[j][i] = 0.5f * (p[i][j] + p[j][i]);
}

static void remember(struct estimator *e, uint64_t now)
{
    if (e->history_at != 0 && now - e->history_at < HISTORY_PERIOD)
        return;
    e->history_at = now;
    e->history[e->history_next].time = now;
    e->history[e->history_next].position = e->position;
    e->history[e->history_next].velocity = e->velocity;
    e->history_next = (e->history_next + 1) % HISTORY_COUNT;
}

void estimator_predict(struct estimator *e, struct vector3 angular_velocity, struct vector3 specific_force, float dt, uint64_t now)
{
    struct vector3 w = vector_subtract(angular_velocity, e->gyro_bias);
    struct vector3 a = vector_subtract(specific_force, e->accel_bias);
    struct vector3 turn = vector_scale(w, dt);
    // The force turned by half of the step is the mean over it.
    struct quaternion half = quaternion_multiply(e->attitude, quaternion_from_rotation(vector_scale(turn, 0.5f)));
    e->attitude = quaternion_normalize(quaternion_multiply(e->attitude, quaternion_from_rotation(turn)));
    e->angles = quaternion_to_euler(e->attitude);
    e->angular_velocity = w;
    e->acceleration = quaternion_rotate(half, a);
    e->acceleration.z += GRAVITY;
    struct vector3 before = e->velocity;
    e->velocity = vector_add(e->velocity, vector_scale(e->acceleration, dt));
    e->position = vector_add(e->position, vector_scale(vector_add(before, e->velocity), 0.5f * dt));

    e->angle_sum = vector_add(e->angle_sum, turn);
    e->velocity_sum = vector_add(e->velocity_sum, vector_scale(a, dt));
    e->time_sum += dt;
    if (e->time_sum >= COVARIANCE_PERIOD - 1e-6f) {
        float rate = 1.0f / e->time_sum;
        predict_covariance(e, vector_scale(e->angle_sum, rate), vector_scale(e->velocity_sum, rate), e->time_sum);
        e->angle_sum = e->velocity_sum = (struct vector3){0.0f, 0.0f, 0.0f};
        e->time_sum = 0.0f;
    }
    remember(e, now);
}

static struct vector3 add_error(struct vector3 v, const float *error)
{
    return (struct vector3){v.x + error[0], v.y + error[1], v.z + error[2]};
}

static void inject(struct estimator *e, const float x[N])
{
    struct vector3 turn = {x[TH], x[TH + 1], x[TH + 2]};
    e->attitude = quaternion_normalize(quaternion_multiply(e->attitude, quaternion_from_rotation(turn)));
    e->angles = quaternion_to_euler(e->attitude);
    e->velocity = add_error(e->velocity, x + VE);
    e->position = add_error(e->position, x + PO);
    e->gyro_bias = add_error(e->gyro_bias, x + BG);
    e->accel_bias = add_error(e->accel_bias, x + BA);
    float *biases[] = {&e->gyro_bias.x, &e->gyro_bias.y, &e->gyro_bias.z, &e->accel_bias.x, &e->accel_bias.y, &e->accel_bias.z};
    for (int i = 0; i < 6; i++) {
        float limit = i < 3 ? GYRO_BIAS_MAX : ACCEL_BIAS_MAX;
        *biases[i] = clamp(*biases[i], -limit, limit);
    }
    e->baro_offset += x[BO];
    // What was remembered moves along, or the same error would be seen again in the next late measurement.
    for (unsigned i = 0; i < HISTORY_COUNT; i++) {
        e->history[i].velocity = add_error(e->history[i].velocity, x + VE);
        e->history[i].position = add_error(e->history[i].position, x + PO);
    }
}

// One scalar measurement with up to three entries in its row H:
//   S = H P H' + r,  K = P H' / S,  x <- K y,  P <- P - K H P
// Returns |y| over the gate; beyond 1 nothing was done.
static float fuse(struct estimator *e, const int *index, const float *row, int count, float innovation, float variance)
{
    float (*p)[N] = e->covariance;
    float ph[N];
    for (int i = 0; i < N; i++) {
        ph[i] = 0.0f;
        for (int k = 0; k < count; k++)
            ph[i] += p[i][index[k]] * row[k];
    }
    float s = variance;
    for (int k = 0; k < count; k++)
        s += row[k] * ph[index[k]];
    float ratio = absolute(innovation) / (GATE * square_root(s));
    if (!(ratio <= 1.0f))
        return is_finite(ratio) ? ratio : 100.0f;
    float x[N], inverse = 1.0f / s;
    for (int i = 0; i < N; i++)
        x[i] = ph[i] * inverse * innovation;
    for (int i = 0; i < N; i++) {
        float k = ph[i] * inverse;
        for (int j = 0; j < N; j++)
            p[i][j] -= k * ph[j];
    }
    for (int i = 0; i < N; i++)
        p[i][i] = maximum(p[i][i], 1e-10f);
    inject(e, x);
    return ratio;
}

static float fuse_direct(struct estimator *e, int index, float innovation, float deviation)
{
    const float one = 1.0f;
    return fuse(e, &index, &one, 1, innovation, deviation * deviation);
}

// Position and velocity as they were at a time, from what is remembered.
static void recall(const struct estimator *e, uint64_t time, struct vector3 *position, struct vector3 *velocity)
{
    *position = e->position;
    *velocity = e->velocity;
    uint64_t later_time = e->history_at;
    for (unsigned back = 1; back <= HISTORY_COUNT; back++) {
        unsigned i = (e->history_next + HISTORY_COUNT - back) % HISTORY_COUNT;
        if (e->history[i].time == 0)
            return;
        struct vector3 later_position = *position, later_velocity = *velocity;
        *position = e->history[i].position;
        *velocity = e->history[i].velocity;
        if (e->history[i].time <= time) {
            float span = (float)(uint32_t)(later_time - e->history[i].time);
            float part = back > 1 && span > 0.0f ? (float)(uint32_t)(time - e->history[i].time) / span : 0.0f;
            part = clamp(part, 0.0f, 1.0f);
            *position = vector_add(*position, vector_scale(vector_subtract(later_position, *position), part));
            *velocity = vector_add(*velocity, vector_scale(vector_subtract(later_velocity, *velocity), part));
            return;
        }
        later_time = e->history[i].time;
    }
}

void estimator_reset_position(struct estimator *e, const struct gnss_measurement *m)
{
    struct vector3 position, velocity;
    recall(e, m->time, &position, &velocity);
    float shift[N] = {0};
    shift[PO] = m->position.x - position.x;
    shift[PO + 1] = m->position.y - position.y;
    if (m->has_velocity) {
        shift[VE] = m->velocity.x - velocity.x;
        shift[VE + 1] = m->velocity.y - velocity.y;
    }
    inject(e, shift);
    set_variance(e, PO, 2, m->position_deviation);
    set_variance(e, VE, 2, maximum(m->velocity_deviation, 0.5f));
    e->positioned = true;
    e->rejected_positions = 0;
}

void estimator_reset_height(struct estimator *e, float barometric_height)
{
    e->baro_offset += barometric_height - (e->baro_offset - e->position.z);
    set_variance(e, BO, 1, 0.3f);
}

void estimator_use_gnss(struct estimator *e, const struct gnss_measurement *m, uint64_t now)
{
    if (!e->aligned)
        return;
    // Far off for long: it is we who are lost.
    if (!e->positioned || e->rejected_positions > 20) {
        estimator_reset_position(e, m);
        e->gnss_used_at = now;
        return;
    }
    struct vector3 p, v;
    recall(e, m->time, &p, &v);
    float north = fuse_direct(e, PO, m->position.x - p.x, m->position_deviation);
    recall(e, m->time, &p, &v);
    float east = fuse_direct(e, PO + 1, m->position.y - p.y, m->position_deviation);
    e->ratios.position = maximum(north, east);
    if (m->has_velocity) {
        recall(e, m->time, &p, &v);
        north = fuse_direct(e, VE, m->velocity.x - v.x, m->velocity_deviation);
        recall(e, m->time, &p, &v);
        east = fuse_direct(e, VE + 1, m->velocity.y - v.y, m->velocity_deviation);
        e->ratios.velocity = maximum(north, east);
    }
    if (m->has_height) {
        recall(e, m->time, &p, &v);
        e->ratios.height = fuse_direct(e, PO + 2, m->position.z - p.z, m->height_deviation);
    }
    if (e->ratios.position < 1.0f) {
        e->rejected_positions = 0;
        e->gnss_used_at = now;
    } else {
        e->rejected_positions++;
    }
}

// Height over the reference of the barometer: h = -p_z + offset.
void estimator_use_height(struct estimator *e, float barometric_height, uint64_t now)
{
    const int index[] = {PO + 2, BO};
    const float row[] = {-1.0f, 1.0f};
    float innovation = barometric_height - (e->baro_offset - e->position.z);
    if (fuse(e, index, row, 2, innovation, square(BARO_DEVIATION)) < 1.0f)
        e->baro_used_at = now;
}

// yaw = f(attitude): d yaw = (sin(roll) th_y + cos(roll) th_z) / cos(pitch).
void estimator_use_field(struct estimator *e, struct vector3 field, float declination, uint64_t now)
{
    float cos_pitch = cosine(e->angles.pitch);
    if (!e->aligned || cos_pitch < 0.2f)
        return;
    float innovation = wrap_angle(heading_of_field(e->attitude, field, declination) - e->angles.yaw);
    const int index[] = {TH + 1, TH + 2};
    float row[] = {sine(e->angles.roll) / cos_pitch, cosine(e->angles.roll) / cos_pitch};
    e->ratios.heading = fuse(e, index, row, 2, innovation, square(HEADING_DEVIATION));
    if (e->ratios.heading < 1.0f) {
        e->heading_used_at = now;
        e->rejected_headings = 0;
    } else if (++e->rejected_headings > 50) {
        // As long as this it is the heading that is wrong.
        set_variance(e, TH + 2, 1, 1.0f);
        e->rejected_headings = 0;
    }
}

void estimator_use_standstill(struct estimator *e)
{
    fuse_direct(e, VE, -e->velocity.x, 0.05f);
    fuse_direct(e, VE + 1, -e->velocity.y, 0.05f);
    fuse_direct(e, VE + 2, -e->velocity.z, 0.05f);
    fuse_direct(e, BG, e->angular_velocity.x, 0.02f);
    fuse_direct(e, BG + 1, e->angular_velocity.y, 0.02f);
    fuse_direct(e, BG + 2, e->angular_velocity.z, 0.02f);
}
