import type { Vector } from "../src/run/messages";

export function serve(options: object): Promise<{
  address: string;
  heard: { do: string; run?: number; [member: string]: unknown }[];
  /** While it is closed, nobody gets in. */
  door: { closed: boolean };
  live: { time: number; state: number; parameters: { value: string }[]; end(text: string): void };
  world: { scene: { poses(time: number): { body: number; position: Vector }[] }; duration: number };
  dropClients(): void;
  close(): Promise<void>;
}>;
