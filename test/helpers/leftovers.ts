// Closes browsers, child processes and servers that a failed test has left running. They would keep the test process alive.

const closers = new Set<() => Promise<unknown>>()

/** Registers a function that closes everything of one kind. It is called once, after the last test of the process. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  closers.add(close)
}

export async function closeLeftovers(): Promise<void> {
  await Promise.all([...closers].map((close) => close()))
}
