// Changes with well-formed values that conflict with stored records or with the current state of the record.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { make, makeFile, pointersOf } from '../../helpers/content.ts'
import { oneServer } from '../../helpers/engine.ts'
import { makeTable } from '../../helpers/modules.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const inFolder = (asset_category_id: number, role: string | null = 'editor') => ({
  asset_category_id,
  role,
})

interface Row {
  readonly what: string
  /** The address of the record to change, or of the list to extend. */
  readonly path: () => Promise<string>
  readonly json: object
  readonly pointer: string
  readonly says: RegExp
}

const toUsers = async (): Promise<string> => '/api/v2/user'
const toKeys = async (): Promise<string> => '/api/v2/api_key'
const toFile = (fields: object) => async (): Promise<string> =>
  `/api/v2/asset_file/${(await makeFile(server, fields)).asset_file_id}`

const ROWS: readonly Row[] = [
  {
    what: 'a role in a folder that is not there',
    path: toUsers,
    json: { name: 'a', category_roles: [inFolder(12), inFolder(999)] },
    pointer: '/category_roles/1/asset_category_id',
    says: /there is no 999/,
  },
  {
    what: 'two roles in one folder',
    path: toUsers,
    json: { name: 'b', category_roles: [inFolder(12), inFolder(12, null)] },
    pointer: '/category_roles',
    says: /must not name a folder twice/,
  },
  {
    what: 'a role that is no object',
    path: toUsers,
    json: { name: 'c', category_roles: ['editor'] },
    pointer: '/category_roles',
    says: /must contain (?:only )?objects/,
  },
  {
    what: 'a role that nobody knows',
    path: toUsers,
    json: { name: 'd', category_roles: [inFolder(12, 'owner')] },
    pointer: '/category_roles/0/role',
    says: /must be a role of the site/,
  },
  {
    what: 'more roles than a user may have',
    path: toUsers,
    json: { name: 'e', category_roles: Array.from({ length: 1_001 }, () => null) },
    pointer: '/category_roles',
    says: /at most 1,000 roles/,
  },
  {
    what: 'a key of a user that is not there',
    path: toKeys,
    json: { name: 'a', user_id: 999 },
    pointer: '/user_id',
    says: /there is no 999/,
  },
  {
    what: 'a grant that is named twice',
    path: toKeys,
    json: { name: 'b', grants: ['view', 'view'] },
    pointer: '/grants',
    says: /must not name a grant twice/,
  },
  {
    what: 'no state for a file that is on the site',
    path: toFile({ fileState: 'publish' }),
    json: { fileState: null },
    pointer: '/fileState',
    says: /unpublish/,
  },
  {
    what: 'the type stml for text that was not checked',
    path: toFile({}),
    json: { type: 'stml' },
    pointer: '/type',
    says: /only together with pageContent/,
  },
  {
    what: 'more files than a group may hold',
    path: async () => '/api/v2/file_group',
    json: { name: 'g', asset_file_ids: Array.from({ length: 1_001 }, (_, at) => at + 1) },
    pointer: '/asset_file_ids',
    says: /at most 1,000/,
  },
]

test('a change is rejected if it would cause', async (t) => {
  for (const { what, path, json, pointer, says } of ROWS) {
    await t.test(what, async () => {
      const answer = await server.call('POST', await path(), { json })
      assert.deepEqual(pointersOf(answer), [pointer])
      assert.match(answer.body.detail, says)
    })
  }
})

test('the command line rejects unknown roles', async () => {
  await assert.rejects(server.command({ command: 'key.create', name: 'x', role: 'owner' }), {
    code: 'invalid-content',
    message: /There is no role "owner"\. Roles are /,
  })
})

test(
  'a create that is refused leaves no gap in the identifiers',
  oneServer('numbers'),
  async () => {
    const folder = (await make(server, 'asset_category', { name: 'Numbers' })).asset_category_id
    const inIt = { parent_category_id: folder }
    const table = await makeTable(server, 'code C(9) NOTNULL UNIQUE')
    const creates: readonly (readonly [string, (name: string) => object, object])[] = [
      ['asset_category', (name) => ({ name, ...inIt }), { name: 'taken', ...inIt }],
      [
        'asset_file',
        (name) => ({ name: `${name}.html`, type: 'html', ...inIt }),
        { name: 'taken.html', type: 'html', ...inIt },
      ],
      ['file_group', (name) => ({ name }), { name: 'g', parent_category_id: 999_999 }],
      [
        'datatable',
        (name) => ({ name, table_schema: 'a C(9)' }),
        { name: 't', table_schema: 'a C(9)', parent_category_id: 999_999 },
      ],
      ['user', (name) => ({ name }), { name: 'admin' }],
      ['api_key', (name) => ({ name }), { name: 'k', user_id: 999_999 }],
      [table.url.replace('/api/v2/', ''), (code) => ({ code }), { code: 'taken' }],
    ]
    for (const [path, valid, refused] of creates) {
      const headers = { prefer: 'return=representation' }
      const post = (json: object) => server.call('POST', `/api/v2/${path}`, { json, headers })
      const idOf = async (name: string): Promise<number> => {
        const { status, body, text } = await post(valid(name))
        assert.equal(status, 201, text)
        // The answer for an entry contains the record as a member.
        const record = path.startsWith('module') ? Object.values<any>(body)[0] : body
        return record.datatable_entry_id ?? record[`${path}_id`]
      }
      await idOf('taken')
      const first = await idOf('first')
      for (let left = 3; left > 0; left -= 1) {
        const { status, text } = await post(refused)
        assert.ok(status === 409 || status === 422, `${path} ${text}`)
      }
      assert.equal(await idOf('second'), first + 1, path)
    }
  },
)
