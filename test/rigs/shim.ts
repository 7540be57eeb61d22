// Steers shim.c: compiles it once, and tells it what to do to a server by a file that both map.

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

/** In the order of `enum mode` in shim.c. */
const MODES = ['off', 'count', 'kill', 'once', 'from', 'delay', 'lie', 'short'] as const

export interface Plan {
  /**
   * kill: the process, before the call `at`. once, from: the call `at` fails, and from it on every call
   * that can answer `error`. delay: every sync takes `delayMs`. lie: syncs do nothing. short: the write `at`
   * takes half of its bytes, and the next one fails with `error`.
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
  /** Environment of the server. */
  readonly env: Readonly<Record<string, string>>
  /** Counts from 0 again. */
  set(plan: Plan): void
  /** Calls that failed, or 1 when the process was killed or a write was short. */
  hits(): number
  /** What was counted since the last `set`. */
  calls(): readonly Call[]
  close(): void
}

const INT_BYTES = 4
const HITS_AT = 5 * INT_BYTES
const CONTROL_BYTES = 6 * INT_BYTES

let library: { readonly path: string } | { readonly reason: string } | undefined

/** Why there is no shim on this machine; undefined when there is one. */
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
      // The mode last: until then nothing is done.
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

/** A line that is being written is not yet one. */
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
