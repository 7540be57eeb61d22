// Refusals that do not depend on the text of a file come before the check of the text. A key that may not
// write learns nothing about faults in the text, and no identifier and no byte is used.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  assertProblem,
  fileOf,
  makeFile,
  newName,
  partsOf,
  pointersOf,
  read,
  untilFiles,
  uploadFile,
} from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf } from '../../helpers/stored.ts'

const PATH = '/api/v2/asset_file'
/** Invalid as stml. */
const TEXT = '<p>'
const GRANT = 'grant-missing'
const PLACE = ['/parent_category_id']

let server: TestServer
let viewer: string
let author: string
let page: any
let other: any
before(async () => {
  server = await startTestServer()
  viewer = await server.makeKey({ grants: 'view' })
  author = await server.makeKey({ grants: 'view,create,modify' })
  const of = { type: 'stml', pageContent: '<div id="dd.0">kept</div>' }
  // A file never gets the number of a folder. Beyond the numbers of the first folders, file numbers are
  // consecutive.
  for (let id = 0; id < 12; ) id = (await makeFile(server)).asset_file_id
  page = await makeFile(server, { name: newName('stml'), ...of })
  other = await makeFile(server, { name: newName('stml'), ...of })
})
after(() => server.close())

const idOf = (file: any): string => String(file.asset_file_id)
const post = (path: string, json: unknown, key = server.key): Promise<Answer> =>
  server.call('POST', path, { json, key })
const newPage = (fields: object = {}): object => ({
  name: newName('stml'),
  type: 'stml',
  parent_category_id: 1,
  pageContent: TEXT,
  ...fields,
})
const create = (fields: object = {}, key?: string): Promise<Answer> =>
  post(PATH, newPage(fields), key)
const update = (fields: object = {}, key?: string): Promise<Answer> =>
  post(`${PATH}/${idOf(page)}`, { pageContent: TEXT, ...fields }, key)
const upload = (fields: Record<string, string>, key = server.key): Promise<Answer> =>
  server.upload([...partsOf(fields), fileOf(TEXT, newName('stml'))], { key })

const REFUSED: readonly (readonly [string, () => Promise<Answer>, string | readonly string[]])[] = [
  ['a create without the grant', () => create({}, viewer), GRANT],
  [
    'a create that publishes without the grant',
    () => create({ fileState: 'publish' }, author),
    GRANT,
  ],
  ['a create in a missing folder', () => create({ parent_category_id: 999_999 }), PLACE],
  ['a create with a taken name', () => create({ name: other.name }), 'name-taken'],
  [
    'a list of creates that publishes without the grant',
    () => post(PATH, [newPage(), newPage({ fileState: 'publish' })], author),
    GRANT,
  ],
  [
    'a list with a repeated name',
    () => post(PATH, [newPage({ name: 'twice.stml' }), newPage({ name: 'TWICE.stml' })]),
    ['/1/name'],
  ],
  ['a save without the grant', () => update({}, viewer), GRANT],
  ['a save that stages without the grant', () => update({ fileState: 'stage' }, author), GRANT],
  ['a save with a taken name', () => update({ name: other.name }), 'name-taken'],
  ['a save into a missing folder', () => update({ parent_category_id: 999_999 }), PLACE],
  ['a new upload without the grant', () => upload({ asset_category_id: '1' }, viewer), GRANT],
  [
    'a new upload with a taken name',
    () => upload({ asset_category_id: '1', name: other.name }),
    'name-taken',
  ],
  [
    'the upload of a version without the grant',
    () => upload({ asset_file_id: idOf(page) }, viewer),
    GRANT,
  ],
  [
    'the upload of a version with a taken name',
    () => upload({ asset_file_id: idOf(page), name: other.name }),
    'name-taken',
  ],
]

for (const [what, ask, expected] of REFUSED) {
  test(`${what} is refused before an identifier or bytes are used`, async () => {
    const last = await makeFile(server)
    const waitedFor = await untilFiles(server)
    const before = [await read(server, `${PATH}/${idOf(page)}`), await contentsOf(server.dataDir)]
    const answer = await ask()
    if (typeof expected === 'string') assertProblem(answer, expected as 'grant-missing')
    else assert.deepEqual(pointersOf(answer), expected)
    assert.deepEqual(
      [await read(server, `${PATH}/${idOf(page)}`), await contentsOf(server.dataDir)],
      before,
    )
    assert.equal((await makeFile(server)).asset_file_id, last.asset_file_id + waitedFor + 1)
  })
}

test('an update of only the name or only the folder is checked against the resulting folder', async () => {
  const folder = await post('/api/v2/asset_category', { name: newName() })
  const id = folder.body.asset_category_id
  await makeFile(server, { name: other.name, parent_category_id: id })
  const path = `${PATH}/${idOf(other)}`
  assertProblem(await post(path, { name: page.name }), 'name-taken')
  assertProblem(await post(path, { parent_category_id: id }), 'name-taken')
  const { body } = await post(path, { parent_category_id: id, name: newName('stml') })
  assert.equal(body.parent_category_id, id)
})

test('unchecked bytes cannot become an STML page by a change of type', async () => {
  const file = await uploadFile(server, TEXT, { fileName: newName('txt') })
  const path = `${PATH}/${idOf(file)}`
  assert.deepEqual(pointersOf(await post(path, { type: 'stml' })), ['/type'])
  assert.equal((await read(server, path)).body.type, file.type)
})
