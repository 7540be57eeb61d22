// The piscina pool. `run` is typed by the table of tasks; it returns a value or throws a CmsError with the error of the
// operating system as its cause. Work waits in front of the pool, not in it, so that no kind of work takes all threads
// (admission.ts).

import type { Piscina } from 'piscina'
import { CmsError, requestEnded } from '../base/errors.ts'
import { KIND_OF, openAdmission } from './admission.ts'
import type { Outcome, Tasks } from './tasks.ts'

export interface Pool {
  run<K extends keyof Tasks>(
    name: K,
    input: Parameters<Tasks[K]>[0],
    options?: RunOptions,
  ): Promise<Awaited<ReturnType<Tasks[K]>>>
  status(): PoolStatus
  close(): Promise<void>
}

interface RunOptions {
  readonly transfer?: readonly ArrayBuffer[]
  /**
   * Ends the work, whether waiting or running, if the task checks its `stop`. No thread is ended: starting a new thread
   * would cost more than most work.
   */
  readonly signal?: AbortSignal | undefined
  /** For work that cannot check `stop`: its thread is ended. */
  readonly deadline?: Deadline | undefined
}

interface Deadline {
  readonly ms: number
  /** Builds the error that is thrown at the deadline. */
  readonly fault: () => CmsError
}

export interface PoolStatus {
  readonly waiting: number
  readonly running: number
}

export interface PoolOptions {
  /** Tasks of a kind that may wait for a thread. Further tasks get 503, because a longer queue only hides the load. */
  readonly maxQueue?: number
  /** A task that needs more memory ends its thread and gets 503; the next task gets a new thread. */
  readonly heapMb?: number
  /** For short-lived objects. Node's default is six times as large and is never returned to the system. */
  readonly youngHeapMb?: number
  /** Threads that are kept while there is nothing to do. */
  readonly idleThreads?: number
  /** Idle time after which a thread beyond those ends and frees the memory that its work took. */
  readonly idleMs?: number
}

/** The largest body, or a diff of the largest two texts, needs about half of the memory. */
const DEFAULTS = { maxQueue: 4_096, heapMb: 1_024, youngHeapMb: 8, idleThreads: 1, idleMs: 60_000 }

export function openPool(threads: number, options: PoolOptions = {}): Pool {
  const { maxQueue, heapMb, youngHeapMb, idleThreads, idleMs } = { ...DEFAULTS, ...options }
  const admission = openAdmission({ threads, maxQueue, busy, gone: requestEnded })
  /** Undefined until the first task: loading its packages and starting a thread would take a fifth of the start-up. */
  let piscina: Piscina | undefined
  let beginning: Promise<Piscina> | undefined

  async function begin(): Promise<Piscina> {
    const { Piscina } = await import('piscina')
    piscina = new Piscina({
      ...workerFile('worker'),
      minThreads: idleThreads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngHeapMb },
    })
    // A failed thread also fails its task, and the error is handled there.
    piscina.on('error', () => undefined)
    return piscina
  }

  /** If starting the pool fails, the next task tries again. */
  function beginOnce(): Promise<Piscina> {
    beginning ??= begin().catch((error: unknown) => {
      beginning = undefined
      throw busy(error)
    })
    return beginning
  }

  return {
    async run(name, input, { transfer = [], signal, deadline } = {}) {
      const kind = KIND_OF[name]
      // If a thread is free, the work starts without waiting for a microtask.
      const turn = admission.enter(kind, signal)
      if (turn !== undefined) await turn
      const outcome = await untilStopped(signal, async (stop) =>
        runInThread(piscina ?? (await beginOnce()), {
          call: { name, input, stop },
          transfer,
          deadline,
        }),
      ).finally(() => admission.leave(kind))
      if (outcome.ok) return outcome.value as never
      throw new CmsError(outcome.code, outcome.detail, { ...outcome.facts, cause: outcome.errno })
    },
    status: () => ({ waiting: admission.waiting(), running: admission.running() }),
    close: async () => (await beginning?.catch(() => undefined))?.close({ force: true }),
  }
}

/** Passes the signal to a thread as a shared number that is 0 until the signal aborts. */
async function untilStopped<T>(
  signal: AbortSignal | undefined,
  work: (stop: Int32Array | undefined) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work(undefined)
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const onAbort = (): void => void Atomics.store(stop, 0, 1)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return work(stop).finally(() => signal.removeEventListener('abort', onAbort))
}

interface Run {
  readonly call: object
  readonly transfer: readonly ArrayBuffer[]
  readonly deadline: Deadline | undefined
}

async function runInThread(
  piscina: Piscina,
  { call, transfer, deadline }: Run,
): Promise<Outcome<unknown>> {
  const signal = deadline === undefined ? undefined : AbortSignal.timeout(deadline.ms)
  try {
    const options = { transferList: [...transfer], ...(signal && { signal }) }
    return (await piscina.run(call, options)) as Outcome<unknown>
  } catch (error) {
    if (signal?.aborted === true && deadline !== undefined) throw deadline.fault()
    throw busy(error)
  }
}

function busy(cause?: unknown): CmsError {
  return new CmsError('unavailable', 'The server is busy. Try again in a second.', {
    headers: { 'retry-after': '1' },
    cause,
  })
}

/**
 * piscina first tries require() for the module. If a thread is ended while require() loads an ES module, the whole
 * process dies: a fatal error of Node 20, seen when a server stopped during its start. With this flag piscina falls back
 * to import(), which ends cleanly.
 */
const IMPORT_ONLY = '--no-experimental-require-module'

/** The compiled file or, in development, the source, which a worker can only load with tsx registered. */
function workerFile(name: string): { filename: string; execArgv: string[] } {
  const isSource = import.meta.url.endsWith('.ts')
  const filename = new URL(`./${name}${isSource ? '.ts' : '.js'}`, import.meta.url).href
  const tsx = isSource ? ['--import', import.meta.resolve('tsx')] : []
  return { filename, execArgv: [IMPORT_ONLY, ...tsx] }
}
