// The words of table_schema that make the values of a column identifiers of other records:
//
//   REFERENCES ( datatable N | calendar N | asset_file | SELF ) [ MANY ] [ ON DELETE rule ]
//
// FILE and FILES are types of their own, short for I REFERENCES asset_file and I REFERENCES asset_file MANY. The server
// and the schema editor read these words alike.

import type { Token } from './schema-tokens.ts'

export type ReferenceObject = 'datatable' | 'calendar' | 'asset_file'

export type DeleteRule = 'restrict' | 'set null' | 'cascade'

export interface ReferenceTarget {
  readonly object: ReferenceObject
  /** Null for files; 0 for the module that the column belongs to. */
  readonly module_id: number | null
}

interface ReadTarget {
  readonly target: ReferenceTarget
  /** The number of tokens that were read. */
  readonly length: number
}

/** The types that stand for references to files. */
const FILE_TYPE = 'FILE'
export const FILES_TYPE = 'FILES'

export const REFERENCE_FORMS =
  'REFERENCES datatable 3, REFERENCES calendar 4, REFERENCES asset_file or REFERENCES SELF'

export function isFileType(word: string): boolean {
  return [FILE_TYPE, FILES_TYPE].includes(word.toUpperCase())
}

export function isReferenceWord(token: Token | undefined, word: string): boolean {
  return token?.quote === '' && token.text.toUpperCase() === word
}

/** Parses the words after REFERENCES; undefined if they name no target. */
export function readTarget([first, second]: readonly Token[]): ReadTarget | undefined {
  if (isReferenceWord(first, 'SELF'))
    return { target: { object: 'datatable', module_id: 0 }, length: 1 }
  if (isReferenceWord(first, 'ASSET_FILE'))
    return { target: { object: 'asset_file', module_id: null }, length: 1 }
  const object = (['datatable', 'calendar'] as const).find((name) =>
    isReferenceWord(first, name.toUpperCase()),
  )
  const isNumber = second?.quote === '' && /^[1-9]\d{0,14}$/.test(second.text)
  return object !== undefined && isNumber
    ? { target: { object, module_id: Number(second.text) }, length: 2 }
    : undefined
}

/** Parses the words after ON; undefined if they are not DELETE and a rule. */
export function readDeleteRule([first, second, third]: readonly Token[]):
  | { readonly rule: DeleteRule; readonly length: number }
  | undefined {
  if (!isReferenceWord(first, 'DELETE')) return undefined
  if (isReferenceWord(second, 'RESTRICT')) return { rule: 'restrict', length: 2 }
  if (isReferenceWord(second, 'CASCADE')) return { rule: 'cascade', length: 2 }
  const isNull = isReferenceWord(second, 'SET') && isReferenceWord(third, 'NULL')
  return isNull ? { rule: 'set null', length: 3 } : undefined
}

/** The number of tokens at the start that belong to a reference; 0 without a reference. */
export function referenceLength([word, ...rest]: readonly Token[]): number {
  if (isReferenceWord(word, 'MANY')) return 1
  const found = isReferenceWord(word, 'REFERENCES')
    ? readTarget(rest)
    : isReferenceWord(word, 'ON')
      ? readDeleteRule(rest)
      : undefined
  return found === undefined ? 0 : 1 + found.length
}
