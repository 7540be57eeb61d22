// A file that a page writes for who reads it: straight to the disk where the browser has a way (showSaveFilePicker),
// else in memory until it is whole, and so of a bounded size.

/** Of what is gathered in memory. */
export const MEMORY_BYTES = 100_000_000

export interface SavedFile {
  /** Waits for the disk. Throws TooLarge. */
  readonly write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Only then is the file there. */
  readonly close: () => Promise<void>
  /** Nothing of it is left. */
  readonly abort: () => Promise<void>
}

/** There is more than fits into memory. */
export class TooLarge extends Error {
  constructor() {
    super('There is more than this browser can save.')
    this.name = 'TooLarge'
  }
}

interface Picker {
  readonly showSaveFilePicker: (options: {
    readonly suggestedName: string
  }) => Promise<FileSystemFileHandle>
}

export function canStream(): boolean {
  return 'showSaveFilePicker' in globalThis
}

/** Asks where to; undefined: nobody wants it any more. To be called straight after a press. */
export async function openSavedFile(name: string, type: string): Promise<SavedFile | undefined> {
  const browser: object = globalThis
  if (!hasPicker(browser)) return gather(name, type)
  try {
    const handle = await browser.showSaveFilePicker({ suggestedName: name })
    const target = await handle.createWritable()
    return {
      write: (piece) => target.write(piece),
      close: () => target.close(),
      abort: () => target.abort(),
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    throw error
  }
}

/** A few lines as a file, where the browser puts what it downloads. */
export async function saveText(name: string, text: string): Promise<void> {
  const file = gather(name, 'text/plain')
  await file.write(new TextEncoder().encode(text))
  await file.close()
}

function hasPicker(browser: object): browser is Picker {
  return 'showSaveFilePicker' in browser
}

function gather(name: string, type: string): SavedFile {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let sizeBytes = 0
  return {
    write(piece) {
      sizeBytes += piece.length
      if (sizeBytes > MEMORY_BYTES) return Promise.reject(new TooLarge())
      pieces.push(piece)
      return Promise.resolve()
    },
    close() {
      const url = URL.createObjectURL(new Blob(pieces, { type }))
      download(url, name)
      // It is read after this has run.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      return Promise.resolve()
    },
    abort() {
      pieces.length = 0
      return Promise.resolve()
    },
  }
}

/** What is at the address, as a file and not as a page. */
function download(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
