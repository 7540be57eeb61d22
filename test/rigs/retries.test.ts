// A server is killed at random moments while several clients create records under Idempotency-Keys.
// After the restart, each client repeats its unanswered requests under the same keys: then every
// record must exist exactly once. Answered requests are replayed byte for byte. CMS_RIG_ROUNDS is
// the number of kills.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { idempotencyRow } from '../../lib/schema/server-records.ts'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, buildForm, type Call, send } from '../helpers/server.ts'
import { tamper } from '../helpers/site.ts'
import { openProgress } from './progress.ts'

const ROUNDS = Number(process.env['CMS_RIG_ROUNDS'] ?? 5)
const CLIENTS = 8
/** The maximum number of requests in a round. */
const MAX_REQUESTS = 50
/** The number of answers that are requested again in each round. */
const SAMPLES = 20

after(removeDataDirectories)

interface Attempt {
  readonly path: string
  readonly call: Call
  /** Names or amounts that must exist exactly once. */
  readonly values: readonly string[]
}

interface Site {
  readonly key: string
  /** The address of the table. */
  readonly table: string
}

test(`H4, S1: a change that is retried after a kill is made once, in ${ROUNDS} kills`, async (t) => {
  const dataDir = newDataDirectory()
  let server = await start(dataDir)
  t.after(() => server.kill('SIGKILL'))
  const site = await makeTable(server.url, await makeKey(dataDir))
  const done: { readonly attempt: Attempt; readonly answer: Answer }[] = []
  let unanswered = 0
  let withoutAnswer = 0
  let kills = 0
  const describe = (): string =>
    `${kills} kills, ${done.length} requests, ${unanswered} sent again; ${withoutAnswer} times a change was there without its answer`
  const progress = openProgress('retries', describe)
  t.after(progress.close)

  for (let round = 1; round <= ROUNDS; round++) {
    const lost: Attempt[] = []
    const from = done.length
    const clients = Array.from({ length: CLIENTS }, () => createUntilKilled(server.url, site))
    async function createUntilKilled(url: string, { table }: Site): Promise<void> {
      for (;;) {
        const attempt = newAttempt(table, site.key)
        try {
          const answer = await send(url, 'POST', attempt.path, attempt.call)
          assert.equal(answer.status, 201, answer.text)
          done.push({ attempt, answer })
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          lost.push(attempt)
          return
        }
      }
    }

    const enough = from + 1 + Math.random() * MAX_REQUESTS
    while (done.length < enough) await sleep(5)
    await sleep(Math.random() * 20)
    await server.kill('SIGKILL')
    await Promise.all(clients)
    kills = round
    unanswered += lost.length
    withoutAnswer += await countUnanswered(dataDir)

    server = await start(dataDir)
    for (const { attempt, answer } of done.slice(-SAMPLES))
      await requireSame(server.url, attempt, answer)
    for (const attempt of lost) {
      const answer = await send(server.url, 'POST', attempt.path, attempt.call)
      assert.equal(answer.status, 201, answer.text)
      await requireSame(server.url, attempt, answer)
      done.push({ attempt, answer })
    }
  }

  const expected = done.flatMap(({ attempt }) => attempt.values).toSorted()
  assert.deepEqual((await readValues(server.url, site)).toSorted(), expected)
  t.diagnostic(describe())
  assert.ok(unanswered > 0)
  assert.equal((await server.kill('SIGTERM')).code, 0)
  assert.match((await runCli(['check', '--data', dataDir])).stdout, /\nNo faults found\.\n$/)
})

function start(dataDir: string): Promise<ChildServer> {
  return startChild(dataDir, ['--log-level', 'error'])
}

async function makeTable(url: string, key: string): Promise<Site> {
  const json = { name: 'amounts', table_schema: 'amount C(40)' }
  const { status, body } = await send(url, 'POST', '/api/v2/datatable', { key, json })
  assert.equal(status, 201)
  return { key, table: body.module_url }
}

/** Creates an entry, several entries, a folder, a page or an upload. */
function newAttempt(table: string, key: string): Attempt {
  const headers = { 'idempotency-key': randomUUID() }
  const value = randomUUID()
  const others = [value, randomUUID(), randomUUID()]
  const toAmount = (amount: string): object => ({ amount })
  const inRoot = { name: value, parent_category_id: 1 }
  const form = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', fileName: value, bytes: randomBytes(2_000) },
  ])
  const attempts: readonly [Attempt, ...Attempt[]] = [
    { path: table, call: { key, headers, json: toAmount(value) }, values: [value] },
    { path: table, call: { key, headers, json: others.map(toAmount) }, values: others },
    { path: '/api/v2/asset_category', call: { key, headers, json: inRoot }, values: [value] },
    {
      path: '/api/v2/asset_file',
      call: { key, headers, json: { ...inRoot, type: 'html', pageContent: value } },
      values: [value],
    },
    {
      path: '/upload',
      call: { key, body: form.body, headers: { ...headers, 'content-type': form.contentType } },
      values: [value],
    },
  ]
  return attempts[Math.floor(Math.random() * attempts.length)] ?? attempts[0]
}

async function requireSame(url: string, { path, call }: Attempt, answer: Answer): Promise<void> {
  const again = await send(url, 'POST', path, call)
  assert.equal(again.headers['idempotency-replayed'], 'true', again.text)
  assert.deepEqual([again.status, again.text], [answer.status, answer.text])
}

async function readValues(url: string, { key, table }: Site): Promise<readonly string[]> {
  const lists = [
    [table, 'amount'],
    ['/api/v2/asset_category?qry={"parent_category_id":1}', 'name'],
    ['/api/v2/asset_file', 'name'],
  ] as const
  const values: string[] = []
  for (const [path, field] of lists) {
    let cursor: string | null = ''
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const query: string = `${path.includes('?') ? '&' : '?'}length=1000${more}`
      const { status, body, text } = await send(url, 'GET', path + query, { key })
      assert.equal(status, 200, text)
      const { page, ...list } = body
      for (const record of Object.values<any>(list)[0]) values.push(record[field])
      cursor = page.next
    }
  }
  return values.filter((value) => value !== 'Modules')
}

/**
 * Counts changes that were committed without an answer; the replay of answers exists for this
 * window.
 */
async function countUnanswered(dataDir: string): Promise<number> {
  let count = 0
  await tamper(dataDir, async (_, records) => {
    for (const ids of records.list(idempotencyRow, [])) {
      if (records.get(idempotencyRow, ...ids)?.value.answer === null) count += 1
    }
  })
  return count
}
