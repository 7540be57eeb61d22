// Lines that the log of a node must not contain while versions are exchanged.

/** Levels by name, and by the number that earlier versions wrote. */
const HARMLESS: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 20, 30, 40])

/** Returns lines of errors, and lines that are no log lines. */
export function faultsInLog(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && isFault(line))
}

function isFault(line: string): boolean {
  if (!line.startsWith('{')) return true
  const { level } = JSON.parse(line) as { readonly level?: unknown }
  return !HARMLESS.has(level)
}
