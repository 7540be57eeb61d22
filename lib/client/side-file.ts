// Metadata of files and folders that a tree on disk cannot hold: .cms/records.ndjson in the exported directory,
// which an import of the directory reads. The first line names the format, each other line describes one file
// or folder:
//
//   {"cms_records":1,"state":"latest","root":{"id":13,"date_added":"2026-11-29T09:00:00.000Z"}}
//   {"folder":"docs","title":"Documents","description":null,"layout":"layouts/main.html"}
//   {"file_group":"Menu","in":"docs","id":5,"title":null,"description":null,"files":["docs/a.html",12]}
//   {"file":"docs/a.html","id":7,"type":"html","title":null,"description":null,"alt_text":null,"focus":null,"state":"live"}
//
// `root` is the exported folder: a server with this folder is the server of the export. `id` is the number that pages have
// in shortcodes. A number in `files` is a file without a version in the export.
// `layout` is the path of the layout, and 0 stands for no layout. Without the member, the layout stays. The line of the exported
// folder itself has the path "".
// `state` is the state of the exported version: live, staged or draft. Paths separate names with "/" and are
// compared like names. The file appears complete, after all other files.

import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { foldName } from '../schema/names.ts'
import { ClientError } from './client-error.ts'
import { hashPresent } from './disk.ts'
import { openRows } from './entry-file.ts'
import { writeEntryFile } from './entry-output.ts'
import { isRow, type Row } from './entry-row.ts'
import type { LocalFolder } from './local-tree.ts'

const SIDE_FOLDER = '.cms'
const SIDE_NAME = 'records.ndjson'
export const SIDE_PATH = `${SIDE_FOLDER}/${SIDE_NAME}`

const FORMAT = 1

export interface Titles {
  readonly title: string | null
  readonly description: string | null
}

export interface FileFields extends Titles {
  readonly type: string
  /** Undefined in a line of an earlier build: the fields stay unchanged. */
  readonly alt_text?: string | null
  readonly focus?: string | null
}

export type SideState = 'live' | 'staged' | 'draft'

export interface SideFile extends FileFields {
  readonly state: SideState
  readonly layout?: SideLayout
  /** Undefined in a line of an earlier build. */
  readonly id?: number
}

export interface SideGroup extends Titles {
  readonly name: string
  /** The path of the folder. */
  readonly folder: string
  readonly id: number
  /** Paths, and the numbers of files that are not in the export. */
  readonly files: readonly (string | number)[]
}

/** The folder of the export. No two servers have a folder with the same number and time. */
export interface SideRoot {
  readonly id: number
  readonly dateAdded: string
}

/** Undefined: the layout stays. */
export type SideLayout = string | 0 | undefined

export interface SideFolder extends Titles {
  readonly layout?: SideLayout
}

export interface SideRecords {
  readonly fileAt: (path: string) => SideFile | undefined
  readonly folderAt: (path: string) => SideFolder | undefined
  /** Whether a line names a layout. */
  readonly hasLayouts: boolean
  /** Undefined in a file of an earlier build. */
  readonly root: SideRoot | undefined
  /** The paths of files by their numbers on the server of the export. */
  readonly paths: ReadonlyMap<number, string>
  readonly groups: readonly SideGroup[]
}

/** The path of a place below the root, as the side file writes it. */
export function sidePathOf(root: string, place: string): string {
  return relative(root, place).split(sep).join('/')
}

export async function writeSideFile(
  root: string,
  { state, exported, files, folders, groups }: Written,
  signal: AbortSignal,
): Promise<void> {
  const rows = [
    {
      cms_records: FORMAT,
      state,
      root: { id: exported.id, date_added: exported.dateAdded },
    },
    ...[...folders].toSorted(byPath).map(([folder, titles]) => ({ folder, ...titles })),
    ...groups.map(({ name, folder, ...group }) => ({ file_group: name, in: folder, ...group })),
    ...[...files].toSorted(byPath).map(([file, record]) => ({ file, ...record })),
  ]
  const path = join(root, SIDE_PATH)
  await mkdir(dirname(path), { recursive: true })
  // Rejects anything but a regular file: a link could lead out of the target.
  await hashPresent(path)
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`)
  await writeEntryFile(path, lines, { signal })
}

interface Written {
  readonly state: string
  readonly exported: SideRoot
  readonly files: ReadonlyMap<string, SideFile>
  readonly folders: ReadonlyMap<string, SideFolder>
  readonly groups: readonly SideGroup[]
}

function byPath([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Undefined if the tree has no side file. Throws ClientError `unreadable` with the line number. */
export async function readSideFile({ folders }: LocalFolder): Promise<SideRecords | undefined> {
  const file = folders
    .find(({ name }) => name === SIDE_FOLDER)
    ?.files.find(({ name }) => name === SIDE_NAME)
  if (file === undefined) return undefined

  const files = new Map<string, SideFile>()
  const titles = new Map<string, SideFolder>()
  const groups: SideGroup[] = []
  const paths = new Map<number, string>()
  let root: SideRoot | undefined
  let line = 0
  for await (const row of openRows({ path: file.path }).rows) {
    line += 1
    if (!isRow(row)) throw unreadable(line)
    if (line === 1) {
      requireFormat(row)
      root = rootOf(row, line)
    } else if (typeof row['file'] === 'string') {
      const found = fileOf(row, line)
      files.set(foldName(row['file']), found)
      if (found.id !== undefined) paths.set(found.id, row['file'])
    } else if (typeof row['file_group'] === 'string')
      groups.push(groupOf(row['file_group'], row, line))
    else if (typeof row['folder'] === 'string')
      titles.set(foldName(row['folder']), folderOf(row, line))
    else throw unreadable(line)
  }
  return {
    fileAt: (path) => files.get(foldName(path)),
    folderAt: (path) => titles.get(foldName(path)),
    hasLayouts: [...files.values(), ...titles.values()].some(({ layout }) => layout !== undefined),
    root,
    paths,
    groups,
  }
}

/**
 * The tree without its side file, and without the folder of the side file if that folder holds nothing else.
 */
export function withoutSideFile(root: LocalFolder): LocalFolder {
  const folders = root.folders.flatMap((folder) => {
    if (folder.name !== SIDE_FOLDER) return [folder]
    const files = folder.files.filter(({ name }) => name !== SIDE_NAME)
    return files.length + folder.folders.length === 0 ? [] : [{ ...folder, files }]
  })
  return { ...root, folders }
}

function requireFormat({ cms_records: format }: Row): void {
  if (format === FORMAT) return
  const detail = `${SIDE_PATH} is not a file of format ${FORMAT}. Import with --no-records, or remove the file.`
  throw new ClientError('unreadable', detail)
}

const STATES: ReadonlySet<unknown> = new Set<SideState>(['live', 'staged', 'draft'])

function fileOf(row: Row, line: number): SideFile {
  const { type, state, alt_text, focus } = row
  if (typeof type !== 'string' || !STATES.has(state)) throw unreadable(line)
  if (![alt_text ?? null, focus ?? null].every(isText)) throw unreadable(line)
  return {
    type,
    ...titlesOf(row, line),
    ...(isText(alt_text) && { alt_text }),
    ...(isText(focus) && { focus }),
    ...layoutOf(row, line),
    ...(row['id'] !== undefined && { id: numberIn(row, line) }),
    state: state as SideState,
  }
}

function rootOf({ root }: Row, line: number): SideRoot | undefined {
  if (root === undefined) return undefined
  if (!isRow(root) || typeof root['date_added'] !== 'string') throw unreadable(line)
  return { id: numberIn(root, line), dateAdded: root['date_added'] }
}

function groupOf(name: string, row: Row, line: number): SideGroup {
  const { in: folder, files } = row
  if (typeof folder !== 'string' || !Array.isArray(files)) throw unreadable(line)
  if (!files.every((file) => typeof file === 'string' || isNumber(file))) throw unreadable(line)
  return { name, folder, id: numberIn(row, line), ...titlesOf(row, line), files }
}

function numberIn({ id }: Row, line: number): number {
  if (!isNumber(id)) throw unreadable(line)
  return id
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function folderOf(row: Row, line: number): SideFolder {
  return { ...titlesOf(row, line), ...layoutOf(row, line) }
}

function layoutOf({ layout }: Row, line: number): { readonly layout?: SideLayout } {
  if (layout === undefined) return {}
  if (typeof layout !== 'string' && layout !== 0) throw unreadable(line)
  return { layout }
}

function titlesOf({ title = null, description = null }: Row, line: number): Titles {
  if (!isText(title) || !isText(description)) throw unreadable(line)
  return { title, description }
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function unreadable(line: number): ClientError {
  const detail = `Line ${line} of ${SIDE_PATH} is not valid. Correct the line, or import with --no-records.`
  return new ClientError('unreadable', detail)
}
