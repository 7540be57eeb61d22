// How far an import or export is: a bar on a terminal, else a line now and then, for a log.

import { Presets, SingleBar } from 'cli-progress'
import type { OnProgress } from './run.ts'

const LINE_INTERVAL_MS = 5_000

export interface Progress {
  readonly update: OnProgress
  /** Ends the line of the bar. */
  readonly close: () => void
}

export interface ProgressOptions {
  /** What is going on, in one word. */
  readonly label: string
  readonly stream?: NodeJS.WriteStream | undefined
}

export function openProgress({ label, stream = process.stderr }: ProgressOptions): Progress {
  return stream.isTTY ? openBar(label, stream) : openLines(label, stream)
}

function openBar(label: string, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar(
    {
      stream,
      hideCursor: true,
      format: `${label} {bar} {value} of {total} files, {sent}, {duration_formatted}`,
      barsize: 30,
    },
    Presets.shades_classic,
  )
  bar.start(0, 0, { sent: formatBytes(0) })

  return {
    update(doneFiles, totalFiles, bytes) {
      bar.setTotal(totalFiles)
      bar.update(doneFiles, { sent: formatBytes(bytes) })
    },
    close: () => bar.stop(),
  }
}

function openLines(label: string, stream: NodeJS.WriteStream): Progress {
  let line = `${label}: looking for files\n`
  const timer = setInterval(() => stream.write(line), LINE_INTERVAL_MS).unref()

  return {
    update(doneFiles, totalFiles, bytes) {
      line = `${label}: ${doneFiles} of ${totalFiles} files, ${formatBytes(bytes)}\n`
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
