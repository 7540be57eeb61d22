// A plain model of a site with a trash: folders, files and entries with a unique code, and the items that deletions made.

export interface FileState {
  readonly name: string
  readonly folder: number
  readonly isLive: boolean
  readonly versions: number
}

export interface Item {
  readonly object: 'asset_file' | 'asset_category' | 'datatable_entry'
  readonly id: number
  /** The folder of a file. */
  readonly folder: number
  readonly files: ReadonlyMap<number, FileState>
  readonly code: string | undefined
}

export interface State {
  /** Folders that exist, by number, with their names. */
  readonly folders: Map<number, string>
  readonly files: Map<number, FileState>
  /** Codes of the entries that exist, by number. */
  readonly entries: Map<number, string>
  readonly trash: Item[]
}

export const ROOT = 1

export function newState(): State {
  return { folders: new Map(), files: new Map(), entries: new Map(), trash: [] }
}

/** Names are unique in a folder, across files and folders. */
export function isTaken(state: State, folder: number, name: string, ownId?: number): boolean {
  const files = [...state.files].some(
    ([id, file]) => id !== ownId && file.folder === folder && file.name === name,
  )
  return files || (folder === ROOT && [...state.folders.values()].includes(name))
}

export function hasFolder({ folders }: State, id: number): boolean {
  return id === ROOT || folders.has(id)
}

export function removeFile(state: State, id: number): void {
  const file = state.files.get(id)
  if (file === undefined) return
  state.files.delete(id)
  const { folder } = file
  const files = new Map([[id, file]])
  state.trash.push({ object: 'asset_file', id, folder, files, code: undefined })
}

export function removeFolder(state: State, id: number): void {
  const name = state.folders.get(id)
  if (name === undefined) return
  state.folders.delete(id)
  const files = new Map([...state.files].filter(([, file]) => file.folder === id))
  for (const fileId of files.keys()) state.files.delete(fileId)
  state.trash.push({ object: 'asset_category', id, folder: ROOT, files, code: name })
}

export function removeEntry(state: State, id: number): void {
  const code = state.entries.get(id)
  if (code === undefined) return
  state.entries.delete(id)
  state.trash.push({ object: 'datatable_entry', id, folder: ROOT, files: new Map(), code })
}

/** The code of the problem with which a restore is refused; undefined if it succeeds. */
export function refusalOf(state: State, item: Item): string | undefined {
  const { object, id, folder, files, code = '' } = item
  if (object === 'datatable_entry')
    return [...state.entries.values()].includes(code) ? 'not-unique' : undefined
  if (object === 'asset_category') return isTaken(state, ROOT, code) ? 'name-taken' : undefined
  if (!hasFolder(state, folder)) return 'in-use'
  const name = files.get(id)?.name ?? ''
  return isTaken(state, folder, name) ? 'name-taken' : undefined
}

export function restore(state: State, item: Item): void {
  drop(state, item)
  const { object, id, files, code = '' } = item
  if (object === 'datatable_entry') state.entries.set(id, code)
  if (object === 'asset_category') state.folders.set(id, code)
  for (const [fileId, file] of files) state.files.set(fileId, file)
}

export function drop(state: State, item: Item): void {
  state.trash.splice(state.trash.indexOf(item), 1)
}
