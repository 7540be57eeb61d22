// Reads and sets the reference of a column in a schema text: REFERENCES, MANY, ON DELETE, and the types FILE and FILES.

import {
  type DeleteRule,
  isFileType,
  isReferenceWord,
  readDeleteRule,
  referenceLength,
} from '../../../shared/reference-words.ts'
import type { Token } from '../../../shared/schema-tokens.ts'
import type { SchemaColumn } from './schema-columns.ts'
import { apply, type Edit, span } from './text-edits.ts'

export interface ColumnReference {
  /** As in the text, such as datatable 3. */
  readonly target: string
  readonly isMany: boolean
  readonly onDelete: DeleteRule
}

export const FILE_TARGET = 'asset_file'
/** The datatable of the column. */
export const OWN_TARGET = 'SELF'

type Parts = SchemaColumn['parts']
type Run = readonly [Token, ...Token[]]

/** Undefined for a column without a reference. */
export function referenceOf({ parts }: SchemaColumn): ColumnReference | undefined {
  const runs = runsOf(parts)
  const find = (word: string): Run | undefined =>
    runs.find(([first]) => isReferenceWord(first, word))
  const isFile = isFileType(parts.type.text)
  const words = find('REFERENCES')?.slice(1) ?? []
  if (!isFile && words.length === 0) return undefined
  return {
    target: isFile ? FILE_TARGET : normalTarget(words.map(({ text }) => text).join(' ')),
    isMany: find('MANY') !== undefined || parts.type.text.toUpperCase() === 'FILES',
    onDelete: readDeleteRule(find('ON')?.slice(1) ?? [])?.rule ?? 'restrict',
  }
}

function normalTarget(text: string): string {
  return text.toUpperCase() === OWN_TARGET ? OWN_TARGET : text.toLowerCase()
}

/** Removes what a reference does not take: a default, rules, and for a list also UNIQUE. */
export function setReference(
  text: string,
  { parts }: SchemaColumn,
  { target, isMany, onDelete }: ColumnReference,
): string {
  const isFile = target === FILE_TARGET
  const { type, size, piece } = parts
  const end = Math.max(...piece.map((token) => token.end))
  const words = [
    ...(isFile ? [] : [`REFERENCES ${target}`, ...(isMany ? ['MANY'] : [])]),
    ...(onDelete === 'restrict' ? [] : [`ON DELETE ${onDelete.toUpperCase()}`]),
  ]
  const isKept = isFile && isFileType(type.text)
  const [first, ...others] = parts.default
  return apply(text, [
    ...withoutReference(parts),
    ...(first === undefined ? [] : [span(piece, [first, ...others])]),
    ...[...parts.rules].flatMap(([rule, tokens]) =>
      rule === 'COMPUTED' ? [] : [span(piece, tokens)],
    ),
    ...parts.words
      .filter((token) => isMany && isReferenceWord(token, 'UNIQUE'))
      .map((token) => span(piece, [token])),
    {
      start: type.start,
      // The list of accepted types stays.
      end: isKept ? type.end : (size?.end ?? type.end),
      by: isFile ? (isMany ? 'FILES' : 'FILE') : isFileType(type.text) ? 'I' : type.text,
    },
    ...(words.length === 0 ? [] : [{ start: end, end, by: ` ${words.join(' ')}` }]),
  ])
}

export function withoutReference(parts: Parts): readonly Edit[] {
  return runsOf(parts).map((run) => span(parts.piece, run))
}

/** ON DELETE SET NULL, which a required column does not take. */
export function withoutClearing(parts: Parts): readonly Edit[] {
  const runs = runsOf(parts).filter((run) => readDeleteRule(run.slice(1))?.rule === 'set null')
  return runs.map((run) => span(parts.piece, run))
}

/** The words that are not part of a reference. */
export function ownWords(parts: Parts): readonly Token[] {
  const taken = new Set(runsOf(parts).flat())
  return parts.words.filter((token) => !taken.has(token))
}

/** The tokens of REFERENCES, of MANY, and of ON DELETE. */
function runsOf({ words }: Parts): readonly Run[] {
  const runs: Run[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [first, ...others] = words.slice(at, at + referenceLength(words.slice(at)))
    if (first === undefined) continue
    runs.push([first, ...others])
    at += others.length
  }
  return runs
}
