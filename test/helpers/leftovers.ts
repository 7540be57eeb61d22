// What a failed test can leave running: browsers, child processes, servers. Anything of them would keep its process alive.

const closers = new Set<() => Promise<unknown>>()

/** Registers a function that closes everything of one kind. It is called once, after the last test of the process. */
export function closeAtEnd(close: () => Promise<unknown>): void {
  closers.add(close)
}

export async function closeLeftovers(): Promise<void> {
  await Promise.all([...closers].map((close) => close()))
}
