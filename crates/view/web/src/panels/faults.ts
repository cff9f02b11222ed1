import { h, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import type { Page } from "../ui/page";
import type { Panel } from "../ui/panel";

/** The faults of the experiment, with a button that injects or clears each. */
export function faultsPanel(page: Page, panel: Panel): void {
  const run = page.first;
  if (run.hello.faults.length === 0) {
    panel.body.append(h("p", { class: "faint" }, run.live ? "The experiment has no faults." : "Nothing can be changed in a recording."));
    return;
  }
  const rows = run.hello.faults.map(({ name, text }) => {
    const state = h("span", { class: "lamp-head" });
    const error = h("p", { class: "field-error", role: "alert" });
    const button = h("button", { type: "button", "data-test": `fault-${name}` });
    const row = h("li", { class: "fault" }, h("div", { class: "fault-words" }, h("strong", {}, name), " ", state, h("div", { class: "faint" }, text), error), button);
    const show = () => {
      const fault = run.hello.faults.find((one) => one.name === name);
      const active = fault?.active === true;
      row.dataset["active"] = String(active);
      state.replaceChildren(...(active ? [icon("bolt"), `active${fault?.by === "person" ? " (by a person)" : ""}`] : []));
      setText(button, active ? "Clear" : "Inject");
      button.setAttribute("aria-label", `${active ? "Clear" : "Inject"} ${name}`);
    };
    button.addEventListener("click", () => {
      const active = run.hello.faults.find((one) => one.name === name)?.active === true;
      error.textContent = "";
      run.ask({ do: "fault", name, active: !active }).catch((why: Error) => (error.textContent = why.message));
    });
    show();
    return { row, show };
  });
  const refresh = () => {
    for (const row of rows) row.show();
    const active = run.hello.faults.filter((fault) => fault.active).length;
    panel.note(active > 0 ? `${active} active` : "");
  };
  run.on("fault", (fault) => {
    refresh();
    page.announcer.say(`Fault ${fault.name} is ${fault.active ? "active" : "cleared"}.`);
  });
  run.on("hello", refresh);
  refresh();
  panel.body.append(h("ul", { class: "plain" }, ...rows.map(({ row }) => row)));
}
