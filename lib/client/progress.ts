// Progress of an import or export: a bar on a terminal, otherwise an occasional line for a log.

import { Presets, SingleBar } from 'cli-progress'
import type { OnProgress } from './run.ts'

const LINE_INTERVAL_MS = 5_000

export interface Progress {
  readonly update: OnProgress
  /** Ends the line of the bar. */
  readonly close: () => void
}

export interface ProgressOptions {
  /** The name of the task, in one word. */
  readonly label: string
  /** The unit of the counts. */
  readonly unit?: 'files' | 'rows' | undefined
  readonly stream?: NodeJS.WriteStream | undefined
}

export function openProgress(options: ProgressOptions): Progress {
  const { label, unit = 'files', stream = process.stderr } = options
  const shown = { label, unit, stream }
  return stream.isTTY ? openBar(shown) : openLines(shown)
}

interface Shown {
  readonly label: string
  readonly unit: string
  readonly stream: NodeJS.WriteStream
}

function openBar({ label, unit, stream }: Shown): Progress {
  const bar = new SingleBar(
    {
      stream,
      hideCursor: true,
      format: `${label} {bar} {value} of {total} ${unit}, {sent}, {duration_formatted}`,
      barsize: 30,
    },
    Presets.shades_classic,
  )
  bar.start(0, 0, { sent: formatBytes(0) })

  return {
    update(done, total, bytes) {
      bar.setTotal(total)
      bar.update(done, { sent: formatBytes(bytes) })
    },
    close: () => bar.stop(),
  }
}

function openLines({ label, unit, stream }: Shown): Progress {
  let line = `${label}: looking for ${unit}`
  let isNew = true
  let quietMs = 0

  function write(): void {
    // A repeated line shows how long the server has not responded.
    quietMs = isNew ? 0 : quietMs + LINE_INTERVAL_MS
    isNew = false
    stream.write(`${line}${quietMs === 0 ? '' : `, waiting for ${quietMs / 1_000} s`}\n`)
  }

  const timer = setInterval(write, LINE_INTERVAL_MS).unref()

  return {
    update(done, total, bytes) {
      const next = `${label}: ${done} of ${total} ${unit}, ${formatBytes(bytes)}`
      isNew ||= next !== line
      line = next
    },
    close: () => clearInterval(timer),
  }
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB']

export function formatBytes(bytes: number): string {
  const exponent = bytes < 1024 ? 0 : Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10))
  const unit = UNITS[exponent - 1]
  return unit === undefined ? `${bytes} bytes` : `${(bytes / 1024 ** exponent).toFixed(1)} ${unit}`
}
