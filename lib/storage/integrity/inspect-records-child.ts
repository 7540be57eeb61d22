// Runs in a child process: walks all records, or compares bytes and versions, and sends its findings. A damaged file
// crashes this process instead of the server. The file is opened read-only.

import { dataPathsOf } from '../embedded/data-paths.ts'
import { openLmdb } from '../embedded/lmdb-kv.ts'
import { IDENTITY_KEY, RECORDS } from '../records/format.ts'
import { EVERY_KEY } from '../records/keys.ts'
import { decodeRecord } from '../records/record-bytes.ts'
import type { RowsRead, Task } from './inspect-records.ts'
import { findCut, findOrphans } from './verify-contents.ts'
import { type Depth, verifyRecords } from './verify-records.ts'

// By default Node would open its inspector.
process.on('SIGUSR1', () => undefined)

const [dataDir = '', ...tasks] = process.argv.slice(2)
const dataPaths = dataPathsOf(dataDir)
const kv = openLmdb({ path: dataPaths.records, readOnly: true, onFailure: () => process.exit(1) })

const TASKS: Readonly<Record<Task, () => object>> = {
  all: () => walk('all'),
  contents: () => walk('contents'),
  start: () => walk('start'),
  orphans: () => ({ orphans: findOrphans(dataPaths, kv) }),
  cut: () => ({ cut: findCut(dataPaths, kv) }),
  rows: readRows,
}

function walk(depth: Depth): object {
  return { ...verifyRecords(kv, depth), isIdentified: kv.get(IDENTITY_KEY) !== undefined }
}

function readRows(): RowsRead {
  for (const { key, value } of kv.pairs(EVERY_KEY)) {
    const isRecord = RECORDS.some(({ start }) => start[0] === key[0])
    try {
      if (isRecord) decodeRecord(value)
    } catch (error) {
      const name = key.toString('latin1').replaceAll(/[^ -~]+/g, ' ')
      return { fault: `${name.trim()}: ${String(error)}` }
    }
  }
  return {}
}

const found = tasks.reduce<object>((parts, task) => ({ ...parts, ...TASKS[task as Task]() }), {})
process.send?.(found, () => {
  process.exit(0)
})
