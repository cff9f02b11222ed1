//! The numbers of the REMUS 100.
//!
//! Source: T. Prestero, *Verification of a Six-Degree of Freedom Simulation Model for the REMUS
//! Autonomous Underwater Vehicle*, MSc thesis, MIT and WHOI, 2001, whose appendices A to C list masses,
//! geometry and summed coefficients. The numbers were taken from public transcriptions of them and
//! compared with each other, not with the printed thesis. Length and diameter of the hull are those of
//! D. Sgarioto's listing for the same vehicle (DTA, 2006). Origin of the body frame: the centre of
//! buoyancy. SI units; angles in rad.
//!
//! What is known to be wrong or to differ between copies, and what is taken here:
//!
//! | number | in copies | here | why |
//! |---|---|---|---|
//! | Y_vv | -1310 and -131 | -131 | the hull is round: cross-flow drag sideways is that downwards, Z_ww = -131; ten times as much is a slip of the exponent |
//! | B | 306 N and 308 N | 306 N | the vehicle is ballasted to float up slowly; it is a parameter |
//! | N_uudr | both signs | -6.15 | a force to starboard at the stern (Y_uudr > 0) turns the bow to port: N = x_fin Y with x_fin < 0 |
//! | M_rp, N_pq | ±4.86 | ±4.86 | K_ṗ - N_ṙ is 4.81; as printed, and as their sum is zero they do no work |
//!
//! The coefficients with u are sums: added mass, body lift and fins. For example
//! M_uw = 34.6 (Munk moment, X_u̇ - Z_ẇ) - 6.15 (fins) - 4.47 (body lift) = 24.0, and
//! M_uq = 1.93 (-Z_q̇) - 3.93 (fins) = -2.00.

/// Weight in N.
pub const WEIGHT: f64 = 299.0;
/// Buoyancy in N when all of it is under water.
pub const BUOYANCY: f64 = 306.0;
/// Gravity in m/s² that belongs to these forces: mass = weight / gravity = 30.48 kg.
pub const GRAVITY: f64 = 9.81;
/// Centre of gravity below the centre of buoyancy, in m.
pub const Z_G: f64 = 0.0196;
/// Moments of inertia about the centre of buoyancy, in kg m².
pub const INERTIA: [f64; 3] = [0.177, 3.45, 3.45];
/// Length of the hull in m.
pub const LENGTH: f64 = 1.33;
/// Diameter of the hull in m.
pub const DIAMETER: f64 = 0.191;
/// Largest deflection of a fin in degrees.
pub const FIN_LIMIT: f64 = 13.6;

/// Revolutions of the propeller at cruise, in rpm.
pub const CRUISE_REVOLUTIONS: f64 = 1525.0;
/// Speed through the water at cruise, in m/s: 3 knots.
pub const CRUISE_SPEED: f64 = 1.54;
/// Thrust X_prop at cruise, in N.
pub const CRUISE_THRUST: f64 = 3.86;
/// Torque K_prop of the propeller on the hull at cruise, in N m.
pub const CRUISE_TORQUE: f64 = -0.543;

/// The hydrodynamic coefficients by their names in the thesis: `Xuu` is X_{u|u|}, `Xud` is X_u̇.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, non_snake_case)]
pub struct Coefficients {
    // Drag along the hull, across it and about it: quadratic.
    pub Xuu: f64,
    pub Yvv: f64,
    pub Yrr: f64,
    pub Zww: f64,
    pub Zqq: f64,
    pub Kpp: f64,
    pub Mww: f64,
    pub Mqq: f64,
    pub Nvv: f64,
    pub Nrr: f64,
    // Added mass.
    pub Xud: f64,
    pub Yvd: f64,
    pub Yrd: f64,
    pub Zwd: f64,
    pub Zqd: f64,
    pub Kpd: f64,
    pub Mwd: f64,
    pub Mqd: f64,
    pub Nvd: f64,
    pub Nrd: f64,
    // Cross terms of added mass.
    pub Xwq: f64,
    pub Xqq: f64,
    pub Xvr: f64,
    pub Xrr: f64,
    pub Ywp: f64,
    pub Ypq: f64,
    pub Zvp: f64,
    pub Zrp: f64,
    pub Mvp: f64,
    pub Mrp: f64,
    pub Nwp: f64,
    pub Npq: f64,
    // Added mass, body lift and fins together.
    pub Yuv: f64,
    pub Yur: f64,
    pub Zuw: f64,
    pub Zuq: f64,
    pub Muw: f64,
    pub Muq: f64,
    pub Nuv: f64,
    pub Nur: f64,
    // Deflected fins.
    pub Yuudr: f64,
    pub Zuuds: f64,
    pub Muuds: f64,
    pub Nuudr: f64,
}

/// Those of the REMUS 100 (see the top of this file for the source).
pub const REMUS_100: Coefficients = Coefficients {
    // Axial drag; cross-flow drag of hull and fins; roll drag of the fins.
    Xuu: -1.62,
    Yvv: -1.31e2,
    Yrr: 6.32e-1,
    Zww: -1.31e2,
    Zqq: -6.32e-1,
    Kpp: -1.30e-1,
    Mww: 3.18,
    Mqq: -1.88e2,
    Nvv: -3.18,
    Nrr: -9.40e1,
    // An ellipsoid along the hull, strip theory across it, fins about it.
    Xud: -9.30e-1,
    Yvd: -3.55e1,
    Yrd: 1.93,
    Zwd: -3.55e1,
    Zqd: -1.93,
    Kpd: -7.04e-2,
    Mwd: -1.93,
    Mqd: -4.88,
    Nvd: 1.93,
    Nrd: -4.88,
    // Z_ẇ, Z_q̇, -Y_v̇, -Y_ṙ, -Z_ẇ, -Z_q̇, Y_v̇, Y_ṙ, -Y_ṙ, K_ṗ - N_ṙ, Z_q̇, M_q̇ - K_ṗ.
    Xwq: -3.55e1,
    Xqq: -1.93,
    Xvr: 3.55e1,
    Xrr: -1.93,
    Ywp: 3.55e1,
    Ypq: 1.93,
    Zvp: -3.55e1,
    Zrp: 1.93,
    Mvp: -1.93,
    Mrp: 4.86,
    Nwp: -1.93,
    Npq: -4.86,
    // Sums.
    Yuv: -2.86e1,
    Yur: 5.22,
    Zuw: -2.86e1,
    Zuq: -5.22,
    Muw: 2.40e1,
    Muq: -2.00,
    Nuv: -2.40e1,
    Nur: -2.00,
    // Lift of the fins, and its lever arm of 0.638 m behind the origin.
    Yuudr: 9.64,
    Zuuds: -9.64,
    Muuds: -6.15,
    Nuudr: -6.15,
};
