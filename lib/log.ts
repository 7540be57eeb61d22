// JSON lines on stderr, so that stdout belongs to what a command prints for its caller.

import { type Logger, pino } from 'pino'

export type Log = Logger

const FLUSH_MS = 100
const CHUNK_BYTES = 32 * 1024

/**
 * Lines are written without waiting, several at once: a system call for each costs more than what
 * it tells. `log.flush()` writes the rest at the end.
 */
export function openLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: timeMember },
    pino.destination({
      fd: 2,
      sync: false,
      minLength: CHUNK_BYTES,
      maxWrite: 2 * CHUNK_BYTES,
      periodicFlush: FLUSH_MS,
    }),
  )
}

let timeMs = 0
let timeText = ''

/** The time as pino wants it; many lines share a millisecond, and its text. */
function timeMember(): string {
  const now = Date.now()
  if (now !== timeMs) {
    timeMs = now
    timeText = `,"time":"${new Date(now).toISOString()}"`
  }
  return timeText
}
