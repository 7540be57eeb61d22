// Progress of a migration or a check: a bar per step on a terminal, otherwise an occasional line for a log.

import { Presets, SingleBar } from 'cli-progress'
import { CmsError } from '../base/errors.ts'
import { formatBytes } from '../client/progress.ts'
import { clusterOf } from '../config/environment.ts'
import type { Place } from './places.ts'
import { orUsage } from './exit.ts'

interface StepProgress {
  readonly step: string
  readonly done: number
  readonly total: number
  readonly bytes: number
  /** 0 if unknown; then `total` counts. */
  readonly totalBytes: number
}

interface Steps {
  readonly update: (progress: StepProgress) => void
  /** Ends the line of the bar. */
  readonly close: () => void
}

const LINE_INTERVAL_MS = 5_000
const PARTS = 1_000

export function openStepProgress(stream: NodeJS.WriteStream = process.stderr): Steps {
  const show = stream.isTTY ? openBar(stream) : openLines(stream)
  let step: string | undefined
  let begunMs = 0
  return {
    update(progress) {
      if (progress.step !== step) begunMs = performance.now()
      step = progress.step
      const part = partOf(progress)
      const text = `${textOf(progress)}${leftOf(part, performance.now() - begunMs)}`
      show.update({ step: progress.step, part, text })
    },
    close: show.close,
  }
}

interface Shown {
  readonly step: string
  /** From 0 to 1. */
  readonly part: number
  readonly text: string
}

interface Show {
  update(shown: Shown): void
  close(): void
}

function openBar(stream: NodeJS.WriteStream): Show {
  let bar: { readonly step: string; readonly shown: SingleBar } | undefined
  return {
    update({ step, part, text }) {
      if (bar?.step !== step) {
        bar?.shown.stop()
        const format = `${step} {bar} {text}`
        const options = { stream, hideCursor: true, format, barsize: 30 }
        bar = { step, shown: new SingleBar(options, Presets.shades_classic) }
        bar.shown.start(PARTS, 0, { text })
      }
      bar.shown.update(Math.round(part * PARTS), { text })
    },
    close() {
      bar?.shown.stop()
      bar = undefined
    },
  }
}

/** Writes the last line of each step, and one line every five seconds. */
function openLines(stream: NodeJS.WriteStream): Show {
  let last: Shown | undefined
  let written: Shown | undefined
  let writtenMs = performance.now()
  const write = (): void => {
    if (last !== written && last !== undefined) stream.write(`${last.step}: ${last.text}\n`)
    written = last
    writtenMs = performance.now()
  }
  return {
    update(shown) {
      if (last !== undefined && last.step !== shown.step) write()
      last = shown
      if (performance.now() - writtenMs >= LINE_INTERVAL_MS) write()
    },
    close() {
      write()
      last = undefined
    },
  }
}

/** Contents differ in size, so their progress is measured in bytes. */
function partOf({ done, total, bytes, totalBytes }: StepProgress): number {
  const part = totalBytes > 0 ? bytes / totalBytes : done / Math.max(1, total)
  return Math.min(1, part)
}

function textOf({ done, total, bytes }: StepProgress): string {
  return `${done} of ${total}, ${formatBytes(bytes)}`
}

function leftOf(part: number, sinceMs: number): string {
  if (part <= 0 || part >= 1) return ''
  const seconds = Math.ceil((sinceMs * (1 - part)) / part / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)]
  if (hours > 0) return `, ${hours} h ${minutes} min left`
  return minutes > 0 ? `, ${minutes} min left` : `, ${seconds} s left`
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a long command that a signal stops between two steps, so that the command can clean up. A signal aborts the work,
 * which then throws an error with the message `told`.
 */
export async function stoppable<T>(
  told: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort(new CmsError('unavailable', told))
  for (const signal of STOPPING) process.once(signal, onSignal)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of STOPPING) process.off(signal, onSignal)
  }
}

/**
 * Returns the cluster that a command line names, completed from the environment. A missing setting ends the command like a
 * wrong flag.
 */
export function clusterAt({
  given,
  hasPassword,
}: Extract<Place, { kind: 'cluster' }>): ReturnType<typeof clusterOf> {
  if (hasPassword)
    console.error(
      'Warning: all users of this machine can see a password on a command line. Use DATABASE_URL instead.',
    )
  return orUsage(() => clusterOf(given))
}
