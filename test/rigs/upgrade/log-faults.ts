// What the log of a node must not say while versions are exchanged.

/** By name, and as the number that earlier versions wrote. */
const HARMLESS: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 20, 30, 40])

/** Lines of an error, and whatever is no line of the log. */
export function faultsInLog(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && isFault(line))
}

function isFault(line: string): boolean {
  if (!line.startsWith('{')) return true
  const { level } = JSON.parse(line) as { readonly level?: unknown }
  return !HARMLESS.has(level)
}
