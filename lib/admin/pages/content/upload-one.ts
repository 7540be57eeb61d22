// Uploads one file outside of the upload queue, under the first of several names that is free in the folder.

import { newRequestKey } from '../../client/api.ts'
import type { Speaking } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { type FileRecord, readFile, searchFiles } from './records.ts'
import { sendResumable } from './resumable-send.ts'
import { formOf, isResumable, keyOf, nextName, type UploadItem, valuesOf } from './upload-item.ts'
import { sendUpload } from './upload-send.ts'

export interface OneUpload {
  readonly file: File
  /** Names in the order of preference. */
  readonly names: readonly string[]
  readonly folderId: number
  readonly signal: AbortSignal
  readonly onSent: (bytes: number) => void
}

/** Throws Problem, NoConnection, or the reason of the signal. */
export async function uploadOne(client: Speaking, upload: OneUpload): Promise<FileRecord> {
  const taken = await takenNames(client, upload)
  const free = upload.names.filter((name) => !taken.has(name))
  for (;;) {
    // If every name is taken, the server says so.
    const name = free.shift() ?? upload.names.at(-1) ?? upload.file.name
    try {
      return await sendAs(client, upload, name)
    } catch (error) {
      // A name may differ by case only, or somebody else has just taken the name.
      const isTaken = error instanceof Problem && error.code === 'name-taken'
      if (!isTaken || free.length === 0) throw error
    }
  }
}

/** `a.txt`, `a (2).txt`, `a (3).txt` and so on. */
export function numberedNames(name: string): readonly string[] {
  const names = [name]
  while (names.length < MOST_NAMES) names.push(nextName(names.at(-1) ?? name))
  return names
}

export const MOST_NAMES = 100

async function takenNames(
  { api }: Speaking,
  { names, folderId, signal }: OneUpload,
): Promise<ReadonlySet<string>> {
  const qry = { parent_category_id: folderId, name: { $in: names } }
  const { rows } = await searchFiles(api, { qry, orderStr: 'name', length: names.length }, signal)
  return new Set(rows.map(({ name }) => name))
}

async function sendAs(
  client: Speaking,
  { file, folderId, signal, onSent }: OneUpload,
  name: string,
): Promise<FileRecord> {
  const target = {
    folderId,
    publishes: false,
    mayPublish: false,
    asksTexts: false,
    replaced: undefined,
  }
  const state = { kind: 'waiting' } as const
  const item: UploadItem = {
    ...{ file, name, target, state, id: 0, folders: [] },
    replacedId: undefined,
    fields: undefined,
  }
  if (!isResumable(item)) {
    const form = await formOf(item, folderId)
    return sendUpload(client, { form, requestKey: newRequestKey(), signal, onSent })
  }
  const values = valuesOf(item, folderId)
  const id = await sendResumable(client, { file, key: keyOf(item), values, signal, onSent })
  return (await readFile(client.api, id, signal)).record
}
