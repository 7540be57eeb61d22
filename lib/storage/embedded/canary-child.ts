// Runs in a child process: walks all records and sends the report. A damaged file kills this process
// and not the server. The file is opened for reading alone.

import { IDENTITY_KEY } from './layout.ts'
import { openLmdb } from './lmdb-kv.ts'
import { verifyRecords } from './verify-records.ts'

const [path = '', depth] = process.argv.slice(2)
const kv = openLmdb({ path, readOnly: true, onFailure: () => process.exit(1) })
const report = {
  ...verifyRecords(kv, depth === 'start' ? 'start' : 'all'),
  isIdentified: kv.get(IDENTITY_KEY) !== undefined,
}

process.send?.(report, () => {
  process.exit(0)
})
