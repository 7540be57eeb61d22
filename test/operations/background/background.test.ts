// Background work that outlives its response: failures are reported, and a stop waits for the work.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openBackground } from '../../../lib/operations/background/background.ts'

function open() {
  const errors: unknown[] = []
  return { errors, background: openBackground((...error) => errors.push(error)) }
}

describe('work in the background', () => {
  test('that fails is reported by name, and its promise still resolves', async () => {
    const { errors, background } = open()
    const fault = new Error('x')
    await background.run('purge', () => Promise.reject(fault))
    assert.deepEqual(errors, [['purge', fault]])
  })

  test('is interrupted by the stop, which waits for it', async () => {
    const { errors, background } = open()
    const seen: string[] = []
    void background.run('purge', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      // The work takes more iterations than a stop could wait for by chance.
      await setImmediate()
      seen.push('interrupted')
    })
    await background.close()
    seen.push('closed')
    assert.deepEqual(seen, ['interrupted', 'closed'])
    assert.deepEqual(errors, [])
  })

  test('that fails because of the interruption is not reported', async () => {
    const { errors, background } = open()
    void background.run(
      'purge',
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('interrupted')))
        }),
    )
    await background.close()
    assert.deepEqual(errors, [])
  })
})
