// A node reads the bytes of a file from the store while another node deletes the file. A deleted
// file is not found, a changed file is reported as changed, and nothing looks like data loss in the
// store.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '../../helpers/cluster.ts'
import { assertProblem, makeFile } from '../../helpers/content.ts'
import { eventually } from '../../helpers/raw.ts'
import type { Answer, TestServer } from '../../helpers/server.ts'
import { startTwo } from './two-nodes.ts'

const cluster = await startCluster()
/** Deletions remove the bytes at once. */
const NO_TRASH = { config: { trashDays: 0 } }
const FILES = '/api/v2/asset_file'

/** Too large to be stored inline in the commit. */
const TEXT = 'x'.repeat(300_000)
const PAGE = `<div id="dd.0">${TEXT}</div>`
/** More bytes than a single call fetches. */
const LONG_TEXT = 'x'.repeat(9_000_000)

interface Deleted {
  readonly id: number
  readonly url: string
}

type Ask = (b: TestServer, file: Deleted, key: string) => Promise<Answer>
type Made = readonly [type: string, text: string]

const asks =
  (method: string, path: string, json?: object): Ask =>
  (b, { id }, key) =>
    b.call(method, `${FILES}/${id}${path}`, { key, ...(json !== undefined && { json }) })
const html: Made = ['html', TEXT]
const stml: Made = ['stml', PAGE]

/** Requests that come too late to read or change the deleted file. */
const GONE: readonly (readonly [what: string, made: Made, ask: Ask])[] = [
  ['a record', html, asks('GET', '')],
  ['the content of a version', html, asks('GET', '/versions/2/content')],
  ['a comparison', html, asks('GET', '/versions/1/diff/2')],
  ['a download', html, (b, { url }, key) => b.call('GET', url, { key })],
  ['a save of the same text', html, asks('POST', '', { pageContent: `${TEXT}2` })],
  ['a page that is staged', stml, asks('GET', '/stage')],
  ['a page that is published', stml, asks('POST', '', { fileState: 'publish' })],
  ['a page that is restored', stml, asks('POST', '/versions/1/restore', {})],
]

/** Requests whose change was committed before; the answer comes without the text. */
const CHANGED: readonly (readonly [what: string, made: Made, ask: Ask])[] = [
  ['a change', html, asks('POST', '', { title: 'changed' })],
  ['a publication', html, asks('GET', '/publish')],
  ['a version that is restored', html, asks('POST', '/versions/1/restore', {})],
]

async function makeVersions(a: TestServer, [type, text]: Made): Promise<Deleted> {
  const pageContent = type === 'stml' ? text.replace('x', 'y') : `${text}1`
  const fields = { type, name: `${type}-${Math.random()}`, fileState: 'publish' }
  const { asset_file_id: id, url } = await makeFile(a, { pageContent, ...fields })
  const next = { pageContent: type === 'stml' ? text : `${text}2`, fileState: 'publish' }
  const saved = await a.call('POST', `${FILES}/${id}`, { json: next })
  assert.equal(saved.status, 200, saved.text)
  return { id, url }
}

interface Meanwhile {
  readonly a: TestServer
  readonly file: Deleted
  /** The number of answers that the store gives before it holds one back. */
  readonly after?: number
}

/**
 * One node handles a request and asks the store. The store answers after the other node has deleted
 * the file.
 */
async function deleteMeanwhile(
  { a, file, after = 0 }: Meanwhile,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { store } = cluster
  const when = new RegExp(`^(?:GET|HEAD) .*/${file.id}\\.`)
  store.break({ fault: 'held', when, after })
  try {
    const begun = store.asked.length
    const answering = ask()
    const isHeld = (): boolean =>
      store.asked.slice(begun).filter((line) => when.test(line)).length > after
    for (let waitedMs = 0; !isHeld(); waitedMs += 5) {
      assert.ok(waitedMs < 5_000, 'the store was not asked')
      await sleep(5)
    }
    assert.equal((await a.call('DELETE', `${FILES}/${file.id}`)).status, 204)
    store.mend()
    return await answering
  } finally {
    store.mend()
  }
}

test('content that another node deletes while it is written does not stay in the store', async (t) => {
  const [a, b] = await startTwo(t, cluster, NO_TRASH)
  const { store } = cluster
  store.break({ fault: 'held', when: /^PUT / })
  try {
    const { asset_file_id: id } = await makeFile(a, { pageContent: 'rides in its commit' })
    const asked = (method: string): number =>
      store.asked.filter((line) => line.startsWith(method) && line.includes(`/${id}.`)).length
    assert.ok(await eventually(() => asked('PUT') === 1, 20_000), 'it was not written out')
    const deleted = await b.call('DELETE', `${FILES}/${id}`, { key: a.key })
    assert.equal(deleted.status, 204)
    store.mend()
    assert.ok(await eventually(() => asked('DELETE') === 2, 20_000), 'it stays')
    assert.ok(![...store.objects.keys()].some((key) => key.includes(`/${id}.`)))
  } finally {
    store.mend()
  }
})

test('content that another node deletes meanwhile', async (t) => {
  const [a, b] = await startTwo(t, cluster, NO_TRASH)
  const asked = async (made: Made, ask: Ask): Promise<Answer> => {
    const file = await makeVersions(a, made)
    return deleteMeanwhile({ a, file }, () => ask(b, file, a.key))
  }

  for (const [what, made, ask] of GONE)
    await t.test(`${what} is not found`, async () => {
      assertProblem(await asked(made, ask), 'not-found')
    })

  for (const [what, made, ask] of CHANGED)
    await t.test(`${what} is reported`, async () => {
      const { status, body, text } = await asked(made, ask)
      assert.deepEqual([status, body.pageContent], [200, null], text.slice(0, 500))
    })

  await t.test('a partly fetched text is not found', async () => {
    const file = await makeVersions(a, ['html', LONG_TEXT])
    // The store answers with the size, then the first part, then the rest.
    const answer = await deleteMeanwhile({ a, file, after: 2 }, () =>
      b.call('GET', `${FILES}/${file.id}`, { key: a.key }),
    )
    assertProblem(answer, 'not-found')
  })

  await t.test('a list has null for the text of the deleted file', async () => {
    const [gone, stays] = [await makeVersions(a, html), await makeVersions(a, html)]
    const qry = JSON.stringify({ asset_file_id: { $in: [gone.id, stays.id] } })
    const list = `${FILES}?fields=asset_file_id,pageContent&qry=${encodeURIComponent(qry)}`
    const { status, body, text } = await deleteMeanwhile({ a, file: gone }, () =>
      b.call('GET', list, { key: a.key }),
    )
    assert.equal(status, 200, text.slice(0, 500))
    const texts = new Map(body.asset_file.map((one: any) => [one.asset_file_id, one.pageContent]))
    assert.deepEqual([texts.get(gone.id), texts.get(stays.id)], [null, `${TEXT}2`])
  })
})
