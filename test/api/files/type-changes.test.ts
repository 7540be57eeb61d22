// Contents of a different type than the file: an upload must give the name and type, and a text is refused
// for a binary type. Otherwise a PDF would be served with the type of the earlier contents.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertProblem, fileOf, newName, partsOf, pointersOf } from '../../helpers/content.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'

const PATH = '/api/v2/asset_file'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')
let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

async function addFile(name: string, bytes: Buffer, type?: string): Promise<any> {
  const parts = partsOf({ asset_category_id: '1', name, ...(type !== undefined && { type }) })
  const { status, body } = await server.upload([...parts, fileOf(bytes, name)])
  assert.equal(status, 201)
  return body
}

type Fields = Readonly<Record<string, string>>

const replace = (id: number, fileName: string, fields: Fields = {}) =>
  server.upload([...partsOf({ asset_file_id: String(id), ...fields }), fileOf(PDF, fileName)])

const read = async (id: number): Promise<any> => (await server.call('GET', `${PATH}/${id}`)).body

/**
 * The name of the file, its type unless the name shows the type; the new file name, the parts; the missing
 * fields.
 */
const REPLACED: readonly (readonly [string, string | undefined, string, Fields, string[]])[] = [
  ['a.docx', undefined, 'b.pdf', {}, ['/name', '/type']],
  ['a.docx', undefined, 'b.pdf', { name: '' }, ['/name', '/type']],
  ['a.docx', undefined, 'b.pdf', { name: 'new' }, ['/type']],
  ['a.docx', undefined, 'b.pdf', { type: 'pdf' }, ['/name']],
  ['a.docx', undefined, 'b.PDF', { name: 'new', type: 'pdf' }, []],
  ['a.docx', undefined, 'b.pdf', { type: 'docx' }, []],
  ['a.docx', undefined, 'b.unheard', {}, ['/name', '/type']],
  ['a', 'docx', 'b.pdf', {}, ['/type']],
  ['a', 'docx', 'b.pdf', { type: 'pdf' }, []],
  ['a.docx', undefined, 'b.docx', {}, []],
  ['a.docx', undefined, 'b.DOCX', {}, []],
  ['a.jpg', undefined, 'b.jpeg', {}, []],
  ['a.html', undefined, 'b.htm', {}, []],
  ['a.txt', 'html', 'b.txt', {}, []],
  ['a.docx', undefined, 'blob', {}, []],
  ['a.docx', undefined, 'b.bin', {}, []],
]

for (const [name, type, fileName, fields, missing] of REPLACED) {
  const told = `${fileName} with ${JSON.stringify(fields)}`
  test(`replacing ${name} ${type ?? ''} by ${told} lacks ${missing.join() || 'nothing'}`, async () => {
    const unique = newName('x').replace(/\.x$/, '')
    const file = await addFile(`${unique}-${name}`, PNG, type)
    const id = file.asset_file_id
    const parts = fields['name'] ? { ...fields, name: `${unique}-${fields['name']}.pdf` } : fields
    const answer = await replace(id, fileName, parts)
    const after_ = await read(id)
    if (missing.length === 0) {
      assert.equal(answer.status, 200)
      assert.deepEqual([after_.version, after_.size], [2, PDF.length])
      assert.equal(after_.name, parts['name'] ?? file.name)
      assert.equal(after_.type, parts['type'] ?? file.type)
      return
    }
    assertProblem(answer, 'invalid-content')
    assert.deepEqual(pointersOf(answer), missing)
    assert.match(
      answer.body.errors.at(-1).detail,
      missing.includes('/type') ? /: type=\w+, or/ : /: name=b/,
    )
    assert.deepEqual(after_, file)
  })
}

test('a refused replacement changes nothing, and a replacement with another type is served with that type', async () => {
  const name = newName('docx')
  const file = await addFile(name, PNG)
  assertProblem(await replace(file.asset_file_id, 'report.pdf'), 'invalid-content')
  const pdf = name.replace('.docx', '.pdf')
  const parts = { name: pdf, type: 'pdf', fileState: 'publish' }
  assert.equal((await replace(file.asset_file_id, 'report.pdf', parts)).status, 200)
  const { status, headers } = await server.call('GET', `/file/${file.asset_file_id}/${pdf}`)
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^application\/pdf/)
})

/** Type, bytes, body, and whether the change is accepted. */
const PAGES: readonly (readonly [string, Buffer, object, boolean])[] = [
  ['pdf', PDF, { pageContent: 'text' }, false],
  ['pdf', PDF, { pageContent: '' }, false],
  ['png', PNG, { pageContent: 'text' }, false],
  ['png', PNG, { pageContent: 'text', type: 'png' }, false],
  ['docx', PNG, { pageContent: 'text' }, false],
  ['woff2', PNG, { pageContent: 'text' }, false],
  ['bin', PNG, { pageContent: 'text' }, false],
  ['png', PNG, { pageContent: 'text', type: 'html' }, true],
  ['pdf', PDF, { pageContent: PDF.toString() }, true],
  ['png', PNG, { pageContent: null }, true],
  ['html', PNG, { pageContent: 'text' }, true],
  ['svg', Buffer.from('<svg/>'), { pageContent: '<svg> </svg>' }, true],
  ['ts', Buffer.from('let a'), { pageContent: 'let b' }, true],
  ['unheard', Buffer.from('a'), { pageContent: 'b' }, true],
]

for (const [type, bytes, body, isTaken] of PAGES) {
  for (const method of ['POST', 'PATCH'] as const) {
    test(`${method} of ${JSON.stringify(body)} to a ${type} is ${isTaken ? 'accepted' : 'refused'}`, async () => {
      const file = await addFile(newName(type), bytes)
      const path = `${PATH}/${file.asset_file_id}`
      const answer = await server.call(method, path, { json: body })
      if (isTaken) return assert.equal(answer.status, 200)
      assertProblem(answer, 'invalid-content')
      assert.deepEqual(pointersOf(answer), ['/pageContent'])
      assert.match(answer.body.detail, /through POST \/upload/)
      assert.equal((await read(file.asset_file_id)).version, 1)
    })
  }
}

test('the record of a PDF can be sent back as it was read', async () => {
  const file = await addFile(newName('pdf'), PDF)
  const path = `${PATH}/${file.asset_file_id}`
  const { body } = await server.call('GET', path)
  const answer = await server.call('POST', path, { json: { ...body, title: 'Menu' } })
  assert.deepEqual([answer.status, answer.body.title], [200, 'Menu'])
})

test('a new file of a binary type cannot be created from text, alone or in a list', async () => {
  const fields = (pageContent?: string) => ({
    name: newName('png'),
    type: 'png',
    parent_category_id: 1,
    ...(pageContent !== undefined && { pageContent }),
  })
  const alone = await server.call('POST', PATH, { json: fields('text') })
  assertProblem(alone, 'invalid-content')
  assert.deepEqual(pointersOf(alone), ['/pageContent'])
  const list = await server.call('POST', PATH, { json: [fields(), fields('text')] })
  assertProblem(list, 'invalid-content')
  assert.deepEqual(pointersOf(list), ['/1/pageContent'])
  for (const json of [fields(), fields('')])
    assert.equal((await server.call('POST', PATH, { json })).status, 201)
})
