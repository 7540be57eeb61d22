// What a look at a data directory finds wrong, and how it is mended.

import type { Id } from '../../schema/values.ts'

export interface RecordFault {
  /** record: the bytes are wrong. The others can be mended from what is right. */
  readonly kind: 'record' | 'index' | 'counter' | 'reference'
  readonly detail: string
  readonly mend?: Mend
}

/** Of what follows from records. It is mended before them: the mend of a record moves it on from there. */
export function isDerived({ kind }: RecordFault): boolean {
  return kind === 'index' || kind === 'counter'
}

/** Keys are latin1 text, so that a report crosses a process. */
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
