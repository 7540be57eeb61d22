// What the log of a node must not say while versions are exchanged.

const ERROR = 50

/** Lines of an error, and whatever is no line of the log. */
export function faultsInLog(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line !== '' && isFault(line))
}

function isFault(line: string): boolean {
  if (!line.startsWith('{')) return true
  const { level } = JSON.parse(line) as { readonly level?: unknown }
  return typeof level !== 'number' || level >= ERROR
}
