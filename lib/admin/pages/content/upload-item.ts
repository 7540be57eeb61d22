// One file of the upload queue: its target, its state, and the values that are sent with its bytes.

import { RESUMABLE_BYTES } from '../../../shared/limits.ts'
import type { FoundFile } from './dropped-files.ts'
import type { FileRecord } from './records.ts'
import { uploadKey } from './unfinished-uploads.ts'

export type UploadState =
  | { readonly kind: 'waiting' | 'cancelled' | 'skipped' }
  | { readonly kind: 'sending' | 'paused'; readonly sentBytes: number }
  | { readonly kind: 'done'; readonly fileId: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** A file with this name exists; fileId is undefined if the user cannot see it. */
  | { readonly kind: 'clash'; readonly fileId: number | undefined }
  /** The replaced file has a different type. */
  | { readonly kind: 'otherType'; readonly fields: NameAndType }

export interface UploadItem extends FoundFile {
  readonly id: number
  readonly name: string
  readonly target: UploadTarget
  /** The file that gets a new version. */
  readonly replacedId: number | undefined
  /** Sent with the bytes if their type differs from that of the file. */
  readonly fields: NameAndType | undefined
  readonly state: UploadState
  /** The user has typed or skipped the alternative text. */
  readonly isDescribed?: boolean
  /** The uploaded draft was published later. */
  readonly isPublished?: boolean
}

export interface UploadTarget {
  readonly folderId: number
  readonly publishes: boolean
  /** The panel offers to publish the uploaded drafts. */
  readonly mayPublish: boolean
  /** The panel asks for the alternative texts of new pictures. */
  readonly asksTexts: boolean
  /** Undefined for new files. */
  readonly replaced: Replaced | undefined
}

export type Replaced = Pick<FileRecord, 'asset_file_id' | 'name'>

export interface NameAndType {
  readonly name: string
  readonly type: string
}

const BUSY: ReadonlySet<UploadState['kind']> = new Set(['waiting', 'sending'])

export function isUnsettled({ state: { kind } }: UploadItem): boolean {
  return BUSY.has(kind) || kind === 'paused' || kind === 'clash' || kind === 'otherType'
}

export function isResumable({ file }: UploadItem): boolean {
  return file.size > RESUMABLE_BYTES
}

/** The values include everything that the server stores with the upload. */
export function keyOf(item: UploadItem): string {
  const values = Object.values(valuesOf(item, item.target.folderId))
  return uploadKey(item.file, [...item.folders, ...values])
}

export function valuesOf(item: UploadItem, folderId: number): Readonly<Record<string, string>> {
  const { name, target, replacedId, fields } = item
  return {
    ...(replacedId === undefined
      ? { asset_category_id: String(folderId) }
      : { asset_file_id: String(replacedId) }),
    ...fields,
    ...(target.publishes && { fileState: 'publish' }),
    filename: name,
  }
}

/** A new page gets the title that it has. */
export async function formOf(item: UploadItem, folderId: number): Promise<FormData> {
  const { filename, ...values } = valuesOf(item, folderId)
  const title = item.replacedId === undefined ? await titleOfPage(item.file) : undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value)
  if (title !== undefined) form.set('title', title)
  form.set('Filedata', item.file, filename)
  return form
}

/** `a.txt`, `a (2).txt`, `a (3).txt`. */
export function nextName(name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const [, base = stem, count = '1'] = /^(.*) \((\d{1,6})\)$/.exec(stem) ?? []
  return `${base} (${Number(count) + 1})${end}`
}

/** The beginning of a page, in which its title is searched. */
const READ_BYTES = 64 * 1024

/** The server accepts no longer title. */
const MOST_CHARACTERS = 255

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/**
 * Menus and lists show this title instead of the file name. Undefined for other files, and for titles that cannot be read
 * exactly: the policy of the area allows no parser of HTML.
 */
async function titleOfPage(file: File): Promise<string | undefined> {
  if (!/\.html?$/i.test(file.name)) return undefined
  const head = await file.slice(0, READ_BYTES).text()
  const [, source = ''] = /<title(?:\s[^>]*)?>([^<]*)<\/title\s*>/i.exec(head) ?? []
  const title = decode(source).replaceAll(/\s+/g, ' ').trim()
  // A replacement character means that the file is not UTF-8.
  const isExact = title !== '' && !/[\ufffd\p{Cc}\p{Cs}]|&[a-z]+;/iu.test(title)
  return isExact && title.length <= MOST_CHARACTERS ? title : undefined
}

function decode(source: string): string {
  return source.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (all, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
