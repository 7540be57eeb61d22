// A search that scans more records than one page may cost. A client never mistakes an empty page for the end.
// If the time limit is reached, the page says so.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeEntries, makeTable, queryOf } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const ENTRIES = 60
const FOUND = [45, 55]
/** Records that are scanned for one page. */
const SCANNED = 10

const SEARCHES: readonly object[] = [
  { table_filter: 'needle' },
  { qry: { c: { $contains: 'needle' } } },
  { qry: { c: { $regex: 'ne+dle' } } },
  { qry: { c: { $contains: 'needle' } }, orderStr: 'n' },
  { qry: { c: { $contains: 'needle' } }, orderStr: 'n,date_added' },
  { qry: { c: { $contains: 'needle' } }, orderStr: 'n,date_added', orderDir: 'desc,asc' },
]

async function openTable(searchMs: number): Promise<{ server: TestServer; url: string }> {
  const server = await startTestServer({ limits: { scannedRecords: SCANNED, searchMs } })
  const { url } = await makeTable(server, 'c X, n I KEY')
  const entries = Array.from({ length: ENTRIES }, (_, at) => ({
    c: FOUND.includes(at + 1) ? 'a needle' : 'hay',
    n: at + 1,
  }))
  await makeEntries(server, url, entries)
  return { server, url }
}

let patient: { server: TestServer; url: string }
let hasty: { server: TestServer; url: string }
before(async () => {
  patient = await openTable(600_000)
  hasty = await openTable(0)
})
after(() => Promise.all([patient.server.close(), hasty.server.close()]))

interface Read {
  readonly ns: readonly number[]
  readonly pages: readonly any[]
}

/** Reads all pages of a search by their cursors. */
async function readAll({ server, url }: typeof patient, search: object): Promise<Read> {
  const ns: number[] = []
  const pages: any[] = []
  let cursor: string | null = null
  do {
    const query = queryOf({ ...search, length: 5, ...(cursor !== null && { cursor }) })
    const { status, body, text } = await server.call('GET', `${url}?${query}`)
    assert.equal(status, 200, text)
    ns.push(...body.datatable_entry.map((entry: any) => entry.n))
    pages.push({ ...body.page, found: body.datatable_entry.length })
    cursor = body.page.next
    assert.ok(pages.length <= ENTRIES, 'the pages do not end')
  } while (cursor !== null)
  return { ns: ns.toSorted((left, right) => left - right), pages }
}

describe('a search with few results', () => {
  for (const search of SEARCHES) {
    test(JSON.stringify(search), async () => {
      const { ns, pages } = await readAll(patient, search)
      assert.deepEqual(ns, FOUND)
      for (const { found, next } of pages.slice(0, -1))
        assert.ok(found > 0 && next !== null, 'a page is empty, and is not the last one')
      // The last page scans all records after the last match.
      assert.ok(pages.length <= FOUND.length + 1, `${pages.length} pages`)
    })

    test(`${JSON.stringify(search)} after the time limit`, async () => {
      const { ns, pages } = await readAll(hasty, search)
      assert.deepEqual(ns, FOUND)
      const empty = pages.filter(({ found, next }) => found === 0 && next !== null)
      assert.ok(empty.length > 0)
      for (const page of empty) assert.equal(page.complete, false)
      assert.equal('complete' in (pages.at(-1) ?? {}), false)
    })
  }

  test('a full page does not mention the limit', async () => {
    const { pages } = await readAll(patient, { qry: { c: 'hay' } })
    assert.equal(pages.length, Math.ceil((ENTRIES - FOUND.length) / 5))
    for (const page of pages) assert.equal('complete' in page, false)
  })
})
