import "uplot/dist/uPlot.min.css";
import "./style.css";
import { Clock } from "./run/clock";
import { Run } from "./run/run";
import { buildPage } from "./ui/build";
import { h } from "./ui/dom";

/** Connects to the first run; its hello says how many there are. The page is built once all have said hello. */
function start(): void {
  const app = document.getElementById("app")!;
  const notice = h("p", { class: "notice", role: "status", "data-test": "notice" }, "Connecting to Ironbird…");
  app.append(notice);
  const first = new Run(0);
  const runs = [first];
  let built = false;
  const ready = () => {
    if (built || runs.some((run) => run.hello === undefined)) return;
    built = true;
    notice.remove();
    buildPage(app, runs, new Clock(runs));
  };
  first.on("hello", (hello) => {
    if (built || runs.length > 1) return;
    for (let i = 1; i < Math.min(hello.runs.length, 2); i++) {
      const other = new Run(i);
      other.on("hello", ready);
      other.connection.connect();
      runs.push(other);
    }
    ready();
  });
  first.on("connection", (state) => {
    if (!built && state === "lost") notice.textContent = "There is no answer from Ironbird. The address may be old: use the one that Ironbird prints. Trying again…";
  });
  first.connection.connect();
}

start();
