// A new object consists of a file of fields, a file of rules, and an entry in two lists. The test
// adds an object to a copy of the source as CONTRIBUTING.md describes and requests it from the
// server.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ChildServer, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const NOTES = '/api/v2/note'

let server: ChildServer
let key: string

before(async () => {
  const copy = copyWithNote()
  const options = { bin: join(copy, 'bin/cms-server'), env: { CMS_SOURCE: '1' } }
  const dataDir = newDataDirectory()
  server = await startChild(dataDir, [], options)
  const made = await runCli(['key', 'create', '--data', dataDir, '--name', 'test'], options)
  key = made.stdout.trim()
})

after(async () => {
  await server.kill('SIGTERM')
  removeDataDirectories()
})

test('a record of a new object is created, read, searched, changed and deleted', async () => {
  const made = await ask('POST', NOTES, { line: 'Ask Ada' })
  assert.equal(made.status, 201)
  assert.deepEqual(pickOf(made.body), { note_id: 1, line: 'Ask Ada', color: 'yellow' })

  const changed = await ask('POST', `${NOTES}/1`, { color: 'red' })
  assert.equal(changed.body['color'], 'red')
  const query = encodeURIComponent(JSON.stringify({ color: 'red', line: { $startsWith: 'Ask' } }))
  const found = await ask('GET', `${NOTES}?qry=${query}&orderStr=line`)
  assert.deepEqual((found.body['note'] as object[]).map(pickOf), [
    { note_id: 1, line: 'Ask Ada', color: 'red' },
  ])

  assert.equal((await ask('DELETE', `${NOTES}/1`)).status, 204)
  assert.equal((await ask('GET', `${NOTES}/1`)).status, 404)
})

test('the rules of a new object and of its fields are enforced', async () => {
  for (const [body, pointer] of [
    [{ line: 'Lorem ipsum' }, '/line'],
    [{ line: 'a', color: 'blue' }, '/color'],
    [{}, '/line'],
    [{ line: 'a', parent_category_id: 77 }, '/parent_category_id'],
  ] as const) {
    const refused = await ask('POST', NOTES, body)
    assert.equal(refused.status, 422)
    assert.deepEqual(
      (refused.body['errors'] as { pointer: string }[]).map((error) => error.pointer),
      [pointer],
    )
  }
})

test('a folder with such a record is not empty, and a recursive delete includes the record', async () => {
  const folder = await ask('POST', '/api/v2/asset_category', { name: 'board' })
  const { asset_category_id: id } = folder.body
  const { body: hung } = await ask('POST', NOTES, { line: 'here', parent_category_id: id })

  const refused = await ask('DELETE', `/api/v2/asset_category/${Number(id)}`)
  assert.equal(refused.status, 409)
  assert.equal((refused.body['counts'] as Record<string, number>)['note'], 1)

  const gone = await ask('DELETE', `/api/v2/asset_category/${Number(id)}?recursive=true`)
  assert.equal(gone.status, 204)
  assert.equal((await ask('GET', `${NOTES}/${Number(hung['note_id'])}`)).status, 404)
})

test('the documents and the audit trail include the new object', async () => {
  const { body: document } = await ask('GET', '/public/api/system/swagger.json')
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  const found = Object.values(paths).flatMap((item) => Object.values(item))
  const create = found.find(({ operationId }) => operationId === 'create_note')
  assert.match(create?.description ?? '', /A note is no file/)

  const query = encodeURIComponent(JSON.stringify({ object: 'note', action: 'delete' }))
  const { body } = await ask('GET', `/api/v2/audit?qry=${query}`)
  assert.ok((body['audit'] as object[]).length > 0)
})

interface Operation {
  readonly operationId?: string
  readonly description?: string
}

/** Copies the source with the new object next to the installed packages. */
function copyWithNote(): string {
  const copy = newDataDirectory()
  mkdirSync(copy, { recursive: true })
  for (const part of ['lib', 'bin', 'content', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

  add(copy, 'note.ts', 'lib/schema/note.ts')
  add(copy, 'note-rules.ts', 'lib/operations/notes/note-rules.ts')
  list(copy, 'lib/schema/catalog.ts', { after: 'ObjectType[] = [', item: 'note' }, './note.ts')
  list(
    copy,
    'lib/api/objects.ts',
    { after: 'ObjectRules[] = [', item: 'noteRules' },
    '../operations/notes/note-rules.ts',
  )
  return copy
}

/** Rewrites the imports for the new location of the file. */
function add(copy: string, name: string, target: string): void {
  const up = '../'.repeat(target.split('/').length - 2)
  const text = readFileSync(join(ROOT, 'test/operations/object', name), 'utf8')
    .replaceAll("'../../../lib/", `'${up}`)
    .replace("'./note.ts'", `'${up}schema/note.ts'`)
  mkdirSync(dirname(join(copy, target)), { recursive: true })
  writeFileSync(join(copy, target), text)
}

function list(
  copy: string,
  path: string,
  { after: head, item }: { readonly after: string; readonly item: string },
  from: string,
): void {
  const text = readFileSync(join(copy, path), 'utf8')
  assert.ok(text.includes(head))
  const listed = text.replace(head, `${head}\n  ${item},`)
  writeFileSync(join(copy, path), `import { ${item} } from '${from}'\n${listed}`)
}

function pickOf(record: object): object {
  const { note_id, line, color } = record as Record<string, unknown>
  return { note_id, line, color }
}

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
}
