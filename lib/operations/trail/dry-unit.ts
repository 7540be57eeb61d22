// A commit that writes nothing, for dry runs.

import { withMembers } from '../../base/with-members.ts'
import type { Stored } from '../../schema/values.ts'
import type { Change, Reader, Unit } from '../../storage/port.ts'

const NO_BYTES = Buffer.alloc(0)

/** Notes the changes of one plan. The plan reads the present records, so it must not read what it has written. */
export function dryUnit(reader: Reader): Unit {
  const changes: Change[] = []
  return withMembers(reader, {
    changes,
    reuse: () => undefined,
    put<T extends object>(type: Change['type'], ids: Change['ids'], value: T): Stored<T> {
      const stored = { value, revision: 1, sizeBytes: 0, bytes: NO_BYTES, text: '' }
      changes.push({ type, ids, before: undefined, stored })
      return stored
    },
    remove(type: Change['type'], ...ids: Change['ids']) {
      changes.push({ type, ids, before: undefined, stored: undefined })
    },
    putInline: () => undefined,
  })
}
