// Stores unsaved text in the browser on every keystroke, so that it survives a reload, a sign-out and a server
// outage. Short texts are written at once (localStorage). Long texts do not fit there, and are written one after the
// other to IndexedDB. A draft belongs to one file and one user.

import { ADMIN_PATH } from '../../client/address.ts'

export interface Draft {
  readonly text: string
  /** The version the draft is based on, and the ETag of the record at that time. */
  readonly version: number
  readonly etag: string
  readonly keptMs: number
}

/** Whether the latest text is stored, will be stored in a moment, or cannot be stored. */
export type DraftState = 'kept' | 'soon' | 'never'

export interface Drafts {
  readonly read: () => Promise<Draft | undefined>
  readonly write: (draft: Draft) => void
  readonly forget: () => void
}

export interface DraftsOptions {
  readonly fileId: number
  readonly userId: number
  readonly onKept: (kept: DraftState) => void
}

/** Part of the five million characters that a browser gives all pages of the site. */
const MOST_SHORT = 200_000

export function openDrafts({ fileId, userId, onKept }: DraftsOptions): Drafts {
  const name = `${prefixOf(userId)}${fileId}`
  let isLongKept = false
  let isWriting = false
  /** null deletes the draft. */
  let next: Draft | null | undefined

  /** Writes in sequence, and skips to the latest waiting draft. */
  async function writeLong(): Promise<void> {
    if (isWriting) return
    isWriting = true
    while (next !== undefined) {
      const draft = next
      next = undefined
      const isKept = await inStore<unknown>((store) =>
        draft === null ? store.delete(name) : store.put(draft, name),
      ).then(
        () => true,
        () => false,
      )
      isLongKept = isKept && draft !== null
      if (draft === null) continue
      if (isKept) removeShort(name)
      // A later draft is waiting, so the state of the latest text is not known yet.
      if (next === undefined) onKept(isKept ? 'kept' : 'never')
    }
    isWriting = false
  }

  function forgetLong(): void {
    if (!isLongKept && !isWriting) return
    next = null
    void writeLong()
  }

  return {
    async read() {
      const long = await inStore<unknown>((store) => store.get(name)).catch(() => undefined)
      const found = [readShort(name), isDraft(long) ? long : undefined]
      isLongKept = found[1] !== undefined
      return found.reduce((one, other) =>
        (one?.keptMs ?? 0) >= (other?.keptMs ?? 0) ? one : other,
      )
    },
    write(draft) {
      if (draft.text.length <= MOST_SHORT && writeShort(name, draft)) {
        forgetLong()
        onKept('kept')
        return
      }
      next = draft
      onKept('soon')
      void writeLong()
    },
    forget() {
      removeShort(name)
      forgetLong()
    },
  }
}

const prefixOf = (userId: number): string => `cms${ADMIN_PATH}.draft.${userId}.`

/** The files of which this browser stores unsaved text of a user. */
export async function filesWithDrafts(userId: number): Promise<readonly number[]> {
  const long = await inStore<IDBValidKey[]>((store) => store.getAllKeys()).catch(() => [])
  const prefix = prefixOf(userId)
  const ids = [...shortNames(), ...long.map(String)]
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
  return [...new Set(ids)]
}

function shortNames(): readonly string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

function readShort(name: string): Draft | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

function writeShort(name: string, draft: Draft): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

function removeShort(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // No stored draft.
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { text, version, etag, keptMs } = value as Readonly<Record<string, unknown>>
  const hasNumbers = typeof version === 'number' && typeof keptMs === 'number'
  return hasNumbers && typeof text === 'string' && typeof etag === 'string'
}

const STORE = 'drafts'

async function inStore<T>(
  work: (store: IDBObjectStore) => Pick<IDBRequest<T>, 'result'>,
): Promise<T> {
  const database = await opened()
  try {
    const transaction = database.transaction(STORE, 'readwrite')
    const request = work(transaction.objectStore(STORE))
    return await new Promise<T>((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('It was not kept.'))
    })
  } finally {
    database.close()
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('cms-drafts', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('It was not opened.'))
  })
}
