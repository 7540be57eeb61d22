// The records that the value of a column refers to, for its input.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import type { References } from '../../client/references.ts'
import { openReferenceTarget, type Referenced, type ReferenceTarget } from './reference-target.ts'

export function useReferenceTarget(references: References): ReferenceTarget {
  const api = useApi()
  return useMemo(() => openReferenceTarget(api, references), [api, JSON.stringify(references)])
}

/** The records that were found so far. */
export function useReferenced(
  target: ReferenceTarget,
  ids: readonly number[],
): ReadonlyMap<number, Referenced> {
  const [records, setRecords] = useState<ReadonlyMap<number, Referenced>>(new Map())
  const latest = useRef('')
  const key = ids.join()
  useEffect(() => {
    latest.current = key
    if (ids.length === 0) return
    target.read(ids).then(
      (found) => latest.current === key && setRecords(found),
      // The numbers stay.
      () => undefined,
    )
  }, [target, key])
  return records
}

/** A record without a title, and one that is not visible, is shown by its number. */
export function titleOf(record: Referenced | undefined, id: number): string {
  return record === undefined || record.title === '' ? `#${id}` : record.title
}
