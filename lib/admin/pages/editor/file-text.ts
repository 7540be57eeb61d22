// The text of a version for the editor: with LF line ends, and with the information that a save needs to restore the
// original line ends.

import { type Api, newRequestKey, recordOf } from '../../client/api.ts'
import { type FileRecord, readFile } from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'

/** The stored bytes are not UTF-8. */
export class NoText extends Error {
  constructor() {
    super('This file is no text in UTF-8.')
    this.name = 'NoText'
  }
}

interface FileText {
  readonly text: string
  /** The line end of all lines; for mixed files, the one that a save uses. */
  readonly lineEnd: '\n' | '\r\n'
  readonly hasMixedEnds: boolean
}

/** Throws NoText. */
function textOf(bytes: ArrayBuffer): FileText {
  const stored = decode(bytes)
  const all = stored.match(/\r\n?|\n/g) ?? []
  const first = all[0] === '\r\n' ? '\r\n' : '\n'
  return {
    text: stored.replaceAll(/\r\n?/g, '\n'),
    lineEnd: first,
    hasMixedEnds: all.some((end) => end !== first),
  }
}

function storedOf(text: string, { lineEnd }: Pick<FileText, 'lineEnd'>): string {
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
}

function decode(bytes: ArrayBuffer): string {
  try {
    // A byte order mark is kept.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw Object.assign(new NoText(), { cause })
  }
}

/** A version whose text equals that of the server. */
export interface Base extends FileText {
  readonly version: number
  /** ETag of the record, for `If-Match`. */
  readonly etag: string
}

export interface Latest {
  readonly record: FileRecord
  readonly base: Base
}

export async function readText(
  api: Api,
  { id, version }: { readonly id: number; readonly version: number },
  signal: AbortSignal,
): Promise<FileText> {
  const file = { asset_file_id: id, name: '' }
  const blob = await readBytes(api, { file, version, mayRead: true }, signal)
  return textOf(await blob.arrayBuffer())
}

export async function readLatest(api: Api, id: number, signal: AbortSignal): Promise<Latest> {
  const { record, etag } = await readFile(api, id, signal)
  const { version } = record
  const text = await readText(api, { id, version }, signal)
  return { record, base: { ...text, version, etag } }
}

/** The requests of a save: create a version, and optionally publish or stage it. */
export type Want = 'save' | 'stage' | 'publish'

interface Sent {
  readonly base: Base
  readonly text: string
  readonly want: Want
  /** Why the version was saved; undefined without a note. */
  readonly note?: string | undefined
}

export interface SendVersion {
  /** Returns a function that sends the request, with the same key each time. */
  readonly prepare: (sent: Sent) => () => Promise<Latest>
}

export function openSendVersion(api: Api, id: number): SendVersion {
  return {
    prepare({ base, text, want, note }) {
      const header = { 'If-Match': base.etag, 'Idempotency-Key': newRequestKey() }
      const params = { path: { id }, header }
      return async () => {
        const { record, etag } =
          want !== 'save' && text === base.text && note === undefined
            ? await move(want)
            : await recordOf(
                api.PATCH('/asset_file/{id}', {
                  params,
                  body: {
                    pageContent: storedOf(text, base),
                    ...(want !== 'save' && { fileState: want }),
                    ...(note !== undefined && { version_note: note }),
                  },
                }),
              )
        const { version } = record
        return {
          record,
          base: { ...base, text, version, etag, hasMixedEnds: false },
        }
      }

      /** Moves the pointer to an existing version. */
      function move(to: 'stage' | 'publish') {
        if (to === 'stage') return recordOf(api.POST('/asset_file/{id}/stage', { params }))
        const query = { version: base.version }
        return recordOf(api.POST('/asset_file/{id}/publish', { params: { ...params, query } }))
      }
    },
  }
}
