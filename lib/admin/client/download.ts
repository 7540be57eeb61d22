// Saves a file that a page creates: directly to disk where the browser supports showSaveFilePicker, otherwise in
// memory until the file is complete, up to a size limit. Signs download URLs, which are valid for five minutes: the
// browser loads or saves them without a header, so that a page need not hold large files in memory.

import { SERVER } from './address.ts'
import { type Api, dataOf } from './api.ts'
import { readProblem } from './problem.ts'

/** Limit for files that are collected in memory. */
export const MEMORY_BYTES = 100_000_000

type Piece = string | Uint8Array<ArrayBuffer>

export interface SavedFile {
  /** Waits for the disk. Throws TooLarge. */
  readonly write: (piece: Piece) => Promise<void>
  /** The file exists only after this call. */
  readonly close: () => Promise<void>
  /** Discards the partial file. */
  readonly abort: () => Promise<void>
}

/** The file exceeds the memory limit. */
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

/** Asks for the file location; returns undefined if the user cancels. Call it directly from a click handler. */
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

/** Saves a short text through the browser's downloads. */
export async function saveText(name: string, text: string): Promise<void> {
  const file = gather(name, 'text/plain')
  await file.write(text)
  await file.close()
}

/** Saves the resource at the address through the browser, which shows the progress. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

function hasPicker(browser: object): browser is Picker {
  return 'showSaveFilePicker' in browser
}

function gather(name: string, type: string): SavedFile {
  const pieces: Piece[] = []
  let sizeBytes = 0
  return {
    write(piece) {
      sizeBytes += new Blob([piece]).size
      if (sizeBytes > MEMORY_BYTES) return Promise.reject(new TooLarge())
      pieces.push(piece)
      return Promise.resolve()
    },
    close() {
      const url = URL.createObjectURL(new Blob(pieces, { type }))
      saveFrom(url, name)
      // The browser reads the URL after this function returns.
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
      return Promise.resolve()
    },
    abort() {
      pieces.length = 0
      return Promise.resolve()
    },
  }
}

/** Signs a path below the server: `/file/7/room.png`. */
export async function ticketFor(api: Api, path: string): Promise<string> {
  const { path: signed } = await dataOf(api.POST('/ticket', { body: { path } }))
  return addressOf(signed, path)
}

/** Signs the path of a feed by a key, with which the address ends. The client of the page would send the session. */
export async function permanentTicketFor(path: string, secret: string): Promise<string> {
  const response = await fetch(`${SERVER}/api/v2/ticket`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path, permanent: true }),
  })
  if (!response.ok) throw await readProblem(response)
  const { path: signed } = (await response.json()) as { readonly path: string }
  return addressOf(signed, path)
}

function addressOf(signed: string, path: string): string {
  // The server's path prefix may differ from the prefix that this browser uses.
  const at = signed.indexOf(path)
  return new URL(at === -1 ? signed : `${SERVER}${signed.slice(at)}`, SERVER).href
}
