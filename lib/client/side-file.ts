// Metadata of files and folders that a tree on disk cannot hold: .cms/records.ndjson in the exported directory,
// which an import of the directory reads. The first line names the format, each other line describes one file
// or folder:
//
//   {"cms_records":1,"state":"latest"}
//   {"folder":"docs","title":"Documents","description":null,"layout":"layouts/main.html"}
//   {"file":"docs/a.html","type":"html","title":null,"description":null,"alt_text":null,"focus":null,"state":"live"}
//
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
}

/** The path of a place below the root, as the side file writes it. */
export function sidePathOf(root: string, place: string): string {
  return relative(root, place).split(sep).join('/')
}

export async function writeSideFile(
  root: string,
  state: string,
  { files, folders }: Written,
  signal: AbortSignal,
): Promise<void> {
  const rows = [
    { cms_records: FORMAT, state },
    ...[...folders].toSorted(byPath).map(([folder, titles]) => ({ folder, ...titles })),
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
  readonly files: ReadonlyMap<string, SideFile>
  readonly folders: ReadonlyMap<string, SideFolder>
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
  let line = 0
  for await (const row of openRows({ path: file.path }).rows) {
    line += 1
    if (!isRow(row)) throw unreadable(line)
    if (line === 1) requireFormat(row)
    else if (typeof row['file'] === 'string') files.set(foldName(row['file']), fileOf(row, line))
    else if (typeof row['folder'] === 'string')
      titles.set(foldName(row['folder']), folderOf(row, line))
    else throw unreadable(line)
  }
  return {
    fileAt: (path) => files.get(foldName(path)),
    folderAt: (path) => titles.get(foldName(path)),
    hasLayouts: [...files.values(), ...titles.values()].some(({ layout }) => layout !== undefined),
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
    state: state as SideState,
  }
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
