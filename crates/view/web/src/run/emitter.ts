/** Tells listeners that something happened, in the order in which they came. */
export class Emitter<Events extends { [K in keyof Events]: unknown }> {
  private readonly listeners = new Map<keyof Events, ((value: never) => void)[]>();

  on<K extends keyof Events>(name: K, listener: (value: Events[K]) => void): void {
    const list = this.listeners.get(name) ?? [];
    list.push(listener as (value: never) => void);
    this.listeners.set(name, list);
  }

  protected tell<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as (value: Events[K]) => void)(value);
  }
}
