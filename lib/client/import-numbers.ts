// Pages name fragments, menus and files by number, and a number differs on another server. The side file has the numbers of the
// export, so an import sends these pages last and replaces the numbers. The numbers on disk stay those of the export.

import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pMap from 'p-map'
import { HTML, mediaTypeOf, STML, typeOfName } from '../schema/media-type.ts'
import { foldName } from '../schema/names.ts'
import { fileOfAddress, findNumbers, groupOfAddress, type PageLink } from '../schema/page-links.ts'
import { MAX_COMPOSED_BYTES } from '../shared/limits.ts'
import type { Api } from './api.ts'
import { ClientError } from './client-error.ts'
import { type FileImport, importFile, type Imported } from './import-file.ts'
import { ensureGroups, fillGroups } from './import-groups.ts'
import { type Importing, listImported, type Place } from './imported-files.ts'
import { type LocalContent, readLocal } from './local-file.ts'
import { readSiteCategory } from './records.ts'
import { type SideRoot, sidePathOf, type SideRecords } from './side-file.ts'

interface Page {
  readonly content: LocalContent
  readonly text: string
  readonly numbers: readonly PageLink[]
}

/** Undefined if the file is not a page with numbers. Rejects if the file cannot be read. */
async function readNumbers({ file, fields }: FileImport): Promise<Page | undefined> {
  const { name } = file
  const type = fields?.type ?? typeOfName(name)
  const mediaType = mediaTypeOf({ type, name, isText: true, sniffedType: undefined })
  if (mediaType !== HTML && mediaType !== STML) return undefined
  const content = await readLocal(file.path)
  if (content.sizeBytes > MAX_COMPOSED_BYTES) return undefined
  const bytes = content.bytes ?? (await readFile(file.path))
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString()
  // In HTML, the shortcode of a link is text.
  const numbers = [...findNumbers(text)].filter(
    ({ start }) => mediaType === STML || !text.startsWith('[get', start),
  )
  return numbers.length === 0 ? undefined : { content, text, numbers }
}

/** Passes on the files that can be sent at once, and adds pages with numbers to `numbered`. */
export async function* withoutNumbers(
  { run, records }: Importing,
  tasks: AsyncIterable<FileImport>,
  numbered: FileImport[],
): AsyncGenerator<FileImport> {
  for await (const task of tasks) {
    if (records === undefined || records.paths.size === 0) {
      yield task
      continue
    }
    const read = await run.attempt({ path: task.file.shownPath }, async () => ({
      page: await readNumbers(task),
    }))
    if (read === undefined) continue
    if (read.page === undefined) yield task
    else numbered.push(task)
  }
}

interface Numbered {
  readonly placed: readonly Place[]
  readonly tasks: readonly FileImport[]
  readonly onImported: (imported: Imported) => void
}

/** Imports the groups of the export and the pages with numbers, after all other files. */
export async function importNumbered(
  importing: Importing,
  { placed, tasks, onImported }: Numbered,
): Promise<void> {
  const { api, run, root, records, concurrency } = importing
  if (records === undefined || (tasks.length === 0 && records.groups.length === 0)) return
  const pathOf = ({ file }: FileImport): string => foldName(sidePathOf(root, file.path))
  const drafts = await makeDrafts(importing, tasks)
  const groups = await ensureGroups(importing, placed)
  const files = await listImported(importing, placed)
  const isSameServer = await isServerOf(api, records.root)
  const target = { files, records, isSameServer }
  const groupIds = new Map(groups.map(({ group, held }) => [group.id, held.id]))

  await pMap(
    tasks.filter((task) => drafts.get(task) !== 'failed'),
    async (task) => {
      const { shownPath: path } = task.file
      const imported = await run.attempt({ path }, async () => {
        const page = await readNumbers(task)
        if (page === undefined) throw new ClientError('changed', 'it changed while it was read')
        const { text, missing } = replaceNumbers(page, (address) => {
          const groupId = groupOfAddress(address)
          return groupId === undefined
            ? fileIdOf(target, fileOfAddress(address) ?? 0)
            : (groupIds.get(groupId) ?? (isSameServer ? groupId : undefined))
        })
        for (const shortcode of missing) run.fail({ path, files: 0 }, notInExport(shortcode))
        const listed = files.get(pathOf(task))
        return importFile({ ...task, listed, content: contentOf(page.content, text) })
      })
      if (imported === undefined) return
      onImported(drafts.has(task) ? { ...imported, change: 'uploaded' } : imported)
    },
    { concurrency },
  )
  const isListed = tasks.every((task) => task.listed !== undefined || drafts.has(task))
  const held = isListed ? files : await listImported(importing, placed)
  await fillGroups(importing, groups, (file, path) => {
    const id = fileIdOf({ ...target, files: held }, file)
    if (id === undefined) run.fail({ path, files: 0 }, `its file ${file} is not in the export`)
    return id
  })
}

/**
 * Creates the pages that other pages name and that are not on the server, to learn their numbers. They stay drafts until their
 * own numbers are replaced, so a visitor sees no wrong number.
 */
async function makeDrafts(
  { run, root, records, concurrency }: Importing,
  tasks: readonly FileImport[],
): Promise<ReadonlyMap<FileImport, 'made' | 'failed'>> {
  const drafts = new Map<FileImport, 'made' | 'failed'>()
  if (tasks.every(({ listed }) => listed !== undefined)) return drafts
  const named = new Set<string>()
  for (const task of tasks) {
    const page = await run.attempt({ path: task.file.shownPath, files: 0 }, () => readNumbers(task))
    for (const { address } of page?.numbers ?? []) {
      const path = records?.paths.get(fileOfAddress(address) ?? 0)
      if (path !== undefined) named.add(foldName(path))
    }
  }
  await pMap(
    tasks.filter(
      ({ listed, file }) =>
        listed === undefined && named.has(foldName(sidePathOf(root, file.path))),
    ),
    async (task) => {
      const { shownPath: path } = task.file
      const draft = {
        ...task,
        state: undefined,
        fields: undefined,
        addBytes: (): void => undefined,
      }
      const made = await run.attempt({ path }, () => importFile(draft))
      drafts.set(task, made === undefined ? 'failed' : 'made')
    },
    { concurrency },
  )
  return drafts
}

interface Target {
  readonly files: ReadonlyMap<string, { readonly asset_file_id: number }>
  readonly records: SideRecords
  readonly isSameServer: boolean
}

/** The number here of a path, or of a number of the export. On the server of the export, other numbers stay valid. */
function fileIdOf(
  { files, records, isSameServer }: Target,
  file: string | number,
): number | undefined {
  const path = typeof file === 'string' ? file : records.paths.get(file)
  const found = path === undefined ? undefined : files.get(foldName(path))
  if (found !== undefined) return found.asset_file_id
  return isSameServer && typeof file === 'number' ? file : undefined
}

/** Whether the export is from this server: no other server has a folder with this number and this time. */
async function isServerOf(api: Api, exported: SideRoot | undefined): Promise<boolean> {
  if (exported === undefined) return false
  try {
    const { dateAdded } = await readSiteCategory(api, exported.id)
    return dateAdded === exported.dateAdded
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return false
    throw error
  }
}

/** A number that `idOf` does not know stays, and its shortcode is in `missing`. */
function replaceNumbers(
  { text, numbers }: Page,
  idOf: (address: string) => number | undefined,
): { readonly text: string; readonly missing: ReadonlySet<string> } {
  const missing = new Set<string>()
  const parts: string[] = []
  let last = 0
  for (const { address, end } of numbers) {
    const id = idOf(address)
    if (id === undefined) {
      missing.add(address)
      continue
    }
    const number = String(fileOfAddress(address) ?? groupOfAddress(address))
    parts.push(text.slice(last, end - number.length), String(id))
    last = end
  }
  return { text: parts.join('') + text.slice(last), missing }
}

function notInExport(address: string): string {
  const groupId = groupOfAddress(address)
  const named =
    groupId === undefined ? `the file ${fileOfAddress(address)}` : `the file group ${groupId}`
  return `it names ${named}, which is not in the export: correct the number`
}

function contentOf(content: LocalContent, text: string): LocalContent {
  const bytes = Buffer.from(text)
  return { ...content, bytes, sizeBytes: bytes.length, sha256: hash('sha256', bytes) }
}
