// What a long run has come to so far, once a minute on stderr and again when it is cut off: what was done
// until then counts.

import { constants } from 'node:os'
import { IS_FULL } from './sampling.ts'

const EVERY_MS = 60_000

export interface Progress {
  /** The last word; then no more. */
  close(): void
}

/** Short runs say nothing. */
export function openProgress(name: string, describe: () => string): Progress {
  if (!IS_FULL) return { close: () => undefined }
  const tell = (how: string): void => {
    process.stderr.write(`${new Date().toISOString()} ${name}, ${how}: ${describe()}\n`)
  }
  const cutOff = (signal: NodeJS.Signals): void => {
    tell('cut off')
    process.exit(128 + constants.signals[signal])
  }
  const timer = setInterval(tell, EVERY_MS, 'so far').unref()
  // Not once: `timeout` sends it to the group as well, and what is left behind is still to be cleared away.
  process.on('SIGTERM', cutOff)

  return {
    close() {
      clearInterval(timer)
      process.off('SIGTERM', cutOff)
      tell('at the end')
    },
  }
}
