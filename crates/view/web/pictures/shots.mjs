// Which examples have a picture in the book, and what it shows.

// Pictures of the page: the run, the time that is shown, the camera (nearer by so many presses of +), what is plotted
// (signals of one unit in one plot), and whether there is the graph of the system. What a run needs is another that runs
// together with it, libraries that are built from C, programs that a variable names.
export const SHOTS = [
  { example: "world/swarm", at: 20, plots: ["world.quad[0].position[2]"] },
  { example: "world/gust", at: 11.5, camera: "follow", plots: ["world.quad.position[1]"] },
  { example: "world/auv", at: 100, camera: "follow", plots: ["world.auv.position[1]", "world.auv.position[2]"] },
  { example: "world/slope", at: 11, nearer: 5, plots: ["world.rover.position[2]", "world.rover.velocity[0]"] },
  { example: "world/sdf-quad", at: 5, camera: "follow", plots: ["world.quad.height", "world.quad.velocity[2]"] },
  { example: "live/operator", at: 22, plots: ["north.stick", "east.stick"] },
  { example: "fixed-wing/coverage", at: 95, plots: ["view.height", "view.airspeed"] },
  { example: "auv-navigation/survey", at: 1000, plots: ["analysis.position.total"] },
  { example: "quadcopter/flight", at: 40, plots: ["world.drone[0].position[0]", "world.drone[0].position[1]", "world.drone[0].position[2]"] },
  { example: "lane-keeping/real-schedule", at: 14, camera: "follow", plots: ["camera.offset"] },
  { example: "cart-pole/cart-pole", at: 5.15, plots: ["cart.angle", "controller.force"] },
  { name: "two-recordings", example: "lane-keeping/real-schedule", beside: "lane-keeping/overloaded", at: 6.3, camera: "follow", plots: ["camera.offset"] },
  { example: "thermostat/thermostat", at: 34_000, plots: ["room.temperature", "thermometer.reading"], graph: true },
  { example: "blocks/roll-controller", at: 7.5, plots: ["demand.out", "roll.angle.out", "trim.out"], graph: true },
  { example: "user-code/generated", at: 2, plots: ["quad.position[2]"], graph: true, libraries: { "quad.file": "quadrotor.c" } },
  { example: "processes/network", at: 3.15, plots: ["cart.angle"], graph: true },
  { example: "ros2/aircraft", at: 29, camera: "follow", plots: ["view.roll", "view.airspeed"] },
  { example: "physical/world", together: "physical/board", at: 2, camera: "follow", plots: ["world.quad.position[2]"], graph: true },
  {
    example: "native/betaflight",
    at: 26.3,
    camera: "follow",
    plots: ["world.drone.position[1]", "world.drone.position[2]", "link.motor_1", "link.motor_2", "link.motor_3", "link.motor_4"],
    programs: { "autopilot.command": "IRONBIRD_BETAFLIGHT" },
  },
];

// Reports of which the beginning is shown, or what is under the title of `from`. Where a name is given, the picture has it.
export const REPORTS = [
  { example: "fixed-wing/coverage" },
  { example: "world/swarm" },
  { example: "network/ping", width: 1000, height: 770 },
  { example: "thermostat/thermostat", name: "report", width: 1000, height: 880 },
  { example: "auv-navigation/misaligned", name: "misaligned", width: 900, height: 720, from: "Positions in frame ned" },
];

// Models beside the logs of flights, which are in ../shared/data, or in the folder that IRONBIRD_DATA names.
export const COMPARISONS = [{ example: "crazyflie/flights", name: "view/report-crazyflie-fast-figure-8", log: "flights/crazyflie/B3_figure8_fast_rep2.csv", width: 1000, height: 900 }];

// Charts that `ironbird tasks` draws; the words end where the name of the file comes.
export const CHARTS = [
  { example: "tasks/starvation", words: ["schedule", "--gantt"] },
  { example: "tasks/two-ecus", name: "timing-schedule", words: ["schedule", "--gantt"] },
  { example: "tasks/two-ecus", name: "timing-allsync", words: ["simulate", "--policy", "allsync", "--gantt"] },
  { example: "tasks/two-ecus", name: "timing-guider", words: ["guider", "--format", "svg", "--out"] },
];
