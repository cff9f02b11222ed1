import { signalName, type Signal } from "../run/messages";
import { atMostEvery, type Page } from "../ui/page";

/** Which signals the page wants now: those of visible plots first, then those that the tree shows. What is hidden is not
 *  subscribed to. Signals go by name, since two runs may number them differently. */
export class Subscriptions {
  private plotted: string[] = [];
  private listed: string[] = [];
  private readonly ids: Map<string, Signal>[];

  constructor(private readonly page: Page) {
    this.ids = page.runs.map((run) => new Map(run.hello.signals.map((signal) => [signalName(signal), signal])));
    document.addEventListener("visibilitychange", this.update);
  }

  setPlotted(names: string[]): void {
    this.plotted = names;
    this.update();
  }

  setListed(names: string[]): void {
    this.listed = names;
    this.update();
  }

  /** The signal of that name in a run, if it has one. */
  signal(run: number, name: string): Signal | undefined {
    return this.ids[run]?.get(name);
  }

  private readonly update = atMostEvery(150, () => {
    this.page.runs.forEach((run, i) => {
      // The values of a tree are of use while they change; for a recording each would be read in full.
      const wanted = document.hidden ? [] : [...new Set([...this.plotted, ...(run.live ? this.listed : [])])];
      run.subscribe(wanted.flatMap((name) => this.signal(i, name)?.id ?? []));
    });
  });
}
