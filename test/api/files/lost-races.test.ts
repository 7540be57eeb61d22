// Several requests want the same name at once and write their bytes before the commit. One request gets the
// name, and the bytes of the others are removed before they are answered.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileOf, makeFile, newName, partsOf } from '../../helpers/content.ts'
import { type Answer, startTestServer, type TestServer } from '../../helpers/server.ts'
import { contentsOf } from '../../helpers/stored.ts'

const PATH = '/api/v2/asset_file'
const REQUESTS = 8
/** Larger than contents that are stored in the commit itself. */
const LARGE = 140 * 1024

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

type Ask = (name: string, at: number, id: string) => Promise<Answer>

const textOf = (at: number): string => String(at).repeat(LARGE)
const fieldsOf = (name: string, at: number): object => ({
  name,
  type: 'txt',
  parent_category_id: 1,
  pageContent: textOf(at),
})

const ASKS: Readonly<Record<string, Ask>> = {
  'a create': (name, at) => server.call('POST', PATH, { json: fieldsOf(name, at) }),
  'a list of creates': (name, at) => server.call('POST', PATH, { json: [fieldsOf(name, at)] }),
  'an upload': (name, at) =>
    server.upload([...partsOf({ asset_category_id: '1' }), fileOf(textOf(at), name)]),
  'a save': (name, at, id) =>
    server.call('POST', `${PATH}/${id}`, { json: { name, pageContent: textOf(at) } }),
  'the upload of a version': (name, at, id) =>
    server.upload([...partsOf({ asset_file_id: id, name }), fileOf(textOf(at), 'x')]),
}

for (const [what, ask] of Object.entries(ASKS)) {
  test(`${what} that loses the race for a name leaves no bytes`, async () => {
    const files = []
    for (let at = 0; at < REQUESTS; at += 1)
      files.push(await makeFile(server, { pageContent: textOf(REQUESTS + at) }))
    const before = new Set(await contentsOf(server.dataDir))

    const name = newName('txt')
    const answers = await Promise.all(
      files.map((file, at) => ask(name, at, String(file.asset_file_id))),
    )
    const won = answers.filter(({ status }) => status < 300)
    assert.equal(won.length, 1, answers.map(({ text }) => text.slice(0, 200)).join('\n'))
    for (const { status, body } of answers)
      if (status >= 300) assert.deepEqual([status, body.code], [409, 'name-taken'])
    const added = (await contentsOf(server.dataDir)).filter((name) => !before.has(name))
    assert.equal(added.length, 1)
  })
}
