// Creates folders, files and groups for the tests of the System API, and checks the format of problems.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode } from '../../lib/base/errors.ts'
import { PROBLEMS } from '../../lib/base/problem-table.ts'
import type { Answer, Answering, Part, TestServer } from './server.ts'
import { contentsOfFile } from './stored.ts'
import { NODE_COUNT } from './node-pair.ts'

let count = 0

/** A name that no other record of this process has. */
export function newName(ending = 'html'): string {
  count += 1
  return `file-${count}.${ending}`
}

/** Creates a record and returns the record from the answer. */
export async function make(server: Answering, object: string, fields: object): Promise<any> {
  const answer = await server.call('POST', `/api/v2/${object}`, { json: fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Creates a page in the root folder; `fields` override the defaults. */
export function makeFile(server: Answering, fields: object = {}): Promise<any> {
  const page = { name: newName(), type: 'html', parent_category_id: 1, pageContent: '<p>1</p>' }
  return make(server, 'asset_file', { ...page, ...fields })
}

export function makeFolder(server: Answering, fields: object = {}): Promise<any> {
  return make(server, 'asset_category', { name: newName('folder'), ...fields })
}

export async function uploadFile(
  server: TestServer,
  bytes: string | Uint8Array,
  fields: Readonly<Record<string, string>> = {},
): Promise<any> {
  const { fileName = newName('bin'), ...parts } = fields
  const target = 'asset_file_id' in fields ? {} : { asset_category_id: '1' }
  const answer = await server.upload([...partsOf({ ...target, ...parts }), fileOf(bytes, fileName)])
  assert.ok(answer.status === 201 || answer.status === 200, answer.text)
  return answer.body
}

/**
 * Waits until all saved bytes are in their final place. Small contents are moved there some time
 * after their commit, and the newest record of each node last. Returns the number of files created
 * for the check.
 */
export async function untilFiles(server: TestServer): Promise<number> {
  const made: number[] = []
  while (made.length < NODE_COUNT) made.push((await makeFile(server)).asset_file_id)
  const isThere = async (id: number) => (await contentsOfFile(server.dataDir, id)).length > 0
  for (const id of made)
    for (let waitedMs = 0; !(await isThere(id)); waitedMs += 25) {
      assert.ok(waitedMs < 20_000, 'small contents stay in the records')
      await sleep(25)
    }
  return made.length
}

export function partsOf(fields: Readonly<Record<string, string>>): readonly Part[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}

export function fileOf(bytes: string | Uint8Array, fileName: string): Part {
  return { name: 'Filedata', bytes: Buffer.from(bytes), fileName }
}

/** The current record with its ETag. */
export async function read(
  server: TestServer,
  path: string,
): Promise<{ readonly body: any; readonly etag: string }> {
  const answer = await server.call('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return { body: answer.body, etag: String(answer.headers.etag) }
}

/**
 * Asserts the format of a problem: RFC 9457, the code of the table, the request ID, and no
 * internals of the machine.
 */
export function assertProblem(answer: Answer, code: ErrorCode): any {
  const { status, title } = PROBLEMS[code]
  const { body, headers } = answer
  const shown = { status: answer.status, code: body?.code, type: body?.type, title: body?.title }
  assert.deepEqual(shown, { status, code, type: `/problems/${code}`, title }, answer.text)
  assert.equal(body.status, status)
  assert.equal(headers['content-type'], 'application/problem+json')
  assert.equal(headers['cache-control'], 'no-store')
  assert.ok(typeof body.detail === 'string' && body.detail.length > 10)
  assert.ok(typeof body.request_id === 'string' && body.request_id === headers['x-request-id'])
  assert.doesNotMatch(
    answer.text,
    /\n\s+at |node:|\.(?:ts|js):\d|\/tmp\/|node_modules|cms_[0-9A-Za-z]/,
  )
  return body
}

/** The sorted JSON pointers of a rejected body. */
export function pointersOf(answer: Answer): readonly string[] {
  const { errors } = assertProblem(answer, 'invalid-content')
  return (errors as readonly { pointer: string; detail: string }[])
    .map((fault) => fault.pointer)
    .sort()
}

/**
 * Downloads until the answer has a date, because a file has none for two seconds after a change.
 */
export async function downloadSettled(server: Answering, url: string): Promise<Answer> {
  for (;;) {
    const answer = await server.call('GET', url)
    if (answer.status !== 200 || answer.headers['last-modified'] !== undefined) return answer
    await sleep(100)
  }
}
