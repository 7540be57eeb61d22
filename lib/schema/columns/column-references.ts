// Builds the reference of a column from its words: REFERENCES, MANY, ON DELETE, and the types FILE and FILES.

import { COLUMN_TYPES, type TypeCode } from '../../shared/column-types.ts'
import { FILES_TYPE, isFileType, type ReferenceTarget } from '../../shared/reference-words.ts'
import { parseValues, type Token } from '../../shared/schema-tokens.ts'
import type { ColumnOptions } from './column-options.ts'
import type { References } from './column.ts'
import { type Report, show, showToken } from './tokens.ts'

/** Media types of one FILE; each is compared at each write. */
const MAX_ACCEPTED = 50
const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/(?:\*|[a-z0-9][a-z0-9.+-]*)$/

/** Parses the media types after FILE. Null: all types; undefined after a report. */
export function readAccept(
  token: Token | undefined,
  report: Report,
): readonly string[] | null | undefined {
  if (token === undefined) return null
  const types = parseValues(token.text)?.map((type) => type.toLowerCase())
  if (types === undefined)
    return report(`${showToken(token)} is not a list of media types; write FILE('image/*')`)
  if (types.length > MAX_ACCEPTED)
    return report(`FILE may list at most ${MAX_ACCEPTED} media types`)
  const wrong = types.find((type) => !MEDIA_TYPE.test(type))
  if (wrong === undefined) return [...new Set(types)]
  return report(
    `${show(wrong)} is not a media type; write 'image/png', or 'image/*' for all images`,
  )
}

interface Around {
  readonly type: TypeCode
  /** The type as written. */
  readonly typeWord: string
  readonly accept: readonly string[] | null | undefined
  /** The word that requires a value, if any. */
  readonly required: string | undefined
}

const FILE_TARGET: ReferenceTarget = { object: 'asset_file', module_id: null }

/** Undefined for a column without a reference, and after some reports. */
export function buildReferences(
  options: ColumnOptions,
  { type, typeWord, accept = null, required }: Around,
  report: Report,
): References | undefined {
  const isFile = isFileType(typeWord)
  const word = isFile ? typeWord.toUpperCase() : 'REFERENCES'
  if (isFile && options.target !== undefined)
    return report(
      `${word} refers to files already; remove REFERENCES, or write I instead of ${word}`,
    )
  const target = isFile ? FILE_TARGET : options.target
  if (target === undefined) return refuseWithoutTarget(options, report)
  if (COLUMN_TYPES[type].kind !== 'integer')
    return report(
      `REFERENCES is only for whole numbers, and ${type} is not one; use it with I or I8`,
    )
  if (isFile && options.isMany && word !== FILES_TYPE)
    return report(`MANY does not follow FILE; write ${FILES_TYPE}`)

  const isMany = options.isMany || word === FILES_TYPE
  const { onDelete = 'restrict' } = options
  checkMany(options, isMany, report)
  for (const rule of options.rules.keys())
    report(`${rule} does not apply to references; remove ${rule}`)
  if (options.autoWord !== undefined)
    report(`${options.autoWord} and ${word} contradict each other; remove one`)
  if (options.default !== undefined && options.default.form !== 'null')
    report(
      `DEFAULT and ${word} contradict each other, because the record may be deleted; remove one`,
    )
  if (onDelete === 'set null' && required !== undefined)
    report(`ON DELETE SET NULL and ${required} contradict each other; remove one`)
  return { ...target, isMany, onDelete, accept }
}

function refuseWithoutTarget({ isMany, onDelete }: ColumnOptions, report: Report): undefined {
  if (isMany) report('MANY needs a reference; write REFERENCES and its target before it')
  if (onDelete !== undefined)
    report('ON DELETE needs a reference; write REFERENCES and its target before it')
}

function checkMany({ isUnique, keyWord }: ColumnOptions, isMany: boolean, report: Report): void {
  const word = isUnique ? 'UNIQUE' : keyWord
  if (isMany && word !== undefined)
    report(`${word} does not apply to a list of references; remove ${word}`)
}
