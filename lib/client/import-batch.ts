// Imports many small new texts in one request, which is one commit, because a request per file costs more than
// the file itself. All other files, and files of a rejected batch, are sent alone.

import { isUtf8 } from 'node:buffer'
import { isTextType, typeOfName } from '../schema/media-type.ts'
import { isFatal, isTransient } from './client-error.ts'
import { type FileImport, importFile, type Imported } from './import-file.ts'
import { type LocalContent, readLocal } from './local-file.ts'
import type { Run } from './run.ts'

/** Files of one batch. */
export const BATCH_FILES = 32
/** Maximum size of such a text, and of all texts in one request, which the server parses without a worker. */
const TEXT_BYTES = 32 * 1024
const REQUEST_BYTES = 192 * 1024

interface Read extends FileImport {
  readonly content: LocalContent
}

interface Batch {
  readonly run: Run
  readonly onImported: (imported: Imported) => void
}

/** Imports some files; failures are recorded in the run. */
export async function importBatch(batch: Batch, tasks: readonly FileImport[]): Promise<void> {
  let texts: Read[] = []
  let textBytes = 0

  async function send(): Promise<void> {
    await sendTexts(batch, texts)
    texts = []
    textBytes = 0
  }

  // Sequential, so that few files are in memory.
  for (const task of tasks) {
    if (task.listed !== undefined) {
      await importAlone(batch, task)
      continue
    }
    const content = await batch.run.attempt(partOf(task), () => readLocal(task.file.path))
    if (content === undefined) continue
    const read = { ...task, content }
    if (!isSmallText(task.file.name, content)) {
      await importAlone(batch, read)
      continue
    }
    if (textBytes + content.sizeBytes > REQUEST_BYTES) await send()
    texts.push(read)
    textBytes += content.sizeBytes
  }
  await send()
}

/** Imports one file in its own requests. */
async function importAlone({ run, onImported }: Batch, task: FileImport): Promise<void> {
  const imported = await run.attempt(partOf(task), () => importFile(task))
  if (imported !== undefined) onImported(imported)
}

async function sendTexts(batch: Batch, texts: readonly Read[]): Promise<void> {
  const [first] = texts
  if (first === undefined) return
  let isRepeated = false
  if (texts.length > 1) {
    try {
      await createAll(first, texts)
      for (const { state, content, addBytes } of texts) {
        addBytes(content.sizeBytes)
        batch.onImported({ change: 'uploaded', isPublished: state === 'publish' })
      }
      return
    } catch (error) {
      if (isFatal(error)) return batch.run.stop(error)
      // All or none were created. Sending each file alone reports what is wrong with it, or finds it already
      // there.
      isRepeated = isTransient(error)
    }
  }
  for (const text of texts) await importAlone(batch, { ...text, isRepeated })
}

async function createAll({ api }: Read, texts: readonly Read[]): Promise<void> {
  const bodies = texts.map(({ file, categoryId, content, state, fields }) => ({
    name: file.name,
    type: fields?.type ?? typeOfName(file.name),
    ...(fields && { title: fields.title, description: fields.description }),
    parent_category_id: categoryId,
    pageContent: content.bytes?.toString(),
    ...(state !== undefined && { fileState: state }),
  }))
  await api.sendJson({
    method: 'POST',
    path: '/api/v2/asset_file',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodies),
  })
}

/**
 * Whether the content can go into a list as text. Types that are not text, such as pdf, are sent as bytes,
 * whatever they contain.
 */
function isSmallText(name: string, { bytes, sizeBytes }: LocalContent): boolean {
  if (bytes === undefined || sizeBytes > TEXT_BYTES || isTextType(typeOfName(name)) === false)
    return false
  return !bytes.includes(0) && isUtf8(bytes)
}

function partOf({ file }: FileImport): { readonly path: string } {
  return { path: file.shownPath }
}
