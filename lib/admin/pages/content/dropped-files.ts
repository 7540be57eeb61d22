// Files that the user chooses or drops, each with the names of its parent folders; and files that are dragged from the
// list to a folder of the tree.

import type { FileRecord } from './records.ts'

export interface FoundFile {
  readonly file: File
  /** From the outermost folder inwards. */
  readonly folders: readonly string[]
}

/** Must be called inside the drop event, because the browser clears the transfer afterwards. */
export function droppedEntries(transfer: DataTransfer): readonly FileSystemEntry[] {
  return [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
}

/** Returns all files, folder by folder. */
export async function filesIn(
  entries: readonly FileSystemEntry[],
  folders: readonly string[] = [],
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  for (const entry of entries) {
    if (isFile(entry)) found.push({ file: await fileOf(entry), folders })
    else if (isFolder(entry))
      found.push(...(await filesIn(await entriesIn(entry), [...folders, entry.name])))
  }
  return found
}

/** Reads a file input. Files of a chosen folder have a relative path, which begins with the name of that folder. */
export function chosenFiles(list: FileList | null): readonly FoundFile[] {
  return [...(list ?? [])].map((file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1),
  }))
}

/** Leaves out the chosen folder itself, so that its content lands in the open folder. */
export function withoutTopFolder(found: readonly FoundFile[]): readonly FoundFile[] {
  return found.map(({ file, folders }) => ({ file, folders: folders.slice(1) }))
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}

/** A reader returns at most 100 entries per call; an empty result is the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** A private media type that other programs ignore. */
const TYPE = 'application/x-cms-files'

export function dragFiles({ dataTransfer }: DragEvent, files: readonly FileRecord[]): void {
  dataTransfer?.setData(TYPE, JSON.stringify(files))
  if (dataTransfer !== null) dataTransfer.effectAllowed = 'move'
}

/** Returns undefined if the drop holds something else. */
export function draggedFiles(transfer: DataTransfer): readonly FileRecord[] | undefined {
  const text = transfer.getData(TYPE)
  return text === '' ? undefined : (JSON.parse(text) as readonly FileRecord[])
}

export function bringsFiles(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes('Files') === true
}
