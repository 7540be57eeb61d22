// A scenario for all generators. Each generator has a file in this folder that implements the scenario with
// its clients. The compiler checks the types, and the server checks the requests.

export interface Values {
  readonly title: string
  readonly count?: number
  readonly hot?: boolean
  readonly price?: string
  readonly day?: string
  readonly state?: 'new' | 'used'
  readonly tags?: ('red' | 'blue')[]
  readonly data?: { size: number[] }
  readonly also?: number[]
}

export interface Entry {
  readonly datatable_entry_id?: number
  readonly title?: string
  readonly count?: number | null
  readonly hot?: boolean | null
  readonly price?: number | string | null
  readonly day?: string | null
  readonly state?: 'new' | 'used' | null
  readonly tags?: readonly ('red' | 'blue')[] | null
  readonly data?: unknown
  readonly also?: readonly number[]
}

export interface Client {
  /** Returns the identifier. */
  createFolder(name: string): Promise<number>
  createFile(file: { folder: number; name: string; text: string }): Promise<number>
  /** Creates a list in one request; returns the names in the answer. */
  createFiles(folder: number, names: readonly string[]): Promise<readonly (string | undefined)[]>
  /** Returns the number of the live version. */
  publish(file: number): Promise<number | null | undefined>
  findFiles(qry: string): Promise<readonly (string | undefined)[]>
  deleteFile(file: number): Promise<void>
  /** Returns the status and the problem code of a rejected request. */
  refusal(file: number): Promise<readonly [number, string | undefined]>
  /** Returns the names of the columns. */
  createTable(name: string, schema: string): Promise<readonly (string | undefined)[]>
  createEntry(values: Values): Promise<Entry>
  createEntries(list: Values[]): Promise<number>
  findEntries(qry: string): Promise<readonly Entry[]>
  /** Searches with the condition in the body. */
  findEntriesByPost(qry: Record<string, unknown>): Promise<readonly Entry[]>
  /** Returns the titles of the entries to which the entry refers. */
  readRelated(entry: number): Promise<readonly unknown[] | undefined>
  updateEntry(entry: number, values: { count: number; hot: boolean }): Promise<Entry>
  deleteEntry(entry: number): Promise<void>
  /** Returns the identifier and the size. */
  upload(folder: number, name: string, bytes: Blob): Promise<readonly [number, number]>
  download(folder: number, name: string): Promise<Blob>
  health(): Promise<string>
}

export async function play(name: string, client: Client): Promise<object> {
  const folder = await client.createFolder(name)
  const file = await client.createFile({ folder, name: 'a.html', text: '<p>a</p>' })
  const several = await client.createFiles(folder, ['b.html', 'c.html'])
  const live = await client.publish(file)
  const ofFolder = `"parent_category_id":${folder}`
  const found = await client.findFiles(`{${ofFolder},"name":{"$gte":"b","$lt":"c"}}`)
  await client.deleteFile(file)
  const refused = await client.refusal(file)

  const bytes = new Uint8Array([0, 255, 13, 10, 128])
  const [uploaded, size] = await client.upload(folder, 'd.bin', new Blob([bytes]))
  await client.publish(uploaded)
  const downloaded = await client.download(folder, 'd.bin')

  const columns = await client.createTable(`${name} table`, 'title C(40) NOTNULL, when T, n I8')
  const values = { title: name, count: 7, hot: true, price: '12.50', day: '2026-01-31' }
  const created = await client.createEntry(values)
  const many = [{ title: name, price: '3' }, { title: `${name} 2` }]
  const count = await client.createEntries(many)
  const entries = await client.findEntries(`{"title":"${name}","price":{"$gt":10}}`)
  const id = entries[0]?.datatable_entry_id ?? 0
  await client.createEntry({
    title: `${name} related`,
    state: 'used',
    tags: ['blue', 'red'],
    data: { size: [3, 4] },
    also: [id],
  })
  const [related] = await client.findEntries(`{"also":${id},"tags":"red","data":{"$.size":3}}`)
  const expanded = await client.readRelated(related?.datatable_entry_id ?? 0)
  const updated = await client.updateEntry(id, { count: -1, hot: false })
  await client.deleteEntry(id)
  const left = await client.findEntries(`{"title":"${name}"}`)
  const leftByPost = await client.findEntriesByPost({ title: name })

  return {
    files: { several, live, found, refused, size },
    downloaded: [...new Uint8Array(await downloaded.arrayBuffer())],
    columns,
    created,
    count,
    found: entries.map(({ title, price, day }) => ({ title, price, day })),
    related: [related?.state, related?.tags, related?.data, related?.also?.[0] === id, expanded],
    updated: [updated.count, updated.hot, updated.price],
    left: [left.length, leftByPost.length],
    health: await client.health(),
  }
}

/** Asserts that the answer has the expected type. */
export function require<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The answer is not the one that was to come.')
  return value
}
