// Reports the progress of a long run on stderr, once a minute and when the run is interrupted: the
// results so far count.

import { constants } from 'node:os'
import { IS_FULL } from './sampling.ts'

const EVERY_MS = 60_000

export interface Progress {
  /** Prints the last report and stops. */
  close(): void
}

/** Short runs print nothing. */
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
  // Not `once`: `timeout` also sends the signal to the process group, and a second signal must not
  // interrupt the cleanup.
  process.on('SIGTERM', cutOff)

  return {
    close() {
      clearInterval(timer)
      process.off('SIGTERM', cutOff)
      tell('at the end')
    },
  }
}
