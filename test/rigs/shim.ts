// Controls shim.c: compiles it once, and sends it plans for a server through a file that both map.

import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The order is that of `enum mode` in shim.c. */
const MODES = ['off', 'count', 'kill', 'once', 'from', 'delay', 'lie', 'short'] as const

export interface Plan {
  /**
   * kill: kills the process before the call `at`. once: the call `at` fails. from: every call from
   * `at` on fails if it can return `error`. delay: every sync takes `delayMs`. lie: syncs do
   * nothing. short: the write `at` writes half of its bytes, and the next write fails with `error`.
   */
  readonly mode: (typeof MODES)[number]
  readonly at?: number
  readonly error?: 'EIO' | 'ENOSPC' | 'EMFILE' | 'EROFS'
  readonly delayMs?: number
}

export interface Call {
  readonly number: number
  readonly call: string
  readonly path: string
}

export interface Shim {
  /** The environment of the server. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the plan and restarts the count at 0. */
  set(plan: Plan): void
  /** The number of failed calls, or 1 if the process was killed or a write was short. */
  hits(): number
  /** The calls since the last `set`. */
  calls(): readonly Call[]
  close(): void
}

const INT_BYTES = 4
const HITS_AT = 5 * INT_BYTES
const CONTROL_BYTES = 6 * INT_BYTES

let library: { readonly path: string } | { readonly reason: string } | undefined

/** The reason why this machine has no shim; undefined if it has one. */
export function whyNoShim(): string | undefined {
  library ??= compile()
  return 'reason' in library ? library.reason : undefined
}

export function openShim(dataDir: string): Shim {
  library ??= compile()
  if ('reason' in library) throw new Error(library.reason)
  const directory = mkdtempSync(join(tmpdir(), 'cms-shim-'))
  const journal = join(directory, 'journal')
  writeFileSync(journal, '')
  const fd = openSync(join(directory, 'control'), 'w+')
  writeSync(fd, Buffer.alloc(CONTROL_BYTES))

  return {
    env: {
      LD_PRELOAD: library.path,
      CMS_SHIM_DIR: dataDir,
      CMS_SHIM_CONTROL: join(directory, 'control'),
      CMS_SHIM_JOURNAL: journal,
    },
    set({ mode, at = 0, error, delayMs = 0 }) {
      const errno = error === undefined ? 0 : constants.errno[error]
      // The mode is written last, because the shim acts on it at once.
      writeSync(fd, ints(MODES.indexOf('off')), 0, INT_BYTES, 0)
      truncateSync(journal)
      writeSync(fd, ints(at, errno, delayMs, 0, 0), 0, CONTROL_BYTES - INT_BYTES, INT_BYTES)
      writeSync(fd, ints(MODES.indexOf(mode)), 0, INT_BYTES, 0)
    },
    hits() {
      const value = Buffer.alloc(INT_BYTES)
      readSync(fd, value, 0, INT_BYTES, HITS_AT)
      return value.readInt32LE(0)
    },
    calls: () => readJournal(journal),
    close() {
      closeSync(fd)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function ints(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer)
}

/** An incomplete line is ignored. */
function readJournal(path: string): readonly Call[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines
    .map((line) => {
      const [, number, call = '', path = ''] = /^(\d+) (\w+) (.*)$/.exec(line) ?? []
      return { number: Number(number), call, path }
    })
    .sort((left, right) => left.number - right.number)
}

function compile(): { readonly path: string } | { readonly reason: string } {
  if (process.platform !== 'linux') return { reason: 'the shim is for Linux' }
  const source = fileURLToPath(new URL('../../../test/rigs/shim.c', import.meta.url))
  const directory = mkdtempSync(join(tmpdir(), 'cms-shim-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'shim.so')
  const flags = ['-O2', '-shared', '-fPIC', '-Wall', '-Werror', '-o', path, source, '-ldl']
  const { error, status, stderr } = spawnSync('gcc', flags, { encoding: 'utf8' })
  if (error !== undefined) return { reason: 'there is no gcc to compile the shim' }
  if (status !== 0) throw new Error(`gcc: ${stderr}`)
  return { path }
}
