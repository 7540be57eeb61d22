// JSON lines on stderr, so that stdout belongs to what a command prints for its caller.

import { type Logger, pino } from 'pino'

export type Log = Logger

/** Lines are written without waiting (sync: false) and flushed by `log.flush()` at the end. */
export function openLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
}
