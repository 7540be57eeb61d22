// Concurrent writers of one record. Without If-Match their fields are merged. With If-Match the slower writer
// is refused and gets the current state.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertProblem, make, makeFile, makeFolder, newName } from '../helpers/content.ts'
import { makeCalendar, makeEntry, makeTable } from '../helpers/modules.ts'
import { type Answer, startTestServer, type TestServer } from '../helpers/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

interface Kind {
  readonly name: string
  /** Makes a record and returns its address, and the address of all its fields if that differs. */
  readonly make: () => Promise<readonly [path: string, wholePath?: string]>
  /** Each field is changed by a different writer. */
  readonly fields: () => Readonly<Record<string, unknown>>
}

const KINDS: readonly Kind[] = [
  {
    name: 'asset_category',
    make: async () => [`/api/v2/asset_category/${(await makeFolder(server)).asset_category_id}`],
    fields: () => ({ title: 'T', description: 'D', name: newName() }),
  },
  {
    name: 'asset_file',
    make: async () => [`/api/v2/asset_file/${(await makeFile(server)).asset_file_id}`],
    fields: () => ({
      title: 'T',
      description: 'D',
      type: 'txt',
      pageContent: 'P',
      name: newName(),
    }),
  },
  {
    name: 'file_group',
    make: async () => {
      const { file_group_id: id } = await make(server, 'file_group', { name: newName() })
      return [`/api/v2/file_group/${id}`]
    },
    fields: () => ({ title: 'T', description: 'D', name: newName() }),
  },
  {
    name: 'datatable',
    make: async () => [(await makeTable(server, 'title C(9), body X')).path],
    fields: () => ({ name: newName('table'), title_field: 'title', datatable_type: 'Form' }),
  },
  {
    name: 'calendar',
    make: async () => [(await makeCalendar(server)).path],
    fields: () => ({ name: newName('calendar'), display_type: 'News', time_zone: 'Europe/Berlin' }),
  },
  {
    name: 'user',
    make: async () => {
      const { user_id: id } = await make(server, 'user', { name: newName('user') })
      return [`/api/v2/user/${id}`]
    },
    fields: () => ({ email: 'a@example.org', role: 'viewer' }),
  },
  {
    name: 'api_key',
    make: async () => {
      const { api_key_id: id } = await make(server, 'api_key', { name: newName('key') })
      return [`/api/v2/api_key/${id}`]
    },
    fields: () => ({ name: 'N', grants: ['view'], status: 'inactive' }),
  },
  {
    name: 'datatable_entry',
    make: async () => {
      const { url } = await makeTable(server, 'a C(9), b I, c X')
      const { datatable_entry_id: id } = await makeEntry(server, url, { a: '' })
      return [`${url}/${id}`, `${url}/${id}?fields=*`]
    },
    fields: () => ({ a: 'A', b: 2, c: 'C' }),
  },
  {
    name: 'calendar_entry',
    make: async () => {
      const { url } = await makeCalendar(server)
      const event = { event_title: 'E', start_time: '2026-01-01T10:00:00Z' }
      const { calendar_entry_id: id } = await makeEntry(server, url, event)
      return [`${url}/${id}`, `${url}/${id}?fields=*`]
    },
    fields: () => ({ event_title: 'F', location: 'L', description: 'D' }),
  },
]

async function read(path: string): Promise<Answer> {
  const answer = await server.call('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer
}

describe('C1: simultaneous partial updates of different fields without If-Match all succeed:', () => {
  for (const { name, make: makeOne, fields: newFields } of KINDS) {
    test(name, async () => {
      const fields = newFields()
      const [path, wholePath = path] = await makeOne()
      const updates = Object.entries(fields).map(([field, value]) =>
        server.call('POST', path, { json: { [field]: value } }),
      )
      for (const { status, text } of await Promise.all(updates)) assert.equal(status, 200, text)
      const { body } = await read(wholePath)
      assert.deepEqual({ ...body, ...fields }, body)
      if (name === 'asset_file') assert.equal(body.version, 1 + updates.length)
    })
  }
})

describe('E2: one of several writers with the same ETag succeeds, and the others get the current ETag:', () => {
  for (const { name, make: makeOne, fields: newFields } of KINDS) {
    test(name, async () => {
      const fields = newFields()
      const [path, wholePath = path] = await makeOne()
      const headers = { 'if-match': String((await read(wholePath)).headers.etag) }
      const answers = await Promise.all(
        Object.entries(fields).map(([field, value]) =>
          server.call('POST', path, { json: { [field]: value }, headers }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)

      const { body, headers: current } = await read(wholePath)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        const {
          current_etag: etag,
          current_version: version,
          detail,
        } = assertProblem(answer, 'precondition-failed')
        assert.ok(String(current.etag).startsWith(`${etag.slice(0, -1)}.`), `${current.etag}`)
        assert.equal(answer.headers.etag, etag)
        assert.ok(detail.includes(etag))
        assert.equal(version, body.version)
        const removed = await server.call('DELETE', path, { headers })
        assertProblem(removed, 'precondition-failed')
        assert.equal(removed.headers.etag, etag)
      }
    })
  }
})
