import type { Parameter } from "../run/messages";
import { h } from "../ui/dom";
import type { Page } from "../ui/page";
import type { Panel } from "../ui/panel";

/** Parameters by component. Enter sends a value; what the server says against it stands at the field. */
export function parametersPanel(page: Page, panel: Panel): void {
  const run = page.first;
  const { parameters } = run.hello;
  if (parameters.length === 0) {
    panel.body.append(h("p", { class: "faint" }, run.live ? "No parameter can be changed." : "Nothing can be changed in a recording."));
    return;
  }
  const fields = new Map<string, { input: HTMLInputElement; text: string; known: string }>();
  const groups = new Map<string, HTMLElement[]>();
  for (const { component, parameter, value, doc } of parameters) {
    const key = `${component}.${parameter}`;
    const error = h("p", { class: "field-error", role: "alert", id: `error-${key}` });
    const input = h("input", { value, "data-test": `parameter-${key}`, "aria-describedby": error.id, spellcheck: "false", autocomplete: "off" });
    const send = h("button", { type: "submit", class: "quiet" }, "Set");
    const form = h("form", { class: "parameter", title: doc }, h("label", {}, h("span", { class: "name" }, parameter), input), send, error, doc ? h("p", { class: "faint doc" }, doc) : null);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      error.textContent = "";
      input.removeAttribute("aria-invalid");
      run.ask({ do: "set", component, parameter, value: input.value }).then(
        () => page.announcer.say(`${parameter} is set to ${input.value}.`),
        (why: Error) => {
          error.textContent = why.message;
          input.setAttribute("aria-invalid", "true");
        },
      );
    });
    fields.set(key, { input, text: `${key} ${doc}`.toLowerCase(), known: value });
    groups.set(component, [...(groups.get(component) ?? []), form]);
  }
  const search = h("input", { type: "search", placeholder: "Find a parameter", "aria-label": "Find a parameter" });
  const sections = [...groups].map(([component, forms]) => h("fieldset", {}, h("legend", {}, component), ...forms));
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    for (const { input, text } of fields.values()) input.closest("form")!.hidden = !text.includes(wanted);
    for (const section of sections) section.hidden = section.querySelector("form:not([hidden])") === null;
  });
  const show = ({ component, parameter, value }: Parameter) => {
    const field = fields.get(`${component}.${parameter}`);
    if (field === undefined) return;
    // What a person is about to write is not written over.
    if (field.input.value === field.known) field.input.value = value;
    field.known = value;
  };
  run.on("parameter", show);
  run.on("hello", (hello) => hello.parameters.forEach(show));
  panel.body.append(search, ...sections);
}
