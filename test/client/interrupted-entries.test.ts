import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatEntriesImport } from '../../lib/client/summary.ts'
import { type RowRange } from '../../lib/client/row-ranges.ts'
import { openProxy } from './proxy.ts'
import { openServer, type TestServer } from './server.ts'
import { fileWith, makeTable } from './tables.ts'

const ROWS = 12_000

let server: TestServer
before(async () => {
  server = await openServer()
})
after(() => server.close())

function csv(rows: number): string {
  return `amount\n${Array.from({ length: rows }, (_, at) => `${at + 1}\n`).join('')}`
}

function numbersOf(ranges: readonly RowRange[]): readonly number[] {
  return ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  )
}

/** Freezes the server first. Otherwise the kill could fall between two answers and lose none. */
async function killWhileAnswersAreDue(): Promise<void> {
  server.freeze()
  await sleep(300)
  await server.kill()
  await server.restart()
}

it('H4, S1: an import continues after a kill of the server and creates each entry once', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const source = await fileWith(t, 'many.csv', csv(ROWS))
  let killing: Promise<void> | undefined
  const summary = await table.load(source, {
    onProgress(done) {
      if (done >= 3_000) killing ??= killWhileAnswersAreDue()
    },
  })
  await killing

  const { created, failed, stopped, inDoubt, unsent } = summary
  assert.deepEqual(
    { created, failed, stopped, inDoubt, unsent },
    {
      created: ROWS,
      failed: 0,
      stopped: undefined,
      inDoubt: [],
      unsent: [],
    },
  )
  const amounts = (await table.read()).map(({ amount }) => Number(amount))
  assert.deepEqual(
    amounts.toSorted((left, right) => left - right),
    numbersOf([{ first: 1, last: ROWS }]),
  )
})

it('new entries whose response was lost are sent again and exist once', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const { url, takeLost } = await openProxy(t, server.url, { losesAnswers: true })
  const { created, stopped } = await table.load(await fileWith(t, 'some.csv', csv(2_500)), { url })
  assert.deepEqual([created, stopped], [2_500, undefined])
  assert.ok(takeLost().length > 0)
  assert.equal((await table.read()).length, 2_500)
})

it('new entries are reported as unknown if the run is stopped before their response', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const stop = new AbortController()
  const { url, takeLost } = await openProxy(t, server.url, { losesAnswers: 'all' })
  const source = await fileWith(t, 'some.csv', csv(2_500))
  const loading = table.load(source, { url, concurrency: 1, signal: stop.signal })
  while (takeLost().length === 0) await sleep(10)
  stop.abort(new Error('enough'))
  const summary = await loading

  assert.deepEqual([summary.created, summary.failed], [0, 0])
  assert.deepEqual(summary.inDoubt, [{ first: 1, last: 500 }])
  assert.deepEqual(summary.unsent, [{ first: 501, last: 2_500 }])
  assert.equal((await table.read()).length, 500)

  const text = formatEntriesImport(summary)
  assert.match(text, /^in doubt: rows 1-500 /m)
  assert.match(text, /^not sent: rows 501-2500\. /m)
})

it('changes whose response was lost are sent again', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  await table.load(await fileWith(t, 'new.csv', csv(2)))
  const { url, takeLost } = await openProxy(t, server.url, { losesAnswers: true })
  const source = await fileWith(t, 'next.csv', 'datatable_entry_id,amount\n1,10\n2,20\n')
  const { updated, stopped } = await table.load(source, { url, update: true })

  assert.deepEqual([updated, stopped, takeLost().length], [2, undefined, 2])
  assert.deepEqual(await table.read(), [{ amount: 10 }, { amount: 20 }])
})

it('new entries that a busy server refused are sent again', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const { url } = await openProxy(t, server.url, { losesAnswers: false, isBusyFirst: true })
  const { created, stopped } = await table.load(await fileWith(t, 'a.csv', csv(1_500)), { url })
  assert.deepEqual([created, stopped], [1_500, undefined])
  assert.equal((await table.read()).length, 1_500)
})

it('a stopped import completes running requests and reports the remaining rows', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const source = await fileWith(t, 'many.csv', csv(ROWS))
  const stop = new AbortController()
  const { created, stopped, inDoubt, unsent } = await table.load(source, {
    signal: stop.signal,
    onProgress(done) {
      if (done > 0) stop.abort(new Error('enough'))
    },
  })
  assert.equal(stopped, 'enough')
  assert.deepEqual(inDoubt, [])
  assert.equal((await table.read()).length, created)
  assert.equal(created + numbersOf(unsent).length, ROWS)
  assert.ok(numbersOf(unsent).length > 0)
})

it('a key without create stops the import before any row', async (t) => {
  const table = await makeTable(server, 'amount I NOTNULL')
  const key = await server.makeKey('--grants', 'view')
  const { created, failed, stopped, unsent } = await table.load(
    await fileWith(t, 'a.csv', csv(10)),
    { key },
  )
  assert.deepEqual([created, failed, unsent], [0, 0, [{ first: 1, last: 10 }]])
  assert.match(stopped ?? '', /create/)
})
