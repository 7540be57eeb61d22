// Sets and reads the type of a column as the editor offers it, where references are types of their own.

import type { TypeCode } from '../../../shared/column-types.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { isPlain, type OfferedType, type PlainType, typeOf } from './column-types.ts'
import { readSchema, type SchemaColumn } from './schema-columns.ts'
import { addColumn, FIRST_SIZES, retypeColumn } from './schema-edit.ts'
import { FILE_TARGET, OWN_TARGET, referenceOf, setReference } from './schema-references.ts'

const TYPE_ICONS: Readonly<Record<PlainType, IconName>> = {
  C: 'letter',
  X: 'lines',
  I: 'hash',
  N: 'decimal',
  L: 'check',
  D: 'calendar',
  T: 'clock',
  ENUM: 'list',
  file: 'image',
  entry: 'link',
}

export function typeIcon(type: OfferedType): IconName {
  return isPlain(type) ? TYPE_ICONS[type] : 'code'
}

export function offeredType(column: SchemaColumn): OfferedType {
  const reference = referenceOf(column)
  if (reference === undefined) return column.code
  return reference.target === FILE_TARGET ? 'file' : 'entry'
}

export function retypeTo(text: string, column: SchemaColumn, type: OfferedType): string {
  if (type !== 'file' && type !== 'entry') return retypeColumn(text, column, type)
  const target = type === 'file' ? FILE_TARGET : OWN_TARGET
  return setReference(...asNumber(text, column), { target, isMany: false, onDelete: 'restrict' })
}

/** The column as a plain number, because a reference takes few options of other types. */
function asNumber(text: string, column: SchemaColumn): readonly [string, SchemaColumn] {
  const next = retypeColumn(text, column, 'I')
  return [next, readSchema(next).columns.find(({ name }) => name === column.name) ?? column]
}

/** Appends a column of a type with its usual options. */
export function addOfType(text: string, name: string, type: OfferedType): string {
  if (type === 'file') return addColumn(text, `${name} FILE`)
  if (type === 'entry') return addColumn(text, `${name} I REFERENCES ${OWN_TARGET}`)
  return addColumn(text, `${name} ${sizedType(type)}`)
}

function sizedType(code: TypeCode): string {
  const size = FIRST_SIZES[typeOf(code).size]
  return size === undefined ? code : `${code}(${size})`
}

export function useTypeName(): (type: OfferedType) => string {
  const { t } = useTexts()
  return (type) =>
    type === 'file' || type === 'entry' ? t.data.reference.types[type] : t.data.types[type]
}
