// Reads records from a server at an even rate, in a process of its own: other work of a test does not delay the reads.
// With its first message, the process returns how long each read took from its planned time, in milliseconds, and ends.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'

export interface Reading {
  readonly url: string
  readonly key: string
  readonly perSecond: number
}

/** Starts to read. The result ends the reads and returns their times. */
export function startReading(reading: Reading): () => Promise<readonly number[]> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(reading)])
  return async () => {
    child.send('end')
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The reader ended with ${code}.`)
    })
    const [times] = (await Promise.race([once(child, 'message'), ended])) as [readonly number[]]
    child.disconnect()
    return times
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('disconnect', () => process.exit())
  const times = await readUntilTold(JSON.parse(process.argv[2] ?? '') as Reading)
  process.send(times)
}

async function readUntilTold({ url, key, perSecond }: Reading): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, timeout: 3_000 })
  const headers = { authorization: `Bearer ${key}` }
  const times: number[] = []
  const running: Promise<void>[] = []
  let isOver = false
  process.once('message', () => {
    isOver = true
  })
  const begin = performance.now()
  for (let count = 0; !isOver; count += 1) {
    const planned = begin + (count * 1_000) / perSecond
    const waitMs = planned - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const read = async (): Promise<void> => {
      const request = get(`${url}/api/v2/asset_category/1`, { agent, headers })
      const [response] = await once(request, 'response')
      assert.equal(response.statusCode, 200)
      await once(response.resume(), 'end')
      times.push(performance.now() - planned)
    }
    running.push(read())
  }
  await Promise.all(running)
  agent.destroy()
  return times
}
