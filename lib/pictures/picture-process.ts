// A child process that reads pictures (picture-child.ts), so that a hostile picture can end or fill only the child. It starts
// with the first job, ends when it was idle for a while, and is replaced after a crash. A job that takes too long and a job
// that nobody wants any more end the child: libvips cannot be interrupted. The signal that ended the child shows whether
// the picture did this or the machine, for example if it had no memory left.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  type Frame,
  frameHead,
  type PictureAnswer,
  type PictureJob,
  readFrames,
} from './picture-job.ts'

export interface PictureSource {
  readonly sizeBytes: number
  /** A chunk is valid until the next one is requested. */
  readonly chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export type Outcome =
  | Frame<PictureAnswer>
  /** The picture ended the child, another process did, no child could start, the time is over, or the signal was aborted. */
  | { readonly failure: 'crash' | 'killed' | 'unstarted' | 'timeout' | 'gone' }

export interface PictureProcess {
  /** Jobs run one after the other. Rejects only if the source does. */
  run(job: PictureJob, source: PictureSource, until: Until): Promise<Outcome>
  close(): Promise<void>
}

interface Until {
  /** For this job, from the moment it has its turn. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

interface Child {
  readonly process: ChildProcess
  readonly answers: AsyncGenerator<Frame<PictureAnswer>, void>
  readonly closed: Promise<'crash' | 'killed' | 'unstarted'>
}

/** A start takes about 150 ms. */
const IDLE_MS = 30_000
/** Requests come before pictures. */
const LOW_PRIORITY = 10

export function openPictureProcess({ idleMs = IDLE_MS } = {}): PictureProcess {
  let child: Child | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = child
    child = undefined
    ending?.process.kill('SIGKILL')
    await ending?.closed
  }

  async function runNow(
    job: PictureJob,
    source: PictureSource,
    { timeoutMs, signal }: Until,
  ): Promise<Outcome> {
    if (signal?.aborted === true) return { failure: 'gone' }
    clearTimeout(idle)
    child ??= tryToStart()
    if (child === undefined) return { failure: 'unstarted' }
    const running = child
    let failure: 'timeout' | 'gone' | undefined
    const stop = (why: 'timeout' | 'gone') => (): void => {
      failure = why
      running.process.kill('SIGKILL')
    }
    const onAbort = stop('gone')
    const timer = setTimeout(stop('timeout'), timeoutMs)
    signal?.addEventListener('abort', onAbort)
    try {
      await send(running, job, source)
      const answer = await running.answers.next()
      if (answer.done !== true) return answer.value
      await end()
      return { failure: failure ?? (await running.closed) }
    } catch (error) {
      // The child still waits for the rest of the source.
      await end()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (child !== undefined) idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  return {
    run(job, source, until) {
      const before = last
      const done = before.then(() => runNow(job, source, until))
      last = done.catch(() => undefined)
      return done
    },
    async close() {
      child?.process.kill('SIGKILL')
      await last
      await end()
    },
  }
}

/** Returns early if the child ends. */
async function send(
  { process: { stdin }, closed }: Child,
  job: PictureJob,
  { sizeBytes, chunks }: PictureSource,
): Promise<void> {
  if (stdin === null) return
  stdin.write(frameHead({ ...job, sizeBytes }))
  for await (const chunk of chunks()) {
    if (stdin.destroyed) return
    const written = new Promise((resolve) => {
      stdin.write(chunk, resolve)
    })
    await Promise.race([written, closed])
  }
}

/** A crash has other signals, or none. The kernel sends SIGKILL when memory runs out. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])

/** Undefined if the machine has no memory for another process. */
function tryToStart(): Child | undefined {
  try {
    return startChild()
  } catch {
    return undefined
  }
}

function startChild(): Child {
  const isSource = import.meta.url.endsWith('.ts')
  const script = fileURLToPath(
    new URL(`./picture-child${isSource ? '.ts' : '.js'}`, import.meta.url),
  )
  const options = isSource ? ['--import', import.meta.resolve('tsx')] : []
  const child = spawn(process.execPath, [...options, script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // One arena keeps the heap of glibc from growing by fragments.
    env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
  })
  // Set before the child loads libvips: every later thread inherits the priority. No process may raise its own.
  if (child.pid !== undefined) setPriority(child.pid, Math.max(LOW_PRIORITY, getPriority()))
  // A write to a child that has ended fails; the missing answer says so.
  child.stdin.on('error', () => undefined)
  child.stdout.on('error', () => undefined)
  const closed = once(child, 'close').then(
    ([, signal]) => (FROM_OUTSIDE.has(String(signal)) ? 'killed' : 'crash'),
    () => 'unstarted' as const,
  )
  return { process: child, answers: readFrames(child.stdout), closed }
}
