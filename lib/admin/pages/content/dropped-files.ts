// What somebody lets go over the page, or chooses: files, each with the names of the folders that it lay in.

export interface FoundFile {
  readonly file: File
  /** From the outermost inwards. */
  readonly folders: readonly string[]
}

/** Of a drop: to be called while it happens, as the browser forgets what was dropped right after. */
export function droppedEntries(transfer: DataTransfer): readonly FileSystemEntry[] {
  return [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
}

/** All files in them, folder by folder. */
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

/** Of an input; where a whole folder was chosen, its files tell their path. */
export function chosenFiles(list: FileList | null): readonly FoundFile[] {
  return [...(list ?? [])].map((file) => ({
    file,
    folders: file.webkitRelativePath.split('/').slice(0, -1),
  }))
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

/** A reader gives a hundred at once; an empty answer is the end. */
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
