// The queue and the processes that read pictures.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { PictureQueue } from '../../lib/pictures/picture-queue.ts'
import { type AskedForm, openPictures, type Pictures } from '../../lib/pictures/pictures.ts'
import { halves } from '../helpers/pictures.ts'

const picture = await halves(600, 400).png().toBuffer()

/** The request for a form of the picture; `opened` counts how often the bytes are read. */
function asking(changes: Partial<AskedForm> = {}, opened = { count: 0 }): AskedForm {
  const form = { width: 30, height: undefined, fit: 'cover', format: 'png' } as const
  return {
    name: 'a',
    type: 'image/png',
    form: { ...form, quality: undefined, focus: undefined },
    sizeBytes: picture.length,
    async open() {
      opened.count += 1
      return { sizeBytes: picture.length, chunks: () => [picture], close: () => undefined }
    },
    onMade: async () => undefined,
    party: 'one',
    signal: new AbortController().signal,
    ...changes,
  }
}

async function withPictures(work: (pictures: Pictures) => Promise<void>): Promise<void> {
  const pictures = openPictures()
  try {
    await work(pictures)
  } finally {
    await pictures.close()
  }
}

/** The processes below this one that read pictures. */
function children(): readonly number[] {
  const rows = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
    encoding: 'utf8',
  })
  return [...rows.matchAll(/^\s*(\d+) .*picture-child/gm)].map(([, pid]) => Number(pid))
}

test('equal requests share one run', () =>
  withPictures(async (pictures) => {
    const opened = { count: 0 }
    const results = await Promise.all([1, 2, 3].map(() => pictures.make(asking({}, opened))))
    assert.equal(opened.count, 1)
    assert.ok(results.every((bytes) => bytes.equals(results[0] ?? Buffer.alloc(0))))
    assert.equal(children().length, 1)
  }))

test('a run continues while one request is left and ends with the last one', () =>
  withPictures(async (pictures) => {
    const [first, second] = [new AbortController(), new AbortController()]
    const opened = { count: 0 }
    const one = pictures.make(asking({ signal: first.signal }, opened))
    const two = pictures.make(asking({ signal: second.signal }, opened))
    first.abort()
    await Promise.all([one, two])

    const left = new AbortController()
    let open = (): void => undefined
    const opening = new Promise<void>((resolve) => {
      open = resolve
    })
    const asked = asking({ name: 'b', signal: left.signal })
    const never = pictures.make({
      ...asked,
      async open() {
        open()
        return { ...(await asked.open()), chunks: () => endless() }
      },
    })
    await opening
    left.abort()
    await assert.rejects(never, { code: 'unavailable' })
    assert.ok((await pictures.make(asking({ name: 'b' }))).length > 0)
  }))

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.alloc(1)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A request whose process gets the signal. */
function ending(name: string, signal: NodeJS.Signals): AskedForm {
  const asked = asking({ name })
  return {
    ...asked,
    async open() {
      for (const pid of children()) process.kill(pid, signal)
      return asked.open()
    },
  }
}

test('a picture whose process was ended from outside is made the next time', () =>
  withPictures(async (pictures) => {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await pictures.make(asking({ name: `before ${signal}` }))
      const killed = pictures.make(ending(signal, signal))
      await assert.rejects(killed, {
        code: 'unavailable',
        facts: { headers: { 'retry-after': '2' } },
      })
      assert.ok((await pictures.make(asking({ name: signal }))).length > 0)
    }
  }))

test('a picture that ends its process is refused, at once by a crash and otherwise the second time', () =>
  withPictures(async (pictures) => {
    await pictures.make(asking())
    await assert.rejects(pictures.make(ending('b', 'SIGSEGV')), { code: 'picture-refused' })
    await assert.rejects(pictures.make(asking({ name: 'b' })), { code: 'picture-refused' })

    for (const code of ['unavailable', 'picture-refused']) {
      await pictures.make(asking({ name: code }))
      await assert.rejects(pictures.make(ending('c', 'SIGKILL')), { code })
    }
    await assert.rejects(pictures.make(asking({ name: 'c' })), { code: 'picture-refused' })
    assert.ok((await pictures.make(asking({ name: 'd' }))).length > 0)
  }))

test('a failing source ends only its own request', () =>
  withPictures(async (pictures) => {
    const failing = asking({ name: 'b' })
    const made = pictures.make({
      ...failing,
      open: async () => ({
        ...(await failing.open()),
        chunks: () => {
          throw new Error('no such bytes')
        },
      }),
    })
    await assert.rejects(made, /no such bytes/)
    assert.ok((await pictures.make(asking())).length > 0)
  }))

test('the processes have a low priority and end with the server', async () => {
  const pictures = openPictures()
  await pictures.make(asking())
  await pictures.measure('image/png', { sizeBytes: picture.length, chunks: () => [picture] })
  assert.equal(children().length, 2)
  // Requests come before pictures.
  assert.ok(children().every((pid) => getPriority(pid) >= 10))
  await pictures.close()
  assert.equal(children().length, 0)
})

test('parties are served in turn, and each has a limit', async () => {
  const queue = new PictureQueue({ ofParty: 3, ofAll: 5 })
  const { signal } = new AbortController()
  const order: string[] = []
  let start = (): void => undefined
  const first = queue.run('a', signal, () => new Promise<void>((resolve) => (start = resolve)))
  const work = (name: string) => async () => void order.push(name)
  const waiting = ['a1', 'a2', 'a3'].map((name) => queue.run('a', signal, work(name)))
  await assert.rejects(queue.run('a', signal, work('a4')), { code: 'too-many-requests' })
  waiting.push(queue.run('b', signal, work('b1')), queue.run('c', signal, work('c1')))
  await assert.rejects(queue.run('d', signal, work('d1')), { code: 'unavailable' })
  start()
  await Promise.all([first, ...waiting])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3'])
})

test('a request that leaves the queue makes room', async () => {
  const queue = new PictureQueue({ ofParty: 1, ofAll: 1 })
  const { signal } = new AbortController()
  let start = (): void => undefined
  const first = queue.run('a', signal, () => new Promise<void>((resolve) => (start = resolve)))
  const left = new AbortController()
  const second = queue.run('a', left.signal, async () => assert.fail('it has left'))
  left.abort()
  await assert.rejects(second)
  const third = queue.run('a', signal, async () => 'done')
  start()
  await first
  assert.equal(await third, 'done')
})
