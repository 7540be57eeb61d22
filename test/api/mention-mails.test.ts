// Mails to users whom a comment mentions: who gets them, and their delivery over failures and restarts.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Config } from '../../lib/config/config.ts'
import { make, makeFile, makeFolder } from '../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { closeMailboxes, type Mailbox, openMailbox, OWN_HOST } from '../helpers/mailbox.ts'
import { readMetrics, valueOf } from '../helpers/metrics.ts'
import { makeEntry, makeTable } from '../helpers/modules.ts'
import { oneNode } from '../helpers/node-pair.ts'
import { eventually } from '../helpers/raw.ts'
import {
  closeTestServers,
  startTestServer,
  type TestOptions,
  type TestServer,
} from '../helpers/server.ts'

after(async () => {
  // A failed test leaves its server and its mailbox open.
  await Promise.all([closeTestServers(), closeMailboxes()])
  removeDataDirectories()
})

const LIST = '/api/v2/comment'
const BASE = 'https://cms.example.org/cms'
/** A second node learns of the commits of the first within a second. */
const SYNC_MS = 10_000

function mailTo(
  { host, port }: Pick<Mailbox, 'host' | 'port'>,
  language: 'en' | 'de' = 'en',
): Partial<Config> {
  const server = { host, port, tls: 'none', login: undefined } as const
  return { mail: { server, from: 'cms@example.org', language } }
}

function start(options: TestOptions): Promise<TestServer> {
  const limits = { mailRetryMs: 20, ...options.limits }
  return startTestServer({ dataDir: newDataDirectory(), ...options, limits })
}

/** A user with an email address and a role in the root folder. */
async function person(server: TestServer, name: string, fields: object = {}): Promise<number> {
  const email = `${name}@example.org`
  return (await make(server, 'user', { name, email, role: 'editor', ...fields })).user_id
}

async function page(server: TestServer): Promise<string> {
  return `asset_file/${(await makeFile(server, { name: 'plan.txt' })).asset_file_id}`
}

async function say(server: TestServer, target: string, text: string): Promise<number> {
  return (await make(server, 'comment', { target, text })).comment_id
}

async function edit(server: TestServer, id: number, json: object): Promise<void> {
  assert.equal((await server.call('POST', `${LIST}/${id}`, { json })).status, 200)
}

/** Fails if the condition does not come true. */
async function until(check: () => Promise<boolean>): Promise<void> {
  assert.ok(await eventually(check))
}

/** A comment stores its mails in its own commit, so a wrong number does not become right later. */
async function expectPending(server: TestServer, count: number): Promise<void> {
  await eventually(async () => (await pending(server)) === count, SYNC_MS)
  assert.equal(await pending(server), count, 'pending mails')
}

const metric = async (server: TestServer, name: string, labels = {}): Promise<number> =>
  valueOf(await readMetrics(server.call), name, labels) ?? Number.NaN

const pending = (server: TestServer) => metric(server, 'cms_records', { type: 'pending_mail' })
const failures = (server: TestServer) => metric(server, 'cms_mail_failures_total')

test('a mention is mailed once, with a link, and an edit mails only new names', async () => {
  const box = await openMailbox()
  const server = await start({ config: { ...mailTo(box), baseUrl: BASE } })
  await person(server, 'ada')
  await person(server, 'bob')
  const target = await page(server)
  const id = await say(server, target, 'Is this right, @ada? I am @admin.\nSee @ada.')
  const [mail] = await box.until(1)
  assert.deepEqual([mail?.from, mail?.to], ['cms@example.org', ['ada@example.org']])
  assert.ok(mail?.headers.includes('Subject: admin mentioned you: /Main/plan.txt'), mail?.raw)
  const expected = [
    'admin mentioned you in a comment on /Main/plan.txt:',
    '> Is this right, @ada? I am @admin.\n> See @ada.',
    `${BASE}/admin/content/file/${target.slice('asset_file/'.length)}?part=comments`,
    'You received this email because the comment mentions you as "ada".\n',
  ]
  assert.equal(mail?.text, expected.join('\n\n'))

  await edit(server, id, { text: 'Is this right, @ada and @bob?' })
  await box.until(2)
  await edit(server, id, { resolved: true })
  await say(server, target, 'The last one, @bob')
  const all = await box.until(3)
  const names = all.map(({ to }) => to[0])
  assert.deepEqual(names, ['ada@example.org', 'bob@example.org', 'bob@example.org'])

  const key = await server.makeKey({ user: 'ada' })
  const reply = { target, text: 'Yes.', reply_to: id }
  await server.call('POST', LIST, { key, json: reply })
  await server.call('POST', LIST, { json: { ...reply, text: 'Thanks.' } })
  const [, , , told] = await box.until(4)
  assert.deepEqual(told?.to, ['ada@example.org'])
  assert.ok(told?.headers.includes('Subject: admin replied: /Main/plan.txt'), told?.raw)
  assert.match(
    told?.text ?? '',
    /^admin replied in a comment thread on \/Main.* that you are part of/,
  )
  await until(async () => (await pending(server)) === 0)
  await server.stop()
  await box.close()
})

test('only active users with an address who see the comment get a mail', async () => {
  const box = await openMailbox()
  const server = await start({ config: mailTo(box, 'de') })
  const { asset_category_id: folder } = await makeFolder(server)
  const table = await makeTable(server, 'sku C(8)', {
    parent_category_id: folder,
    name: 'products',
  })
  const { datatable_entry_id: entry } = await makeEntry(server, table.url, { sku: 'a' })
  await person(server, 'viewer', { role: 'viewer' })
  await person(server, 'elsewhere', { category_roles: [{ asset_category_id: folder, role: null }] })
  await person(server, 'disabled', { status: 'disabled' })
  await person(server, 'without', { email: null })
  await person(server, 'several', { email: 'a@example.org, b@example.org' })
  await person(server, 'broken', { email: 'a@example.org>\r\nRCPT TO:<b@example.org' })
  await person(server, 'ada')
  const names = ['viewer', 'elsewhere', 'disabled', 'without', 'several', 'broken', 'ada']
  const text = names.map((name) => `@${name}`).join(' ')
  await say(server, `datatable/${table.id}/${entry}`, text)
  await until(async () => (await pending(server)) === 0)
  assert.deepEqual(
    box.mails.map(({ to }) => to),
    [['ada@example.org']],
  )
  await server.stop()
  await box.close()
})

test(
  'a mail waits for its server, also over a restart, and the failure shows in the metrics',
  oneNode('counts'),
  async () => {
    const place = await openMailbox({}, { host: OWN_HOST, port: 0 })
    await place.close()
    const dataDir = newDataDirectory()
    const config = mailTo(place, 'de')
    const first = await start({ dataDir, config })
    await person(first, 'ada')
    const target = await page(first)
    await say(first, target, 'One for @ada')
    await until(async () => (await failures(first)) > 1)
    const box = await openMailbox({}, place)
    await box.until(1)
    await until(async () => (await pending(first)) === 0)
    assert.equal(await metric(first, 'cms_mails_total'), 1)
    await box.close()

    await say(first, target, 'Two for @ada')
    await until(async () => (await failures(first)) > 2)
    await first.stop()
    const later = await openMailbox({}, place)
    const second = await start({ dataDir, config })
    const [mail] = await later.until(1)
    assert.match(
      mail?.text ?? '',
      /^admin hat Sie in einem Kommentar zu \/Main\/plan\.txt erwähnt:/,
    )
    assert.match(mail?.text ?? '', /\n> Two for @ada\n\nSie erhalten/)
    await until(async () => (await pending(second)) === 0)
    await second.stop()
    await later.close()
  },
)

test(
  'a refused mail is given up, a postponed one is repeated, and none is repeated forever',
  oneNode('counts'),
  async () => {
    const clock = { offsetMs: 0 }
    const now = (): Date => new Date(Date.now() + clock.offsetMs)
    const box = await openMailbox()
    const server = await start({ config: mailTo(box), now })
    for (const name of ['ada', 'bob', 'cy']) await person(server, name)
    box.refuse('ada@example.org', 550)
    box.refuse('bob@example.org', 451)
    box.refuse('cy@example.org', ...Array.from({ length: 1_000 }, () => 451))
    await say(server, await page(server), '@ada @bob @cy')
    const [mail] = await box.until(1)
    assert.deepEqual(mail?.to, ['bob@example.org'])
    await until(async () => (await pending(server)) === 1)
    clock.offsetMs = 3 * 24 * 3_600_000
    await until(async () => (await pending(server)) === 0)
    assert.equal(box.mails.length, 1)
    await server.stop()
    await box.close()
  },
)

test('the number of mails per minute and of waiting mails is limited', async () => {
  const box = await openMailbox()
  const limits = { mailsPerMinute: 1, mailsWaiting: 3 }
  const server = await start({ config: mailTo(box), limits })
  // A mail that is not sent does not count.
  await person(server, 'without', { email: null })
  for (const name of ['ada', 'bob', 'cy']) await person(server, name)
  await say(server, await page(server), '@without @ada @bob @cy')
  await box.until(1)
  await until(async () => (await pending(server)) === 1)
  assert.equal(box.mails.length, 1)
  await server.stop()
  await box.close()
})

test('one user cannot take the room of the mails of others', async () => {
  const box = await openMailbox()
  const limits = { mailsPerMinute: 1, mailsOfWriter: 2 }
  const server = await start({ config: mailTo(box), limits })
  for (const name of ['ada', 'bob', 'cy']) await person(server, name)
  const target = await page(server)
  // The first mail is sent and no longer waits.
  await say(server, target, '@ada')
  await box.until(1)
  await until(async () => (await pending(server)) === 0)
  for (const text of ['@ada @bob @cy', '@ada @bob @cy']) await say(server, target, text)
  await expectPending(server, 2)

  const key = await server.makeKey({ name: 'bob', user: 'bob' })
  const json = { target, text: '@cy' }
  const other = await server.call('POST', LIST, { json, key })
  assert.equal(other.status, 201, other.text)
  await expectPending(server, 3)
  await server.stop()
  await box.close()
})

test('a server without a mail server stores nothing', async () => {
  const server = await start({})
  await person(server, 'ada')
  await say(server, await page(server), 'For @ada')
  assert.equal(await pending(server), 0)
  await server.stop()
})
