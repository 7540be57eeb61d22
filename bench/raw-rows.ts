// The limit of an entry write: LMDB alone, with as many rows as the server writes and as many writes in one
// commit. Besides its record, an entry has a row in each of ten indexes: of seven columns and of three fields
// that every entry has. Each write also adds a row to the audit trail.
//   node raw-rows.js DIRECTORY ENTRIES create|update IN_FLIGHT SECONDS      prints {"perSecond":…,"cpuUs":…}
// An empty directory is filled with the entries first.

import { open } from 'lmdb'
import { articleOf } from './articles.ts'
import { runRaw } from './raw.ts'

const [path = '', entries = '10000', kind = 'create', inFlight = '50', seconds = '4'] =
  process.argv.slice(2)
const size = Number(entries)
const NOTHING = Buffer.alloc(0)
const AUDIT_ROW = Buffer.alloc(800, 'a')
const FILL = 1_000
const HEAD_BYTES = 16
/** An update sets the time of the last change; the other two fields do not change. */
const [CREATED, MODIFIED, OWNER] = [7, 8, 9]

const db = open<Buffer, Buffer>({
  path,
  encoding: 'binary',
  keyEncoding: 'binary',
  overlappingSync: false,
})

/** The caller waits for the commit, which makes the write durable. */
function put(name: Buffer, value: Buffer): void {
  void db.put(name, value)
}

function remove(name: Buffer): void {
  void db.remove(name)
}

function key(table: string, index: number, value: unknown, id: number): Buffer {
  return Buffer.from(
    `${table}${index}${String(value).padStart(8, '0')}\0${String(id).padStart(8, '0')}`,
  )
}

/** Index rows of the seven columns and of the time of the last change. */
function changing(id: number, article: number, time: number): readonly Buffer[] {
  const { body: _, ...columns } = articleOf(article) as Record<string, unknown>
  const rows = Object.values(columns).map((value, index) => key('i', index, value, id))
  return [...rows, key('i', MODIFIED, time, id)]
}

/**
 * The record begins with the values of its index rows, so that an update finds the rows to replace.
 */
function record(article: number, time: number): Buffer {
  const json = JSON.stringify(articleOf(article))
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + json.length)
  bytes.writeDoubleBE(article, 0)
  bytes.writeDoubleBE(time, HEAD_BYTES / 2)
  bytes.write(json, HEAD_BYTES)
  return bytes
}

function create(id: number, time: number): void {
  put(key('r', 0, '', id), record(id, time))
  for (const row of changing(id, id, time)) put(row, NOTHING)
  put(key('i', CREATED, time, id), NOTHING)
  put(key('i', OWNER, 1, id), NOTHING)
}

function update(id: number, article: number, time: number): void {
  const name = key('r', 0, '', id)
  const old = db.get(name)
  if (old === undefined) throw new Error(`There is no entry ${id}.`)
  const rows = changing(id, old.readDoubleBE(0), old.readDoubleBE(HEAD_BYTES / 2))
  put(name, record(article, time))
  for (const row of rows) remove(row)
  for (const row of changing(id, article, time)) put(row, NOTHING)
}

if (db.getKeysCount({ limit: 1 }) === 0) {
  for (let from = 1; from <= size; from += FILL) {
    await db.transaction(() => {
      for (let id = from; id < from + FILL && id <= size; id += 1) create(id, 0)
    })
  }
}

/** New entries get identifiers that no earlier run has used. */
const first = Date.now()
let count = 0

function write(): Promise<unknown> {
  const time = first + (count += 1)
  return db.childTransaction(() => {
    if (kind === 'create') create(time, time)
    else update((time * 7_919) % size || 1, time, time)
    put(key('a', 0, '', time), AUDIT_ROW)
  })
}

await runRaw(write, { inFlight: Number(inFlight), seconds: Number(seconds) })
await db.close()
