// The upload queue, which sends three files at a time. It belongs to the whole area: leaving a page does not stop it,
// signing out does.

import { type Cell, openCell } from '../../client/cell.ts'
import type { Speaking } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { newRequestKey } from '../../client/api.ts'
import type { FoundFile } from './dropped-files.ts'
import { endResumable, sendResumable } from './resumable-send.ts'
import {
  formOf,
  isResumable,
  isUnsettled,
  keyOf,
  nextName,
  type UploadItem,
  type UploadState,
  type UploadTarget,
  valuesOf,
} from './upload-item.ts'
import { openUploadFolders, sendUpload } from './upload-send.ts'

/** The answer to a name conflict. */
export type ClashAnswer = 'replace' | 'keep' | 'skip'

const AT_ONCE = 3
const TOLD_MS = 1_000
const queues = new WeakMap<Speaking, UploadQueue>()

/** The shared queue of the area. */
export function uploadsOf(client: Speaking): UploadQueue {
  const queue = queues.get(client) ?? new UploadQueue(client)
  queues.set(client, queue)
  return queue
}

export class UploadQueue {
  readonly items: Cell<readonly UploadItem[]> = openCell<readonly UploadItem[]>([])
  /** Incremented after uploads, at most once per second. */
  readonly landed: Cell<number> = openCell(0)
  readonly #client: Speaking
  readonly #folders: ReturnType<typeof openUploadFolders>
  readonly #running = new Map<number, AbortController>()
  #lastId = 0
  #forAll: ClashAnswer | undefined
  #telling: ReturnType<typeof setTimeout> | undefined

  constructor(client: Speaking) {
    this.#client = client
    this.#folders = openUploadFolders(client.api)
    // A different user may sign in next.
    client.session.state.watch(({ kind }) => {
      if (kind !== 'none') return
      this.#abort(this.items.get().map(({ id }) => id))
      this.items.set([])
    })
  }

  add(found: readonly FoundFile[], target: UploadTarget): void {
    const added = found.map((one): UploadItem => {
      this.#lastId += 1
      return {
        ...one,
        id: this.#lastId,
        name: one.file.name,
        target,
        replacedId: target.replaced?.asset_file_id,
        fields: undefined,
        state: { kind: 'waiting' },
      }
    })
    this.items.set([...this.items.get(), ...added])
    this.#pump()
  }

  cancel(ids: readonly number[]): void {
    this.#abort(ids)
    const meant = new Set(ids)
    for (const item of this.items.get())
      if (meant.has(item.id) && isResumable(item)) void this.#end(item)
    this.#pump()
  }

  #abort(ids: readonly number[]): void {
    this.#change(ids, (item) =>
      isUnsettled(item) ? { ...item, state: { kind: 'cancelled' } } : item,
    )
    for (const id of ids) this.#running.get(id)?.abort()
  }

  /** Interrupts a resumable upload. The server keeps its bytes for a day. */
  pause(id: number): void {
    this.#change([id], (item) => {
      const { state } = item
      return state.kind === 'sending' ? { ...item, state: { ...state, kind: 'paused' } } : item
    })
    this.#running.get(id)?.abort()
    this.#pump()
  }

  /** Also resumes. */
  retry(ids: readonly number[]): void {
    this.#change(ids, (item) => ({ ...item, state: { kind: 'waiting' } }))
    this.#pump()
  }

  /** Answers one name conflict, or all current and future ones. */
  answer(ids: readonly number[] | 'all', given: ClashAnswer): void {
    if (ids === 'all') this.#forAll = given
    const clashed = this.items.get().filter(({ state }) => state.kind === 'clash')
    const meant = ids === 'all' ? clashed.map(({ id }) => id) : ids
    this.#change(meant, (item) => answered(item, given))
    this.#pump()
  }

  /** Whether a file takes the name and type of its replacement; false skips the file. */
  takeType(id: number, isTaken: boolean): void {
    this.#change([id], (item) => retyped(item, isTaken))
    this.#pump()
  }

  /** After an alternative text was saved or skipped. */
  describe(ids: readonly number[]): void {
    this.#change(ids, (item) => ({ ...item, isDescribed: true }))
    this.tell()
  }

  clear(): void {
    this.#forAll = undefined
    this.items.set(this.items.get().filter(isUnsettled))
  }

  #change(ids: readonly number[], next: (item: UploadItem) => UploadItem): void {
    const wanted = new Set(ids)
    this.items.set(this.items.get().map((item) => (wanted.has(item.id) ? next(item) : item)))
  }

  #settle(id: number, state: UploadState): void {
    this.#change([id], (item) => ({ ...item, state }))
  }

  #pump(): void {
    while (this.#running.size < AT_ONCE) {
      const next = this.items.get().find(({ state }) => state.kind === 'waiting')
      if (next === undefined) break
      void this.#run(next)
    }
    if (this.items.get().some(isUnsettled)) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
  }

  async #run(item: UploadItem): Promise<void> {
    const gone = new AbortController()
    this.#running.set(item.id, gone)
    this.#settle(item.id, { kind: 'sending', sentBytes: 0 })
    const state = await this.#upload(item, gone.signal).catch((error: unknown) =>
      gone.signal.aborted ? undefined : refusalOf(item, error),
    )
    // After a pause and a quick resume, another run has the item.
    if (this.#running.get(item.id) === gone) this.#running.delete(item.id)
    // An aborted item was paused or canceled already.
    if (state === undefined) return this.#pump()
    this.#settle(item.id, state)
    if (state.kind === 'done') this.tell()
    if (state.kind === 'clash' && this.#forAll !== undefined) this.answer([item.id], this.#forAll)
    this.#pump()
  }

  async #upload(item: UploadItem, signal: AbortSignal): Promise<UploadState> {
    const folderId = await this.#folders.require(item.target.folderId, item.folders)
    const onSent = (sentBytes: number): void => {
      if (!signal.aborted) this.#settle(item.id, { kind: 'sending', sentBytes })
    }
    if (isResumable(item)) {
      const { file } = item
      const values = valuesOf(item, folderId)
      const key = keyOf(item)
      const resumable = { file, key, values, signal, onSent }
      return { kind: 'done', fileId: await sendResumable(this.#client, resumable) }
    }
    const { asset_file_id: fileId } = await sendUpload(this.#client, {
      form: await formOf(item, folderId),
      requestKey: newRequestKey(),
      signal,
      onSent,
    })
    return { kind: 'done', fileId }
  }

  /** If the server cannot be reached, the upload expires there. */
  async #end(item: UploadItem): Promise<void> {
    await endResumable(this.#client, keyOf(item)).catch(() => undefined)
  }

  /** After uploaded drafts were published here or on another page. */
  publish(fileIds: readonly number[]): void {
    const published = new Set(fileIds)
    const ids = this.items.get().flatMap(({ id, state }) => {
      return state.kind === 'done' && published.has(state.fileId) ? [id] : []
    })
    if (ids.length > 0) this.#change(ids, (item) => ({ ...item, isPublished: true }))
  }

  /** Tells the lists that uploaded files have changed. */
  tell(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.landed.set(this.landed.get() + 1)
    }, TOLD_MS)
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function refusalOf(item: UploadItem, error: unknown): UploadState {
  const { replacedId, file, fields } = item
  if (replacedId !== undefined && fields === undefined && isOtherType(error))
    return { kind: 'otherType', fields: { name: file.name, type: typeOf(file.name) } }
  if (!(error instanceof Problem) || error.code !== 'name-taken' || replacedId !== undefined)
    return { kind: 'failed', error }
  const { asset_file_id: id } = error.facts.members
  return { kind: 'clash', fileId: typeof id === 'number' ? id : undefined }
}

/** The server rejects a different type unless the type is sent too. */
function isOtherType(error: unknown): boolean {
  return error instanceof Problem && error.facts.errors.some(({ pointer }) => pointer === '/type')
}

function typeOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}

function retyped(item: UploadItem, isTaken: boolean): UploadItem {
  if (item.state.kind !== 'otherType') return item
  if (!isTaken) return { ...item, state: { kind: 'skipped' } }
  return { ...item, fields: item.state.fields, state: { kind: 'waiting' } }
}

function answered(item: UploadItem, answer: ClashAnswer): UploadItem {
  if (item.state.kind !== 'clash') return item
  const { fileId } = item.state
  if (answer === 'skip') return { ...item, state: { kind: 'skipped' } }
  const state = { kind: 'waiting' } as const
  if (answer === 'replace' && fileId !== undefined) return { ...item, state, replacedId: fileId }
  return { ...item, state, name: nextName(item.name) }
}
