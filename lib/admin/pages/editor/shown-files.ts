// Reads the images and style sheets of a previewed page that are files of this site: by address (/file/7/room.png),
// or by the name of a file in the same folder. Each file is read in its newest visible version.

import type { Api } from '../../client/api.ts'
import { SERVER } from '../../client/address.ts'
import { type FileRecord, readFile, searchFiles } from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'

const MOST_BYTES = 8 * 1024 * 1024

export interface ShownFile {
  /** The previewed page. */
  readonly file: FileRecord
  /** As written in the page. */
  readonly address: string
}

/** Undefined if the file is not part of this site, not visible, or too large. */
export async function readShownFile(
  api: Api,
  shown: ShownFile,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const file = await findShown(api, shown, signal)
    if (file === undefined || file.size > MOST_BYTES) return undefined
    const bytes = await readBytes(api, { file, version: file.version, mayRead: true }, signal)
    return new Blob([bytes], { type: file.mime_type })
  } catch {
    // The place stays empty.
    return undefined
  }
}

async function findShown(
  api: Api,
  { file, address }: ShownFile,
  signal: AbortSignal,
): Promise<FileRecord | undefined> {
  const url = URL.canParse(address, `${SERVER}/`) ? new URL(address, `${SERVER}/`) : undefined
  if (url?.origin !== new URL(SERVER).origin) return undefined
  const [, id] = /\/file\/(\d{1,15})\/[^/]+$/.exec(url.pathname) ?? []
  if (id !== undefined) return (await readFile(api, Number(id), signal)).record
  const [, name] = /^(?:\.\/)?([^/?#]+)(?:[?#].*)?$/.exec(address) ?? []
  if (name === undefined) return undefined
  const qry = { parent_category_id: file.parent_category_id, name: decoded(name) }
  const { rows } = await searchFiles(api, { qry, orderStr: 'asset_file_id', length: 1 }, signal)
  return rows[0]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
