// Faults that the verification of a data directory can find, and their repairs.

import type { Id } from '../../schema/values.ts'

export interface RecordFault {
  /** record: the bytes are wrong. The other kinds can be repaired from valid records. */
  readonly kind: 'record' | 'index' | 'counter' | 'reference'
  readonly detail: string
  readonly mend?: Mend
}

/** Whether the fault concerns derived data, which is repaired before records: the repair of a record updates it. */
export function isDerived({ kind }: RecordFault): boolean {
  return kind === 'index' || kind === 'counter'
}

/** Keys are latin1 text, so that a report can be sent between processes. */
export type Mend =
  | { readonly action: 'put-rows'; readonly type: string; readonly ids: readonly Id[] }
  | { readonly action: 'remove-row'; readonly key: string }
  | { readonly action: 'set-counter'; readonly key: string; readonly value: number }
  | {
      readonly action: 'put-record'
      readonly type: string
      readonly ids: readonly Id[]
      readonly record: object
    }
  | { readonly action: 'remove-record'; readonly type: string; readonly ids: readonly Id[] }

export interface CheckFault {
  readonly kind: RecordFault['kind'] | 'content' | 'orphan'
  readonly detail: string
  readonly isMended: boolean
}
