// Sends requests for the rows of the route table. Each request has a target that is created for it.

import assert from 'node:assert/strict'
import type { Answer, TestServer } from '../helpers/server.ts'
import { trashItem } from '../helpers/trash.ts'
import { OPEN, type Place, type Row, ROWS, type Target } from './route-table.ts'

export interface Requests {
  /** Creates a record in a folder and returns its identifier. */
  make(target: Target, folderId: number, name?: string): Promise<number>
  /** Finds values for a row. Creates a target unless the options name one. */
  fill(row: Row, options: Omit<SendOptions, 'key'>): Promise<Filled>
  /** Sends one request for a row. */
  send(row: Row, options: SendOptions): Promise<Answer>
}

interface Filled {
  readonly place: Place
  /** Values for the parameters of the path. */
  readonly values: Readonly<Record<string, string>>
  /** The address with its query. */
  readonly url: string
}

export interface SendOptions {
  readonly key: string | null
  readonly folderId: number
  readonly targetId?: number
}

/** A request of the route; an open route without parameters needs no row. */
export function rowOf(route: string): Row | undefined {
  const isPlain = OPEN.test(route) && /^GET [^:*]+$/.test(route)
  const plain: Row | undefined = isPlain ? { route, needs: [], ok: 200 } : undefined
  return ROWS.find((row) => row.route === route) ?? plain
}

/** Returns a path with its parameters filled in. A parameter may have a pattern. */
export function addressOf(
  path: string,
  values: Readonly<Record<string, string>> = { feed: 'a.ics' },
): string {
  return path.replaceAll(/:(\w+)(\([^)]*\))?/g, (_, name: string) => values[name] ?? '1')
}

export function openRequests(server: TestServer): Requests {
  let count = 0
  const names = new Map<number, string>()

  async function create(object: string, json: object): Promise<number> {
    const answer = await server.call('POST', `/api/v2/${object}`, { json })
    assert.equal(answer.status, 201, answer.text)
    return answer.body[`${object}_id`]
  }

  const MAKE: Readonly<Record<Target, (folderId: number, name: string) => Promise<number>>> = {
    folder: (folderId, name) => create('asset_category', { name, parent_category_id: folderId }),
    group: (folderId, name) => create('file_group', { name, parent_category_id: folderId }),
    calendar: (folderId, name) => create('calendar', { name, parent_category_id: folderId }),
    async datatable(folderId, name) {
      const place = { name, parent_category_id: folderId }
      const id = await create('datatable', { ...place, table_schema: 'title C(255)' })
      const json = { title: 'first' }
      const entry = await server.call('POST', `/api/v2/module/datatable/${id}/${name}`, { json })
      assert.equal(entry.status, 201, entry.text)
      return id
    },
    user: (_, name) => create('user', { name }),
    key: (_, name) => create('api_key', { name, grants: [] }),
    role: (_, name) => create('role', { name, grants: ['view'] }),
    webhook: (_, name) => create('webhook', { name, url: 'https://a.invalid', status: 'paused' }),
    async trash(folderId, name) {
      const id = await create('file_group', { name, parent_category_id: folderId })
      await server.call('DELETE', `/api/v2/file_group/${id}`)
      return (await trashItem(server, 'file_group', id)).trash_id
    },
    async comment(folderId, name) {
      const target = `asset_file/${await MAKE.file(folderId, name)}`
      return create('comment', { target, text: 'Why?' })
    },
    // The creation of the first key wrote audit row 1.
    audit: async () => 1,
    async file(folderId, name) {
      const place = { name, parent_category_id: folderId }
      const page = { type: 'html', pageContent: '1', fileState: 'publish' }
      const id = await create('asset_file', { ...place, ...page })
      await server.call('POST', `/api/v2/asset_file/${id}`, { json: { pageContent: '2' } })
      return id
    },
  }

  function newName(): string {
    count += 1
    return `name-${count}`
  }

  async function make(target: Target, folderId: number, name = newName()): Promise<number> {
    const id = await MAKE[target](folderId, name)
    names.set(id, name)
    return id
  }

  async function fill(row: Row, { folderId, targetId }: Omit<SendOptions, 'key'>): Promise<Filled> {
    const [, path = ''] = row.route.split(' ')
    const id = targetId ?? (row.target === undefined ? 0 : await make(row.target, folderId))
    const known = row.target === undefined ? undefined : names.get(id)
    const name = known ?? newName()
    const values = valuesOf(String(id), name)
    const url = addressOf(path, values) + (row.query ?? '')
    return { place: { folderId, targetId: id, name }, values, url }
  }

  return {
    make,
    fill,
    async send(row, { key, ...options }) {
      const [method = ''] = row.route.split(' ')
      const { place, url } = await fill(row, options)
      if (row.form !== undefined) {
        const parts = Object.entries(row.form(place)).map(([part, value]) => ({
          name: part,
          value,
        }))
        const bytes = Buffer.from('x')
        return server.upload(
          [...parts, { name: 'Filedata', fileName: `${place.name}.html`, bytes }],
          {
            key,
          },
        )
      }
      return server.call(method, url, {
        key,
        ...(row.json && { json: row.json(place) }),
        ...(row.body !== undefined && { body: row.body }),
        ...(row.headersOf && { headers: row.headersOf(place) }),
      })
    },
  }
}

function valuesOf(id: string, name: string): Readonly<Record<string, string>> {
  return {
    id,
    number: id,
    name,
    version: '1',
    other: '2',
    type: 'datatable',
    module_id: id,
    module_name: name,
    entry_id: '1',
    change: '1',
    feed: `${name}.ics`,
  }
}
