// Writes JSON lines to stderr, so that stdout carries only the output of a command.

import { type Logger, pino } from 'pino'

export type Log = Logger

const FLUSH_MS = 100
const CHUNK_LENGTH = 32 * 1024

/** `log.flush()` writes waiting lines at once, for example at exit. */
export function openLog(level: string): Log {
  // With 0, the default, `flush` would call back before anything is written.
  const stderr = pino.destination({ fd: 2, sync: false, minLength: 1 })
  // A closed terminal or a full disk: there is nowhere left to report to, and requests must continue.
  stderr.on('error', () => undefined)
  const formatters = { level: (label: string) => ({ level: label }) }
  return pino({ level, base: null, timestamp: timeMember, formatters }, gather(stderr))
}

/**
 * Coalesces log lines into few writes, because a system call costs more than the line itself. Lines are
 * gathered here, because pino's stream would measure its whole buffer again for each line.
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

/** The `time` member in pino's format. Lines of the same millisecond share its text. */
function timeMember(): string {
  const now = Date.now()
  if (now !== timeMs) {
    timeMs = now
    timeText = `,"time":"${new Date(now).toISOString()}"`
  }
  return timeText
}
