// The upload queue, which sends three files at a time. It belongs to the whole area: leaving a page does not stop it,
// signing out does.

import { type Cell, openCell } from '../../client/cell.ts'
import type { Speaking } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { newRequestKey } from '../../client/api.ts'
import type { FoundFile } from './dropped-files.ts'
import { openUploadFolders, sendUpload } from './upload-send.ts'
import type { FileRecord } from './records.ts'

export type UploadState =
  | { readonly kind: 'waiting' | 'cancelled' | 'skipped' }
  | { readonly kind: 'sending'; readonly sentBytes: number }
  | { readonly kind: 'done'; readonly fileId: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** A file with this name exists; fileId is undefined if the user cannot see it. */
  | { readonly kind: 'clash'; readonly fileId: number | undefined }
  /** The replaced file has a different type. */
  | { readonly kind: 'otherType'; readonly fields: NameAndType }

/** The answer to a name conflict. */
export type ClashAnswer = 'replace' | 'keep' | 'skip'

export interface UploadItem extends FoundFile {
  readonly id: number
  readonly name: string
  readonly target: UploadTarget
  /** The file that gets a new version. */
  readonly replacedId: number | undefined
  /** Sent with the bytes if their type differs from that of the file. */
  readonly fields: NameAndType | undefined
  readonly state: UploadState
}

export interface UploadTarget {
  readonly folderId: number
  readonly publishes: boolean
  /** Undefined for new files. */
  readonly replaced: Replaced | undefined
}

export type Replaced = Pick<FileRecord, 'asset_file_id' | 'name'>

interface NameAndType {
  readonly name: string
  readonly type: string
}

const AT_ONCE = 3
const TOLD_MS = 1_000
const BUSY: ReadonlySet<UploadState['kind']> = new Set(['waiting', 'sending'])

export function isUnsettled({ state: { kind } }: UploadItem): boolean {
  return BUSY.has(kind) || kind === 'clash' || kind === 'otherType'
}

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
      this.cancel(this.items.get().map(({ id }) => id))
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
    this.#change(ids, (item) =>
      isUnsettled(item) ? { ...item, state: { kind: 'cancelled' } } : item,
    )
    for (const id of ids) this.#running.get(id)?.abort()
    this.#pump()
  }

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
      gone.signal.aborted ? { kind: 'cancelled' as const } : refusalOf(item, error),
    )
    this.#running.delete(item.id)
    this.#settle(item.id, state)
    if (state.kind === 'done') this.#tell()
    if (state.kind === 'clash' && this.#forAll !== undefined) this.answer([item.id], this.#forAll)
    this.#pump()
  }

  async #upload(item: UploadItem, signal: AbortSignal): Promise<UploadState> {
    const folderId = await this.#folders.require(item.target.folderId, item.folders)
    const { asset_file_id: fileId } = await sendUpload(this.#client, {
      form: formOf(item, folderId),
      requestKey: newRequestKey(),
      signal,
      onSent: (sentBytes) => this.#settle(item.id, { kind: 'sending', sentBytes }),
    })
    return { kind: 'done', fileId }
  }

  #tell(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.landed.set(this.landed.get() + 1)
    }, TOLD_MS)
  }
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function formOf(item: UploadItem, folderId: number): FormData {
  const { file, name, target, replacedId, fields } = item
  const form = new FormData()
  if (replacedId === undefined) form.set('asset_category_id', String(folderId))
  else form.set('asset_file_id', String(replacedId))
  if (fields !== undefined) {
    form.set('name', fields.name)
    form.set('type', fields.type)
  }
  if (target.publishes) form.set('fileState', 'publish')
  form.set('Filedata', file, name)
  return form
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

/** `a.txt`, `a (2).txt`, `a (3).txt`. */
function nextName(name: string): string {
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const [, base = stem, count = '1'] = /^(.*) \((\d{1,6})\)$/.exec(stem) ?? []
  return `${base} (${Number(count) + 1})${end}`
}
