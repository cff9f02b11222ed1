// Serves the built page and an invented run, for development and for the tests in the browser.
//   node mock/server.mjs [--mode live|recording|two] [--scene zoo|sea|many] [--port 0] [--token t]
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import * as encode from "./encode.mjs";
import { World } from "./world.mjs";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:";

/** Starts a server; resolves with its address and with what it was told, so that tests can look at it. */
export async function serve({ mode = "live", scene = "zoo", port = 0, token = "secret" } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const file = normalize(join(DIST, path === "/" ? "index.html" : path));
    try {
      if (!file.startsWith(DIST)) throw new Error("outside");
      const body = await readFile(file);
      response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY }).end(body);
    } catch {
      response.writeHead(404).end("no such file");
    }
  });
  const sockets = new WebSocketServer({ noServer: true });
  const heard = [];
  const worlds = [new World(scene), new World(scene, 1)];
  const live = new LiveRun(worlds[0]);
  const door = { closed: false };
  server.on("upgrade", (request, socket, head) => {
    const query = new URL(request.url, "http://x").searchParams;
    if (query.get("token") !== token || query.get("version") !== "1" || door.closed) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      const run = Number(query.get("run"));
      if (mode === "live") live.join(client, heard);
      else recorded(client, worlds[run], run, mode === "two" ? ["failing.mcap", "passing.mcap"] : ["flight.mcap"], heard);
    });
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/?token=${token}`;
  return {
    address,
    heard,
    door,
    live,
    world: worlds[0],
    dropClients: () => sockets.clients.forEach((client) => client.terminate()),
    close: () => {
      live.stop();
      sockets.clients.forEach((client) => client.terminate());
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendScene(client, world) {
  if (world.scene.terrain) client.send(encode.ground(world.scene.terrain));
  if (world.scene.sensors.length > 0) client.send(encode.beams(0, world.scene.distances(0)));
}

class LiveRun {
  constructor(world) {
    this.world = world;
    this.time = 0;
    this.state = 0;
    this.pace = 1;
    this.clients = new Map();
    this.faults = [{ name: "compass", text: "compass.field stuck", active: false }, { name: "motor 3", text: "mixer.motor_3 loses 40 % of its thrust", active: false }];
    this.parameters = [{ component: "pilot", parameter: "height", value: "3 m", doc: "Height to hold above the ground." }, { component: "pilot", parameter: "gain", value: "1.5", doc: "Gain of the outer loop." }];
    this.timer = setInterval(() => this.tick(), 33);
  }

  stop() {
    clearInterval(this.timer);
  }

  tick() {
    if (this.clients.size === 0) return;
    if (this.state === 0) this.time = Math.min(this.world.duration, this.time + (this.pace ?? 40) / 30);
    if (this.time >= this.world.duration && this.state === 0) this.end("duration reached");
    for (const [client, subscribed] of this.clients) {
      client.send(encode.frame(this.world.frame(this.time, this.state, this.state === 0 ? (this.pace ?? 40) : 0, subscribed)));
      if (this.world.scene.sensors.length > 0) client.send(encode.beams(0, this.world.scene.distances(this.time)));
    }
  }

  end(text) {
    this.state = 2;
    this.tell({ is: "ended", text, verdict: "holds", report: null });
  }

  tell(message) {
    for (const client of this.clients.keys()) client.send(JSON.stringify(message));
  }

  join(client, heard) {
    const { time, pace, faults, parameters } = this;
    client.send(JSON.stringify(this.world.hello({ live: true, run: 0, runs: ["flight.toml"], time, pace, faults, parameters, title: "Betaflight flies a quadrotor" })));
    sendScene(client, this.world);
    this.clients.set(client, []);
    client.on("close", () => this.clients.delete(client));
    client.on("message", (data) => {
      const message = JSON.parse(data);
      heard.push(message);
      const error = this.obey(client, message);
      client.send(JSON.stringify(error ? { is: "answer", id: message.id, error } : { is: "answer", id: message.id }));
    });
  }

  obey(client, message) {
    switch (message.do) {
      case "pause": this.state = 1; return null;
      case "go": this.state = 0; return null;
      case "step": this.time += message.by ?? 0.004; return null;
      case "speed": this.pace = message.value; this.tell({ is: "pace", speed: message.value }); return null;
      case "end": this.end("ended by a person"); return null;
      case "subscribe":
        this.clients.set(client, message.signals);
        for (const id of message.signals) client.send(encode.series(id, this.world.series(id, 0, Math.max(this.time, 0.01), 300), message.id, true));
        return null;
      case "fault": {
        const fault = this.faults.find(({ name }) => name === message.name);
        if (!fault) return `There is no fault "${message.name}".`;
        fault.active = message.active;
        this.tell({ is: "fault", name: fault.name, active: fault.active, by: "person" });
        this.tell({ is: "event", time: this.time, kind: fault.active ? "fault-begins" : "fault-ends", name: fault.name, text: fault.text });
        return null;
      }
      case "set": {
        if (!/^-?[\d.]+( m)?$/.test(message.value)) return `"${message.value}" is not a length: write a number and a unit, such as 3 m.`;
        this.parameters.find(({ parameter }) => parameter === message.parameter).value = message.value;
        this.tell({ is: "parameter", component: message.component, parameter: message.parameter, value: message.value });
        return null;
      }
      case "note": this.tell({ is: "event", time: this.time, kind: "note", name: "note", text: message.text }); return null;
      case "drive": return null;
      default: return `A live run does not know "${message.do}".`;
    }
  }
}

function recorded(client, world, run, runs, heard) {
  client.send(JSON.stringify(world.hello({ live: false, run, runs, time: 0, pace: null, title: "A recorded flight" })));
  sendScene(client, world);
  let subscribed = [];
  client.on("message", (data) => {
    const message = JSON.parse(data);
    heard.push({ run, ...message });
    if (message.do === "window") {
      const frames = [];
      for (let i = 0; message.from + i * message.step <= message.to + 1e-9 && i < 2000; i++) frames.push(encode.frame(world.frame(message.from + i * message.step, 1, 0, subscribed)));
      client.send(encode.window(message.id, frames));
    } else if (message.do === "series") {
      for (const id of message.signals) client.send(encode.series(id, world.series(id, message.from, message.to, message.points), message.id, true));
    } else if (message.do === "subscribe") {
      subscribed = message.signals;
      for (const id of subscribed) client.send(encode.series(id, world.series(id, 0, world.duration, 1500), message.id, true));
    }
    client.send(JSON.stringify({ is: "answer", id: message.id }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = {};
  for (let i = 2; i + 1 < process.argv.length; i += 2) options[process.argv[i].slice(2)] = process.argv[i + 1];
  const { address } = await serve({ ...options, port: Number(options.port ?? 8123) });
  console.log(address);
}
