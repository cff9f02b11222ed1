"""An independent computation of the REMUS 100, in the matrix form of T. I. Fossen.

    M_RB nu' + C_RB(nu) nu + M_A nu_r' + C_A(nu_r) nu_r + D(nu_r) nu_r + L(u_r) nu_r + g = tau

C_RB and C_A follow from the mass matrices as in his handbook of 2011; L, the lift of body and fins, is
what remains of Prestero's summed coefficients when added mass is taken away from them. Attitude is in
Euler angles.

usage: remus_reference.py jobs.json results.json
  jobs: {"states": [[euler 3, nu 6, depth, rudder, stern, rpm, current 3, acceleration of water 3]],
         "turns": [[rudder, stern, rpm]]}
  results: {"rates": [[nu' 6, place' 3, euler' 3]], "turns": [[nu 6, roll, pitch, yaw rate, radius]]}
"""

import json
import sys

import numpy as np

W, B, G = 299.0, 306.0, 9.81
R_G = np.array([0.0, 0.0, 0.0196])
I_O = np.diag([0.177, 3.45, 3.45])
LENGTH, DIAMETER = 1.33, 0.191
FIN, X_FIN_FIN = 9.64, 6.15


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


M_RB = np.block([[W / G * np.eye(3), -W / G * skew(R_G)], [W / G * skew(R_G), I_O]])
M_A = np.diag([0.93, 35.5, 35.5, 0.0704, 4.88, 4.88])
M_A[1, 5] = M_A[5, 1] = -1.93
M_A[2, 4] = M_A[4, 2] = 1.93


def coriolis(m, nu):
    """The skew-symmetric matrix that belongs to a mass matrix."""
    linear = skew(m[:3, :3] @ nu[:3] + m[:3, 3:] @ nu[3:])
    angular = skew(m[3:, :3] @ nu[:3] + m[3:, 3:] @ nu[3:])
    return np.block([[np.zeros((3, 3)), -linear], [-linear, -angular]])


def drag(nu):
    """D: quadratic drag along and across the hull."""
    d = np.zeros((6, 6))
    a = np.abs(nu)
    d[0, 0] = 1.62 * a[0]
    d[1, 1], d[1, 5] = 131.0 * a[1], -0.632 * a[5]
    d[2, 2], d[2, 4] = 131.0 * a[2], 0.632 * a[4]
    d[3, 3] = 0.13 * a[3]
    d[4, 2], d[4, 4] = -3.18 * a[2], 188.0 * a[4]
    d[5, 1], d[5, 5] = 3.18 * a[1], 94.0 * a[5]
    return d


def lift(u, p):
    """L: what the thesis has beyond added mass. Fins at -0.638 m: 9.64, 6.15 and 3.93; the body."""
    m = np.zeros((6, 6))
    m[1, 1] = m[2, 2] = 28.6 * u
    m[1, 5], m[2, 4] = -6.15 * u, 6.15 * u
    munk = 35.5 - 0.93
    m[4, 2], m[5, 1] = (munk - 24.0) * u, (24.0 - munk) * u
    m[4, 4] = m[5, 5] = 3.93 * u
    # M_rp and N_pq are printed as 4.86, where added mass gives 4.88 - 0.0704.
    printed = 4.86 - (4.88 - 0.0704)
    m[4, 5], m[5, 4] = -printed * p, printed * p
    return m


def to_ned(euler):
    (sf, st, sp), (cf, ct, cp) = np.sin(euler), np.cos(euler)
    return (
        np.array([[cp, -sp, 0], [sp, cp, 0], [0, 0, 1]])
        @ np.array([[ct, 0, st], [0, 1, 0], [-st, 0, ct]])
        @ np.array([[1, 0, 0], [0, cf, -sf], [0, sf, cf]])
    )


def rates(euler, nu, depth, rudder, stern, rpm, current, water_acceleration):
    rotation = to_ned(euler)
    v_c = rotation.T @ current
    nu_c = np.concatenate([v_c, np.zeros(3)])
    nu_r = nu - nu_c
    a_c = rotation.T @ water_acceleration
    nu_c_rate = np.concatenate([a_c - skew(nu[3:]) @ v_c, np.zeros(3)])
    height = DIAMETER + (LENGTH - DIAMETER) * abs(np.sin(euler[1]))
    buoyancy = B * min(max(0.5 + depth / height, 0.0), 1.0)
    gravity = rotation.T @ np.array([0.0, 0.0, 1.0])
    static = np.concatenate([(W - buoyancy) * gravity, skew(R_G) @ (W * gravity)])
    pressure = np.concatenate([buoyancy / G * a_c, np.zeros(3)])
    u2 = nu_r[0] ** 2
    n = np.sign(rpm) * (rpm / 1525.0) ** 2
    tau = np.array([
        3.86 * n,
        FIN * u2 * rudder,
        -FIN * u2 * stern,
        -0.543 * n,
        -X_FIN_FIN * u2 * stern,
        -X_FIN_FIN * u2 * rudder,
    ])
    rest = (
        coriolis(M_RB, nu) @ nu
        + coriolis(M_A, nu_r) @ nu_r
        + (drag(nu_r) + lift(nu_r[0], nu_r[3])) @ nu_r
    )
    nu_rate = np.linalg.solve(M_RB + M_A, tau + static + pressure + M_A @ nu_c_rate - rest)
    (sf, cf), (ct, tt) = (np.sin(euler[0]), np.cos(euler[0])), (np.cos(euler[1]), np.tan(euler[1]))
    euler_rate = np.array([[1, sf * tt, cf * tt], [0, cf, -sf], [0, sf / ct, cf / ct]]) @ nu[3:]
    return nu_rate, rotation @ nu[:3], euler_rate


def steady_turn(rudder, stern, rpm):
    """Newton's method for a motion in which velocities, roll and pitch stay as they are."""
    zero = np.zeros(3)

    def change(x):
        nu_rate, _, euler_rate = rates(
            np.array([x[6], x[7], 0.0]), x[:6], 1e3, rudder, stern, rpm, zero, zero
        )
        return np.concatenate([nu_rate, euler_rate[:2]])

    x = np.array([1.4, 0.0, 0.0, 0.0, 0.0, -2.0 * rudder, -0.1, -0.05])
    for _ in range(200):
        f = change(x)
        jacobian = np.empty((8, 8))
        for k in range(8):
            h = np.zeros(8)
            h[k] = 1e-6
            jacobian[:, k] = (change(x + h) - change(x - h)) / 2e-6
        step = np.linalg.solve(jacobian, f)
        x = x - step * min(1.0, 0.1 / np.max(np.abs(step)))
    assert np.max(np.abs(change(x))) < 1e-12, change(x)
    _, velocity, euler_rate = rates(
        np.array([x[6], x[7], 0.0]), x[:6], 1e3, rudder, stern, rpm, zero, zero
    )
    yaw_rate = euler_rate[2]
    return [*x, yaw_rate, np.hypot(velocity[0], velocity[1]) / abs(yaw_rate)]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    found = []
    for row in jobs["states"]:
        x = np.array(row)
        parts = rates(x[:3], x[3:9], x[9], x[10], x[11], x[12], x[13:16], x[16:19])
        found.append(np.concatenate(parts).tolist())
    turns = [steady_turn(*turn) for turn in jobs["turns"]]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"rates": found, "turns": turns}, file)


if __name__ == "__main__":
    main()
