"""Writes aerosonde/cl-stall.csv: what the sigmoid blend of Beard and McLain (2012), section 4.2.1, adds to
the linear lift of the Aerosonde. Run it in this folder."""

from math import cos, exp, radians, sin

CL0, CL_ALPHA, STEEPNESS, STALL = 0.28, 3.45, 50.0, 0.4712


def blend(alpha):
    below, above = exp(-STEEPNESS * (alpha - STALL)), exp(STEEPNESS * (alpha + STALL))
    return (1 + below + above) / ((1 + below) * (1 + above))


def added(alpha):
    plate = 2 * (1 if alpha >= 0 else -1) * sin(alpha) ** 2 * cos(alpha)
    return blend(alpha) * (plate - CL0 - CL_ALPHA * alpha)


def main():
    with open("aerosonde/cl-stall.csv", "w") as file:
        file.write("# Lift that the stall adds to CL0 + CLalpha alpha; written by aerosonde.py\n")
        file.write("alpha [deg],value\n")
        for half_degrees in range(-180, 181):
            degrees = half_degrees / 2
            file.write(f"{degrees:g},{added(radians(degrees)):.9g}\n")


if __name__ == "__main__":
    main()
