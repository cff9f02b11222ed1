/** What the person chose, for the next time. A browser that is told to keep nothing throws at the very question. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`ironbird-${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`ironbird-${name}`, value);
  } catch {
    // It is asked for again next time.
  }
}
