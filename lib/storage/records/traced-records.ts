// Wraps records with a trace of the reads: a record is traced by its own name, a lookup of whole rows by the name of these
// rows, and any other list by the name of its type.

import { andThen } from '../../base/and-then.ts'
import { withMembers } from '../../base/with-members.ts'
import type { JsonObject, KeyPart, RecordType, Searchable } from '../../schema/values.ts'
import type { Query, Reader, Records, Traced } from '../port.ts'
import { type Changes, type Name, nameOfBytes, type Trace } from './change-tracker.ts'
import { rowRange } from './format.ts'
import type { KvReader } from './kv.ts'
import type { Made } from './page-cache.ts'
import { recordName, typeName } from './record-cache.ts'
import { isUnnumbered } from './type-numbers.ts'

export type FindPage = <T extends JsonObject>(
  type: RecordType<T>,
  searchable: Searchable,
  query: Query<T>,
) => Made<T> | Promise<Made<T>>

export function traceOf(
  kv: KvReader,
  records: Records,
  changes: Changes,
  findPage: FindPage,
): Traced {
  const trace = changes.trace()
  return {
    sizeBytes: trace.sizeBytes,
    isNewest: trace.isNewest,
    close: trace.close,
    get records() {
      return tracing(kv, records, { changes, trace, findPage })
    },
  }
}

interface Tracing {
  readonly changes: Changes
  readonly trace: Trace
  readonly findPage: FindPage
}

function tracing(kv: KvReader, records: Records, { changes, trace, findPage }: Tracing): Records {
  const findTraced: FindPage = (type, searchable, query) =>
    andThen(findPage(type, searchable, query), (made) => {
      trace.addAll(made.names)
      return made
    })
  const traced: Reader & Pick<Records, 'search' | 'trace'> = {
    get(type, ...ids) {
      trace.add(recordName(type, ids))
      return records.get(type, ...ids)
    },
    lookup(type, index, values, limit) {
      trace.add(nameOfLookup(kv, type, index, values))
      return records.lookup(type, index, values, limit)
    },
    newest(type, range) {
      trace.add(nameOfLookup(kv, type, range.index, range.values))
      return records.newest(type, range)
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
    search: (type, searchable, query) =>
      andThen(findTraced(type, searchable, query), ({ page }) => page),
    // A read through a trace within this trace belongs to both.
    trace: () => traceOf(kv, all, changes, findTraced),
  }
  const all: Records = withMembers(records, traced)
  return all
}

/** An index without a number has no row yet, and its first row has another key. */
function nameOfLookup(
  kv: KvReader,
  type: RecordType,
  index: string,
  values: readonly KeyPart[],
): Name {
  const { width } = type.indexes.find(({ name }) => name === index) ?? {}
  if (values.length !== width) return typeName(type)
  const { start } = rowRange(kv, type, { index, values })
  return isUnnumbered(start) ? typeName(type) : nameOfBytes(start)
}
