// Admission of work by kind: some kinds get a worker thread at once, others are queued.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../helpers/properties.ts'
import { type Admission, type Kind, KINDS, openAdmission } from '../../lib/workers/admission.ts'

const SLOW: readonly Kind[] = ['calendar', 'diff', 'pattern', 'form']

function open(threads: number, maxQueue = 1_000): Admission {
  const busy = (): Error => new Error('busy')
  return openAdmission({ threads, maxQueue, busy, gone: () => new Error('gone') })
}

/** Enters the admission queue and appends the kind to `entered` when the work is admitted. */
function enter(admission: Admission, kind: Kind, entered: Kind[]): void {
  const turn = admission.enter(kind)
  if (turn === undefined) entered.push(kind)
  else void turn.then(() => entered.push(kind))
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('no kind uses all threads, slow kinds use at most half, and long tasks leave one thread', async () => {
  for (const threads of [2, 3, 4, 8]) {
    for (const kinds of [...KINDS.map((kind) => [kind]), SLOW, [...SLOW, 'upload' as const]]) {
      if (kinds.includes('copy')) continue
      const admission = open(threads)
      const entered: Kind[] = []
      for (let count = 0; count < 4 * threads; count += 1)
        for (const kind of kinds) enter(admission, kind, entered)
      await settled()
      const isSlow = kinds.every((kind) => SLOW.includes(kind))
      const isPassword = kinds.includes('password')
      const most = isPassword ? 1 : isSlow ? Math.floor(threads / 2) : threads - 1
      assert.equal(entered.length, most, `${kinds.join()} of ${threads}`)
      assert.equal(admission.running(), most)
    }
  }
})

test('urgent work is admitted at once beside any slow work', async () => {
  for (const threads of [3, 4, 8]) {
    for (const kind of ['upload', 'save', 'page', 'body'] as const) {
      const admission = open(threads)
      const entered: Kind[] = []
      for (let count = 0; count < 50; count += 1)
        for (const slow of SLOW) enter(admission, slow, entered)
      enter(admission, kind, entered)
      await settled()
      assert.equal(entered.at(-1), kind)
    }
  }
})

test('waiting kinds are served in turn', async () => {
  const admission = open(1)
  const entered: Kind[] = []
  for (const kind of ['save', 'save', 'save', 'page', 'page', 'body'] as const)
    enter(admission, kind, entered)
  for (let count = 1; count <= 6; count += 1) {
    await settled()
    assert.equal(entered.length, count)
    admission.leave(entered.at(-1) ?? 'save')
  }
  assert.deepEqual(entered, ['save', 'page', 'body', 'save', 'page', 'save'])
})

test('any sequence of tasks uses as many threads as allowed and loses no task', async () => {
  const step = fc.oneof(fc.constantFrom(...KINDS), fc.constant('leave' as const))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(step), async (threads, steps) => {
      const admission = open(threads)
      const entered: Kind[] = []
      const here: Kind[] = []
      const leaveOne = async (): Promise<void> => {
        await settled()
        here.push(...entered.splice(0))
        const kind = here.shift()
        if (kind !== undefined) admission.leave(kind)
      }
      for (const one of steps) {
        if (one === 'leave') await leaveOne()
        else enter(admission, one, entered)
        assert.ok(admission.running() <= threads)
      }
      while (admission.running() > 0) await leaveOne()
      assert.equal(admission.waiting(), 0)
    }),
    { numRuns: 200 },
  )
})

test('a full queue refuses tasks, and a task is removed when its client disconnects', async () => {
  const admission = open(1, 2)
  assert.equal(admission.enter('body'), undefined)
  const client = new AbortController()
  const left = assert.rejects(admission.enter('body', client.signal) ?? Promise.resolve(), /gone/)
  const entered: Kind[] = []
  enter(admission, 'body', entered)
  assert.throws(() => admission.enter('body'), /busy/)
  assert.throws(() => admission.enter('body', AbortSignal.abort()), /gone/)
  client.abort()
  await left
  assert.equal(admission.waiting(), 1)
  admission.leave('body')
  await settled()
  assert.deepEqual(entered, ['body'])
})
