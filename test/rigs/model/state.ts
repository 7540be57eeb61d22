// The model: the site as plain data, with a second, simple implementation of the rules of the
// interface.

export interface Folder {
  readonly name: string
  readonly parent: number
}

export interface Version {
  /** The name of the record when the version was made. */
  readonly name: string
  readonly text: string
  readonly title: string | null
}

export interface File {
  readonly name: string
  readonly parent: number
  readonly versions: readonly Version[]
  readonly live: number | null
  readonly staged: number | null
  readonly state: 'publish' | 'stage' | null
}

export interface Group {
  readonly name: string
  readonly parent: number
  readonly files: readonly number[]
}

export interface Entry {
  readonly a: number
  readonly b: string | null
}

export interface Table {
  readonly parent: number
  readonly url: string
  readonly entries: Map<number, Entry>
}

export interface Key {
  readonly secret: string
  readonly grants: readonly string[]
  readonly isActive: boolean
}

export interface Model {
  /** The folder of the sequence. */
  readonly root: number
  readonly folders: Map<number, Folder>
  readonly files: Map<number, File>
  readonly groups: Map<number, Group>
  readonly tables: Map<number, Table>
  readonly keys: Map<number, Key>
}

export function newModel(root: number): Model {
  const folders = new Map([[root, { name: 'root', parent: 1 }]])
  return { root, folders, files: new Map(), groups: new Map(), tables: new Map(), keys: new Map() }
}

/** The names that commands use need only these foldings. */
export function fold(name: string): string {
  return name.toLowerCase().replaceAll('ß', 'ss')
}

interface Place {
  readonly name: string
  readonly parent: number
}

/** Finds another record with the name in the folder. */
export function findName(
  records: Iterable<readonly [number, Place]>,
  wanted: Place,
  ownId?: number,
): number | undefined {
  const found = [...records].find(
    ([id, { name, parent }]) =>
      id !== ownId && parent === wanted.parent && fold(name) === fold(wanted.name),
  )
  return found?.[0]
}

/** A file occupies the name of its record and, if different, the name of its live version. */
export function* placesOf(files: ReadonlyMap<number, File>): Generator<readonly [number, Place]> {
  for (const [id, file] of files) {
    yield [id, file]
    yield [id, { name: liveName(file), parent: file.parent }]
  }
}

export function liveName(file: File): string {
  return (file.live === null ? undefined : file.versions[file.live - 1]?.name) ?? file.name
}

/** A file cannot have the name of another file or folder in its folder. */
export function isTaken(
  { files, folders }: Pick<Model, 'files' | 'folders'>,
  wanted: Place,
  ownFileId?: number,
): boolean {
  return (findName(placesOf(files), wanted, ownFileId) ?? findName(folders, wanted)) !== undefined
}

export interface FileChange {
  readonly text?: string | undefined
  readonly title?: string | null | undefined
  readonly name?: string | undefined
  readonly parent?: number | undefined
  readonly state?: 'publish' | 'stage' | undefined
}

/** Adds a version if anything besides the state was sent, then moves the pointers. */
export function changeFile(file: File, change: FileChange): File {
  const { text, title, name = file.name, parent = file.parent, state } = change
  const latest = file.versions.at(-1) ?? { text: '', title: null }
  const next = {
    name,
    text: text ?? latest.text,
    title: title === undefined ? latest.title : title,
  }
  const isSent = [text, title, change.name, change.parent].some((value) => value !== undefined)
  const saved = isSent ? { ...file, name, parent, versions: [...file.versions, next] } : file
  return state === undefined ? saved : movePointer(saved, state, saved.versions.length)
}

export function movePointer(file: File, state: 'publish' | 'stage', version: number): File {
  if (state === 'stage') return { ...file, state, staged: version }
  return { ...file, state, live: version, staged: Math.max(version, file.staged ?? 0) }
}

export function unpublish(file: File): File {
  return file.live === null ? file : { ...file, live: null, state: 'stage' }
}

export function unstage(file: File): File {
  if (file.staged === file.live) return file
  return { ...file, staged: file.live, state: file.live === null ? null : 'publish' }
}

/** The file keeps its present name. */
export function restore(file: File, number: number): File {
  const old = file.versions[number - 1]
  if (old === undefined) return file
  return { ...file, versions: [...file.versions, { ...old, name: file.name }] }
}

export function removeFile(model: Model, id: number): void {
  model.files.delete(id)
  for (const [groupId, group] of model.groups)
    model.groups.set(groupId, { ...group, files: group.files.filter((file) => file !== id) })
}

/** Also true for the folder itself. */
export function isInside(model: Model, folder: number, ancestor: number): boolean {
  for (let id: number | undefined = folder; id !== undefined; id = model.folders.get(id)?.parent)
    if (id === ancestor) return true
  return false
}

/** The number of records directly in a folder. */
export function countIn(model: Model, id: number): number {
  const records = [model.folders, model.files, model.groups, model.tables]
  return records.flatMap((map) => [...map.values()]).filter(({ parent }) => parent === id).length
}

export function removeFolder(model: Model, id: number): void {
  const gone = [...model.folders.keys()].filter((folder) => isInside(model, folder, id))
  const isGone = ({ parent }: { readonly parent: number }): boolean => gone.includes(parent)
  for (const [fileId, file] of model.files) if (isGone(file)) removeFile(model, fileId)
  for (const records of [model.groups, model.tables])
    for (const [recordId, record] of records) if (isGone(record)) records.delete(recordId)
  for (const folder of gone) model.folders.delete(folder)
}
