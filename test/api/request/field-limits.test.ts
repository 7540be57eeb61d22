// The limits of fields in the documents. Each field of each body accepts as much as its schema allows, on
// create and on update, and one more is refused with its pointer. New fields are included automatically.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../../lib/shared/actions.ts'
import { operationsOf } from '../../docs/document.ts'
import { fileOf, makeFile, newName, pointersOf } from '../../helpers/content.ts'
import { newDataDirectory, removeDataDirectories } from '../../helpers/data-directory.ts'
import { makeCalendar, makeTable } from '../../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer
/** The file that comments are about. */
let fileId: number

before(async () => {
  server = await startTestServer({ dataDir: newDataDirectory() })
  await makeCalendar(server)
  await makeTable(server, 'word C(5), list X')
  fileId = (await makeFile(server)).asset_file_id
})
after(async () => {
  await server.stop()
  removeDataDirectories()
})

/** The required fields of a record other than the tested field, by the name of its object. */
const NEEDED: Readonly<Record<string, () => object>> = {
  asset_category: () => ({ name: newName('folder') }),
  asset_file: () => ({ name: newName('txt'), type: 'txt', parent_category_id: 1 }),
  file_group: () => ({ name: newName('group') }),
  datatable: () => ({ name: newName('table'), table_schema: 'title C(9)' }),
  calendar: () => ({ name: newName('calendar') }),
  user: () => ({ name: newName('user') }),
  api_key: () => ({ name: newName('key') }),
  role: () => ({ name: newName('role'), grants: ['view'] }),
  webhook: () => ({ name: newName('hook'), url: 'https://a.invalid', status: 'paused' }),
  comment: () => ({ target: `asset_file/${fileId}`, text: 'x' }),
  datatable_entry: () => ({ word: 'x' }),
  calendar_entry: () => ({ event_title: 'x', start_time: '2026-01-01' }),
}

/** An emoji is one character, but two UTF-16 units and four bytes. */
function textOf(letter: string): (size: number) => string {
  return (size) => letter.repeat(size)
}

const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1)

/** Values of a given size for fields that do not accept emojis. */
const VALUES: Readonly<Record<string, (size: number) => unknown>> = {
  'asset_file.name': (size) => newName().padEnd(size, 'x'),
  'asset_file.type': textOf('x'),
  'asset_file.focus': (size) => '0.1234,0.1234567890'.slice(0, size),
  'asset_category.redirects': (size) =>
    numbers(size).map((at) => ({ from: `/${at}`, to: '/', status: 308 })),
  'file_group.asset_file_ids': numbers,
  'asset_file.pinned_versions': numbers,
  'comment.target': (size) => 'asset_file/1'.padEnd(size, '0'),
  'webhook.url': (size) => 'https://a.invalid/'.padEnd(size, 'x'),
  'webhook.objects': (size) => [...CHANGED_OBJECTS, 'user'].slice(0, size),
  'webhook.actions': (size) => [...CHANGE_ACTIONS, 'update'].slice(0, size),
  'user.category_roles': (size) =>
    numbers(size).map((id) => ({ asset_category_id: id, role: 'viewer' })),
  'datatable.columns': (size) => numbers(size).map((at) => ({ name: `c${at}` })),
  'calendar.columns': (size) => numbers(size).map((at) => ({ name: `c${at}` })),
  'datatable.public_columns': (size) => numbers(size).map((at) => `c${at}`),
  'calendar.public_columns': (size) => numbers(size).map((at) => `c${at}`),
  'calendar_entry.exdates': (size) => Array(size).fill('2026-01-02'),
  'calendar_entry.rdates': (size) => Array(size).fill('2026-01-02'),
  'calendar_entry.rrule': (size) => `FREQ=DAILY;BYMONTH=${'1,'.repeat(size)}`.slice(0, size),
}

/** Errors for values of the maximum size that must also name an existing record. */
const MEANT: Readonly<Record<string, RegExp>> = {
  'asset_file.pinned_versions': /which is not a version of the file/,
  'file_group.asset_file_ids': /must be the identifier of an asset file; there is no \d+/,
  'user.category_roles': /there is no \d+/,
  'comment.target': /must be asset_file/,
  'user.role': /must be a role of the site/,
  'datatable.title_field': /column/,
  'calendar.title_field': /column/,
  'calendar.time_zone': /must be a name in the IANA database/,
  'datatable.columns': /read-only, except for renames/,
  'calendar.columns': /read-only, except for renames/,
  'calendar_entry.rdates': /must be empty without an rrule/,
  'datatable.public_columns': /which is not a column/,
  'calendar.public_columns': /which is not a column/,
}

interface Limit {
  readonly object: string
  readonly field: string
  readonly most: number
  /** The address of the list. */
  readonly path: string
  readonly isUpdate: boolean
}

async function limitsOf(part: 'system' | 'module'): Promise<readonly Limit[]> {
  const { body: document } = await server.call('GET', `/public/api/${part}/swagger.json`)
  // PATCH is the same operation as the POST of the same route.
  const operations = operationsOf(document).filter(({ name }) => !name.startsWith('PATCH '))
  return operations.flatMap(({ name, operation }) => {
    const body = operation.requestBody?.content['application/json']?.schema
    const properties = body?.properties ?? {}
    const path = `/api/v2${name.replace('POST ', '').replace(/\/\{\w+\}$/, '')}`
    const [, kind, object = `${kind}_entry`] =
      /^\/api\/v2\/(?:module\/(\w+)\/|(\w+)$)/.exec(path) ?? []
    const isUpdate = name.endsWith('}')
    // Credentials are tested in limits.test.ts and in test/api/people.
    if (!(object in NEEDED)) return []
    return Object.entries<any>(properties)
      .map(([field, { maxItems, maxLength }]) => ({ field, most: maxItems ?? maxLength }))
      .filter(({ most }) => most !== undefined)
      .map((limit) => ({ ...limit, object, path, isUpdate }))
  })
}

/** The names of users and roles, and the target of a comment, cannot change. */
function isTried({ object, field, isUpdate }: Limit): boolean {
  if (object === 'comment' && field === 'target') return !isUpdate
  return !(isUpdate && (object === 'user' || object === 'role') && field === 'name')
}

/** Creates a record with this value, or creates a record without the value and then changes it. */
async function send({ object, field, path, isUpdate }: Limit, value: unknown): Promise<Answer> {
  const needed = NEEDED[object]?.() ?? assert.fail(`what does a ${object} need?`)
  const post = (to: string, json: object): Promise<Answer> =>
    server.call('POST', to, { json, headers: { prefer: 'return=representation' } })
  if (!isUpdate) return post(path, { ...needed, [field]: value })
  const made = await post(path, needed)
  assert.equal(made.status, 201, made.text)
  return post(String(made.headers.location), { [field]: value })
}

/** A lower number would mean that the limits are no longer read from the documents. */
const LEAST = 50

test('a field accepts its documented maximum and no more', async (t) => {
  const limits = [...(await limitsOf('system')), ...(await limitsOf('module'))]
  assert.ok(limits.length >= LEAST, `${limits.length} limits`)
  for (const limit of limits.filter(isTried)) {
    const { object, field, most, isUpdate } = limit
    const name = `${object}.${field}`
    await t.test(`${name} takes ${most} on ${isUpdate ? 'update' : 'create'}`, async () => {
      const valueOf = VALUES[name] ?? (isUpdate ? textOf('\u{1f4c2}') : textOf('\u{1f4c1}'))
      const taken = await send(limit, valueOf(most))
      const meant = MEANT[name]
      if (meant === undefined) assert.ok(taken.status < 300, taken.text)
      else assert.match(taken.body.errors[0].detail, meant)

      const refused = await send(limit, valueOf(most + 1))
      assert.deepEqual(pointersOf(refused), [`/${field}`])
      assert.match(refused.body.detail, new RegExp(`at most ${most.toLocaleString('en')} `))
    })
  }
})

test('a field of an upload form has the same limit as in a JSON body', async () => {
  for (const [name, letter, most] of [
    ['name', 'u', 255],
    ['type', 'x', 32],
    ['title', '\u{1f4c1}', 255],
  ] as const) {
    const upload = (size: number): Promise<Answer> =>
      server.upload([
        { name: 'asset_category_id', value: '1' },
        { name, value: letter.repeat(size) },
        fileOf('x', newName('txt')),
      ])
    const taken = await upload(most)
    assert.equal(taken.status, 201, taken.text)
    assert.deepEqual(pointersOf(await upload(most + 1)), [`/${name}`])
  }
})
