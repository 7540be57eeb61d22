// Wraps records with a trace of the reads: a record is traced by its own name, a list by the name of its type.

import type { JsonObject, RecordType, Searchable } from '../../schema/values.ts'
import type { Query, Records, Traced } from '../port.ts'
import type { Changes, Trace } from './change-tracker.ts'
import type { Made } from './page-cache.ts'
import { recordName, typeName } from './record-cache.ts'

export type FindPage = <T extends JsonObject>(
  type: RecordType<T>,
  searchable: Searchable,
  query: Query<T>,
) => Promise<Made<T>>

export function traceOf(records: Records, changes: Changes, findPage: FindPage): Traced {
  const trace = changes.trace()
  return {
    sizeBytes: trace.sizeBytes,
    isNewest: trace.isNewest,
    close: trace.close,
    get records() {
      return tracing(records, trace, findPage)
    },
  }
}

function tracing(records: Records, trace: Trace, findPage: FindPage): Records {
  return {
    ...records,
    get(type, ...ids) {
      trace.add(recordName(type, ids))
      return records.get(type, ...ids)
    },
    lookup(type, index, values, limit) {
      trace.add(typeName(type))
      return records.lookup(type, index, values, limit)
    },
    highest(type, index) {
      trace.add(typeName(type))
      return records.highest(type, index)
    },
    list(type, prefix, limit) {
      trace.add(typeName(type))
      return records.list(type, prefix, limit)
    },
    count(type) {
      trace.add(typeName(type))
      return records.count(type)
    },
    highestId(type) {
      trace.add(typeName(type))
      return records.highestId(type)
    },
    async search(type, searchable, query) {
      const { page, names } = await findPage(type, searchable, query)
      trace.addAll(names)
      return page
    },
  }
}
