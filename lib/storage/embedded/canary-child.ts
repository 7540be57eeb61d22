// Runs in a child process: walks all records, or compares bytes and versions, and sends what it found. A
// damaged file kills this process and not the server. The file is opened for reading alone.

import { IDENTITY_KEY, layoutOf } from './layout.ts'
import { openLmdb } from './lmdb-kv.ts'
import { compareContents } from './verify-contents.ts'
import { verifyRecords } from './verify-records.ts'

const [dataDir = '', task] = process.argv.slice(2)
const layout = layoutOf(dataDir)
const kv = openLmdb({ path: layout.records, readOnly: true, onFailure: () => process.exit(1) })

function report(): object {
  if (task === 'contents') return compareContents(layout, kv)
  const found = verifyRecords(kv, task === 'start' ? 'start' : 'all')
  return { ...found, isIdentified: kv.get(IDENTITY_KEY) !== undefined }
}

process.send?.(report(), () => {
  process.exit(0)
})
