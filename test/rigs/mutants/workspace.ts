// A copy of the project in its own directory, in which one file at a time is replaced. Because it
// is a copy without links, builds of the project do not affect it. `dist/server` is left out, so
// the launcher runs dist/lib file by file, and tests that start a whole server also run the mutant.

import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

export interface Workspace {
  readonly root: string
  /** Replaces a script in dist until the next call or `restore`. */
  put(script: string, code: string): void
  restore(): void
  /** Runs a test file up to its first failure, then removes its files and processes. */
  run(test: string, options: RunOptions): Promise<Ending>
  close(): void
}

export interface RunOptions {
  readonly limitMs: number
  /** The directory where the processes write their coverage. */
  readonly coverage?: string
}

export type Ending = 'passed' | 'failed' | 'late'

const LEFT_OUT = new Set(['node_modules', '.git', '.mutants', 'coverage'])

/** Prevents a mutant that allocates endlessly from using all memory. */
const MAX_HEAP_MIB = 1_024

export function openWorkspace(project: string): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'cms-mutant-'))
  // Some tests start a server as another user, who needs access to the code.
  chmodSync(root, 0o755)
  const temporary = join(root, 'tmp')
  copyProject(project, root)
  let replaced: { readonly path: string; readonly code: Buffer } | undefined

  function restore(): void {
    if (replaced !== undefined) writeFileSync(replaced.path, replaced.code)
    replaced = undefined
  }

  return {
    root,
    put(script, code) {
      restore()
      const path = join(root, script)
      replaced = { path, code: readFileSync(path) }
      writeFileSync(path, code)
    },
    restore,

    async run(test, { limitMs, coverage }) {
      mkdirSync(temporary)
      try {
        return await runFile({
          directory: root,
          test,
          limitMs,
          env: { TMPDIR: temporary, ...(coverage !== undefined && { NODE_V8_COVERAGE: coverage }) },
        })
      } finally {
        rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
      }
    },

    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function copyProject(project: string, root: string): void {
  for (const name of readdirSync(project)) {
    if (LEFT_OUT.has(name)) continue
    cpSync(join(project, name), join(root, name), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules') && !isLeftOut(relative(project, path)),
    })
  }
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
}

/** The rest of `content` is a site of a developer, so only the file of the project is copied. */
function isLeftOut(path: string): boolean {
  return path === 'dist/server' || (dirname(path) === 'content' && path !== 'content/README.md')
}

interface FileRun {
  readonly directory: string
  readonly test: string
  readonly limitMs: number
  readonly env: Readonly<Record<string, string>>
}

function runFile({ directory, test, limitMs, env }: FileRun): Promise<Ending> {
  // The variable is set if this code runs in a test; the file would report to that test.
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env
  const reporter = join(import.meta.dirname, 'first-failure.js')
  const args = [`--max-old-space-size=${MAX_HEAP_MIB}`, `--test-reporter=${reporter}`, test]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: { ...outer, ...env },
      stdio: 'ignore',
      // A separate process group lets servers that a test started end with the test.
      detached: true,
    })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child.pid)
    }, limitMs)
    child.once('error', reject)
    child.once('exit', (status) => {
      clearTimeout(timer)
      endGroup(child.pid)
      if (isLate) resolve('late')
      else resolve(status === 0 ? 'passed' : 'failed')
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All processes have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
