import { openRecords } from '../../lib/storage/records/records.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'
import { recordsContract } from './contract.ts'

recordsContract('the memory engine', async () => {
  const kv = openMemoryKv()
  return { records: openRecords(kv), close: () => kv.close(), reopen: async () => openRecords(kv) }
})
