// JSON lines on stderr, so that stdout belongs to what a command prints for its caller.

import { type Logger, pino } from 'pino'

export type Log = Logger

const FLUSH_MS = 100
const CHUNK_LENGTH = 32 * 1024

/** `log.flush()` writes at once what waits, at the end for example. */
export function openLog(level: string): Log {
  // With 0, the default, `flush` would call back before anything is written.
  const stderr = pino.destination({ fd: 2, sync: false, minLength: 1 })
  // A terminal that has gone, a disk that is full: nobody can be told, and requests go on.
  stderr.on('error', () => undefined)
  const formatters = { level: (label: string) => ({ level: label }) }
  return pino({ level, base: null, timestamp: timeMember, formatters }, gather(stderr))
}

/**
 * Lines are written without waiting, many at once: a system call for each costs more than what it tells.
 * They are gathered here, because pino's stream would measure all that waits anew with each line.
 */
function gather(stream: ReturnType<typeof pino.destination>) {
  let lines = ''

  function pass(): void {
    if (lines === '') return
    const text = lines
    lines = ''
    stream.write(text)
  }

  setInterval(pass, FLUSH_MS).unref()
  return {
    write(line: string): void {
      lines += line
      if (lines.length >= CHUNK_LENGTH) pass()
    },
    flush(onFlushed?: (error?: Error) => void): void {
      pass()
      stream.flush(onFlushed)
    },
  }
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
