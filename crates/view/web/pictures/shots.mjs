// Which examples have a picture in the book: the run, the time that is shown, the camera, and what is plotted.
export const SHOTS = [
  { example: "world/swarm", at: 20, plots: ["world.quad[0].position[2]"] },
  { example: "world/gust", at: 11.5, camera: "follow", plots: ["world.quad.position[1]"] },
  { example: "world/auv", at: 100 },
  { example: "live/operator", at: 22, plots: ["north.stick", "east.stick"] },
  { example: "world/sdf-quad", at: 5, camera: "follow" },
  { example: "fixed-wing/coverage", at: 95 },
  { example: "auv-navigation/survey", at: 1000 },
  { example: "quadcopter/flight", at: 40 },
  { example: "lane-keeping/real-schedule", at: 14, camera: "follow", plots: ["camera.offset"] },
  { example: "cart-pole/cart-pole", at: 5.3, plots: ["cart.angle"] },
  { example: "thermostat/thermostat", at: 40_000, plots: ["room.temperature", "thermometer.reading"] },
];

// Reports of which the first page is shown.
export const REPORTS = ["fixed-wing/coverage", "world/swarm"];
