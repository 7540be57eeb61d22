// A concurrent writer during measurements: writer.ts as a separate process.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Load, nextTarget } from './load.ts'
import type { Orders, Written } from './writer.ts'

export interface Writer {
  /** Writes for the duration of this work. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** The writes so far. */
  written(): Written
  stop(): Promise<void>
}

export interface Writing {
  readonly url: string
  readonly load: Load
  readonly perSecond: number
  /** Expected total duration, from which the number of unique writes is computed. */
  readonly seconds: number
}

/** Rounds take slightly longer than requested. */
const MORE = 1.5

/** Resolves when the writer is ready. */
export async function startWriter({ url, load, perSecond, seconds }: Writing): Promise<Writer> {
  const child = fork(fileURLToPath(new URL('./writer.js', import.meta.url)))
  const targets = Array.from({ length: Math.ceil(perSecond * seconds * MORE) }, () => {
    const { path, body } = nextTarget(load)
    return { path, body: body?.toString() ?? '' }
  })
  const { method, headers } = load
  child.send({ url, method, headers, perSecond, targets } satisfies Orders)
  await answerOf(child)
  let last: Written | undefined
  return {
    async during(work) {
      child.send('go')
      const done = await work()
      last = await paused(child)
      return done
    },
    written: () => last ?? { asked: perSecond, reached: 0, p99: 0, errors: 0 },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

async function paused(child: ChildProcess): Promise<Written> {
  child.send('pause')
  return (await answerOf(child)) as Written
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('the writer ended before it was told to')
  })
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
  return answer
}
