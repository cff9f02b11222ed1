#include "multirotor_plan.h"
#include "../system/parameters.h"
#include "vehicle.h"

struct plan plan;

static const struct vector3 zero = {0.0f, 0.0f, 0.0f};

void plan_hold(struct vector3 place)
{
    plan.stage = STAGE_HOLD;
    plan.target = (struct motion){place, zero, zero};
    plan.yaw_rate = 0.0f;
}

void plan_hold_here(void)
{
    struct vector3 v = vehicle.estimate.velocity, place = vehicle.estimate.position;
    float distance = 0.5f * vector_dot(v, v) / parameters.cruise_acceleration;
    float speed = vector_length(v);
    if (speed > 0.1f && plan.airborne)
        place = vector_add(place, vector_scale(v, distance / speed));
    plan_hold(place);
    plan.yaw = vehicle.estimate.angles.yaw;
}

void plan_go(struct vector3 place, float yaw)
{
    struct vector3 from = plan.stage == STAGE_HOLD || plan.stage == STAGE_LEG ? plan.target.position : vehicle.estimate.position;
    if (vector_length(vector_subtract(from, vehicle.estimate.position)) > 3.0f)
        from = vehicle.estimate.position;
    trajectory_begin(&plan.leg, from, place);
    plan.stage = STAGE_LEG;
    plan.yaw_rate = 0.0f;
    if (is_finite(yaw))
        plan.yaw = wrap_angle(yaw);
    else if (parameters.waypoint_yaw != 0.0f && plan.leg.length * horizontal_length(plan.leg.direction) > 2.0f)
        plan.yaw = arc_tangent2(plan.leg.direction.y, plan.leg.direction.x);
}

void plan_begin_return(void)
{
    plan.stage = STAGE_CLIMB;
    float height = maximum(parameters.rtl_height, vehicle_height());
    trajectory_begin(&plan.leg, vehicle.estimate.position, (struct vector3){plan.target.position.x, plan.target.position.y, vehicle.home.z - height});
}

static float lag(void)
{
    return vector_length(vector_subtract(plan.target.position, vehicle.estimate.position));
}

bool plan_follow_leg(struct flight_demand *d, float dt)
{
    trajectory_step(&plan.leg, lag(), dt);
    plan.target = trajectory_motion(&plan.leg);
    d->motion = plan.target;
    return trajectory_ended(&plan.leg) && lag() < parameters.waypoint_radius;
}

// Fast while high, slow where the ground may be.
void plan_descend(struct flight_demand *d)
{
    float speed = clamp(0.25f * (vehicle_height() - 3.0f), parameters.land_speed, parameters.descent_speed);
    plan.target.velocity = (struct vector3){0.0f, 0.0f, speed};
    plan.target.acceleration = zero;
    plan.target.position.z = vehicle.estimate.position.z;
    d->motion = plan.target;
    d->ignore_height = true;
    d->land = true;
}

void plan_follow(struct flight_demand *d, float dt)
{
    switch (plan.stage) {
    case STAGE_VELOCITY:
        plan.velocity_age += dt;
        if (plan.velocity_age > 3.0f) { // whoever steers fell silent
            plan_hold_here();
            break;
        }
        d->motion.velocity = plan.velocity;
        d->ignore_height = d->ignore_position = true;
        plan.yaw = wrap_angle(plan.yaw + plan.yaw_rate * dt);
        return;
    case STAGE_LEG:
        if (plan_follow_leg(d, dt))
            plan_hold(plan.target.position);
        return;
    default:
        break;
    }
    d->motion = plan.target;
}

void plan_return(struct flight_demand *d, float dt)
{
    switch (plan.stage) {
    case STAGE_CLIMB:
        if (plan_follow_leg(d, dt)) {
            plan.stage = STAGE_RETURN;
            trajectory_begin(&plan.leg, plan.target.position, (struct vector3){vehicle.home.x, vehicle.home.y, plan.target.position.z});
        }
        break;
    case STAGE_RETURN:
        if (plan_follow_leg(d, dt))
            plan.stage = STAGE_DESCEND;
        break;
    case STAGE_DESCEND:
        plan_descend(d);
        break;
    default:
        plan.stage = STAGE_DESCEND;
        break;
    }
}
