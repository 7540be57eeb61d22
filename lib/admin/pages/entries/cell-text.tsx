// Formats cell values: numbers digit by digit, times in the reader's time zone.

import type { Entry, EntryValue } from '../../client/module-paths.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import type { PicturedFile } from '../content/thumbnail.tsx'
import { type EntryField, isReference, textOf } from './fields.ts'
import { FilePreview } from './reference-preview.tsx'
import { filesIn, titlesIn } from './reference-titles.ts'

/** Maximum number of characters shown in a cell. */
const MOST = 300

interface CellTextProps {
  readonly field: EntryField
  readonly value: EntryValue | undefined
  /** The entry with the records that it refers to. */
  readonly entry?: Entry
}

export function CellText({ field, value, entry }: CellTextProps) {
  const speech = useTexts()
  const { t } = speech
  if (value === null || value === undefined || isNothing(field, value)) {
    return (
      <span class="entry-none">
        <span aria-hidden="true">–</span>
        <span class="unseen">{t.entries.noValue}</span>
      </span>
    )
  }
  if (value === '') return <span class="entry-none">{t.entries.emptyString}</span>
  if (typeof value === 'boolean')
    return <span class={value ? 'entry-yes' : 'entry-no'}>{readable(field, value, speech)}</span>
  if (field.kind === 'time' || field.kind === 'date') {
    return (
      <time dateTime={String(value)} title={exact(field, String(value), speech)}>
        {readable(field, value, speech)}
      </time>
    )
  }
  if (isReference(field)) {
    const titles = titlesIn(entry, field, value)
    const files = filesIn(entry, field, value)
    if (files.length > 0) return <CellFiles files={files} titles={titles} />
    return <bdi title={titles.join('\n')}>{titles.join(', ')}</bdi>
  }
  const text = <bdi>{readable(field, value, speech)}</bdi>
  if (field.column?.type !== 'COLOR') return text
  return (
    <span class="entry-color">
      <span class="color-swatch" style={{ backgroundColor: String(value) }} aria-hidden="true" />
      {text}
    </span>
  )
}

interface CellFilesProps {
  readonly files: readonly PicturedFile[]
  readonly titles: readonly string[]
}

/** Thumbnails in one cell. */
const MOST_FILES = 4

/** The files that a cell refers to: thumbnails and names. */
function CellFiles({ files, titles }: CellFilesProps) {
  return (
    <span class="cell-files">
      {files.slice(0, MOST_FILES).map((file) => (
        <FilePreview key={file.asset_file_id} file={file} />
      ))}
      <bdi title={titles.join('\n')}>{titles.join(', ')}</bdi>
    </span>
  )
}

/** An empty list of references is no value. */
function isNothing(field: EntryField, value: EntryValue): boolean {
  return isReference(field) && Array.isArray(value) && value.length === 0
}

/** The value in words, also used in comparisons. */
export function readable(field: EntryField, value: EntryValue, { t, formats }: Speech): string {
  if (value === null) return t.entries.noValue
  if (typeof value === 'boolean') return value ? t.entries.yes : t.entries.no
  const text = textOf(field, value)
  if (text === '') return t.entries.emptyString
  if (field.kind === 'time') return formats.dateTime(new Date(text))
  if (field.kind === 'date') return formats.plainDay(text)
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text
}

/** The value of a column that the module no longer has. */
export function plainText(value: EntryValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function exact({ kind }: EntryField, text: string, { formats }: Speech): string {
  return kind === 'time' ? formats.exactTime(new Date(text)) : text
}

/** The value of a browser date field, in the reader's time zone: `2026-01-31T13:00:00`; '' for invalid times. */
export function toLocal(moment: string): string {
  const date = new Date(moment)
  if (moment === '' || Number.isNaN(date.getTime())) return ''
  const part = (value: number, digits = 2): string => String(value).padStart(digits, '0')
  const day = `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1)}-${part(date.getDate())}`
  const time = `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}`
  const ms = date.getMilliseconds()
  return ms === 0 ? `${day}T${time}` : `${day}T${time}.${part(ms, 3)}`
}

/** If the clock shows a time twice, the first is meant. */
export function fromLocal(text: string): string {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? text : date.toISOString()
}
