export function frame(frame: object): Uint8Array;
export function series(signal: number, points: number[][], request: number, replaces: boolean): Uint8Array;
export function window(request: number, frames: Uint8Array[]): Uint8Array;
export function ground(ground: object): Uint8Array;
export function beams(sensor: number, distances: number[]): Uint8Array;
export function scans(sensor: number, request: number, list: [number, number[]][]): Uint8Array;
