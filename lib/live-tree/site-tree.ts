// The live tree of one site: makes files on the disk equal to the records. The disk is never a source of what is live.
//
// New files are written before old files are removed, so that a file that moves is never missing at both paths.

import type { Site } from '../config/flag-values.ts'
import type { Context } from '../operations/context.ts'
import { openDownload } from '../operations/files/download-bytes.ts'
import {
  findSiteFile,
  liveFilesIn,
  type SiteFile,
  siteFolders,
} from '../operations/site/site-files.ts'
import { STML } from '../schema/media-type.ts'
import { openTimeSlice } from '../schema/time-slicing.ts'
import { type Entry, entryOf, isOnDisk, OBSTACLES, pathOf, reasonToSkip } from './tree-entries.ts'
import { isMadeName } from './made-files.ts'
import { codeOf, type Found, type Names, type TreeFiles } from './tree-files.ts'
import { TreePages } from './tree-pages.ts'

export interface SiteTreeParts {
  readonly context: Context
  readonly site: Site
  readonly files: TreeFiles
  /** Throws disk-full if the disk of the data directory needs its free space. */
  readonly requireRoom: (sizeBytes: number) => void
  /** Called often during long work, to process changes meanwhile. */
  readonly onPause: () => Promise<void>
  /** Work ends early once the server stops; the next start compares again. */
  readonly isStopping: () => boolean
}

export interface Skipped {
  readonly path: string
  readonly reason: string
}

/** Files written at once. More would delay the syncs of commits on the same disk. */
const AT_ONCE = 4
/** Files compared between two pauses. */
const PER_PAUSE = 200

export class SiteTree {
  readonly #parts: SiteTreeParts
  readonly #byId = new Map<number, Entry>()
  readonly #byPath = new Map<string, Entry>()
  readonly #skipped = new Map<number, Skipped>()
  readonly #pages: TreePages
  /** The first error since `takeTrouble` that kept files from being written. */
  #trouble: unknown
  #written = 0

  constructor(parts: SiteTreeParts) {
    this.#parts = parts
    this.#pages = new TreePages(parts.context, parts.site)
  }

  /** Files that cannot be in the tree, although they are live. */
  skipped(): readonly Skipped[] {
    return [...this.#skipped.values()]
  }

  /** Files on the disk. */
  ids(): Iterable<number> {
    return this.#byId.keys()
  }

  /** These files, and the pages on the disk that they and these groups decide about. */
  withDependent(fileIds: ReadonlySet<number>, groupIds: ReadonlySet<number>): ReadonlySet<number> {
    return this.#pages.withDependent(fileIds, groupIds)
  }

  counts(): { readonly files: number; readonly written: number } {
    return { files: this.#byId.size, written: this.#written }
  }

  takeTrouble(): unknown {
    const trouble = this.#trouble
    this.#trouble = undefined
    return trouble
  }

  /** Compares the whole tree with the records. `isDiskKnown`: the files on the disk are settled, and only new files are sought. */
  async compare({ isDiskKnown }: { readonly isDiskKnown: boolean }): Promise<void> {
    const { context, site, onPause, isStopping } = this.#parts
    const orphans: Names[] = []
    const folders = new Set<string>()
    const before = new Set([...this.#byId.keys(), ...this.#skipped.keys()])
    for await (const { id, names } of siteFolders(context, site)) {
      folders.add(pathOf(names))
      const onDisk = isDiskKnown ? undefined : new Map(await this.#parts.files.list(names))
      let ids: number[] = []
      const settle = async (): Promise<void> => {
        await this.settle(ids)
        ids = []
        await onPause()
      }
      for await (const { asset_file_id: fileId } of liveFilesIn(context, id)) {
        if (onDisk !== undefined) this.#adopt(fileId, names, onDisk)
        before.delete(fileId)
        if (isDiskKnown && this.#byId.has(fileId)) continue
        ids.push(fileId)
        if (ids.length >= PER_PAUSE) await settle()
        if (isStopping()) return
      }
      await settle()
      if (isStopping()) return
      for (const name of onDisk?.keys() ?? [])
        if (names.length > 0 || !isMadeName(name)) orphans.push([...names, name])
    }
    await this.settle(before)
    await onPause()
    for (const names of orphans) if (!folders.has(pathOf(names))) await this.#removeOrphan(names)
  }

  /** Notes the file on the disk as written if it is the wanted one, and removes it from the map of unknown files. */
  #adopt(id: number, folder: Names, onDisk: Map<string, Found>): void {
    const want = this.#find(id)
    const name = want?.names.at(-1) ?? ''
    if (want === undefined || pathOf(want.names.slice(0, -1)) !== pathOf(folder)) return
    const found = onDisk.get(name)
    onDisk.delete(name)
    const known = this.#byId.get(id)
    const isHere = known !== undefined && pathOf(known.names) === pathOf(want.names)
    // The bytes of a rendered page are known only if this process wrote them.
    const isRendered = want.version.mime_type === STML || known?.page !== undefined
    const entry = isRendered ? (isHere ? known : undefined) : entryOf(want)
    if (entry !== undefined && isOnDisk(entry, found)) this.#note(entry)
    // The file that was written at this path is not there any more.
    else if (isHere) this.#forget(id)
  }

  /** A path that no live file had when its folder was read. A file may have moved there since. */
  async #removeOrphan(names: Names): Promise<void> {
    const path = pathOf(names)
    if (this.#byPath.has(path)) return
    const found = await this.#parts.files.find(names)
    if (found?.kind === 'directory') {
      for (const known of this.#byPath.keys())
        if (known.startsWith(`${path}/`)) return this.#sift(names)
    }
    await this.#attempt(() => this.#parts.files.clear(names))
  }

  /** Removes unknown files from a folder that holds known files. */
  async #sift(folder: Names): Promise<void> {
    for (const name of (await this.#parts.files.list(folder)).keys())
      await this.#removeOrphan([...folder, name])
  }

  /** Updates the tree for these files: first writes new files, then removes old ones. Reads in time slices. */
  async settle(ids: Iterable<number>): Promise<void> {
    const stale: Entry[] = []
    const blocked: number[] = []
    const slice = openTimeSlice()
    await inParallel(ids, async (id) => {
      if (slice.isOver(0)) await slice.next()
      if (this.#parts.isStopping()) return
      if (await this.#place(id, stale)) return
      blocked.push(id)
    })
    for (const entry of stale) await this.#attempt(() => this.#removeStale(entry))
    for (const id of blocked) {
      const want = this.#find(id)
      if (want === undefined) continue
      await this.#attempt(() => this.#parts.files.removeObstacle(want.names))
      const replaced: Entry[] = []
      await this.#place(id, replaced)
      for (const entry of replaced) await this.#attempt(() => this.#removeStale(entry))
    }
  }

  #find(id: number): SiteFile | undefined {
    const found = findSiteFile(this.#parts.context, this.#parts.site, id)
    if (found?.isShadowed !== true) return found
    const reason = 'another live file of the folder has the same name'
    this.#skipped.set(id, { path: pathOf(found.names), reason })
    return undefined
  }

  /** Writes the file if it differs. False if another file or folder on the disk occupies its path. */
  async #place(id: number, stale: Entry[]): Promise<boolean> {
    this.#skipped.delete(id)
    const want = this.#find(id)
    const known = this.#byId.get(id)
    const isMoved = known !== undefined && pathOf(known.names) !== (want && pathOf(want.names))
    if (want === undefined) {
      if (known !== undefined) stale.push(known)
      return true
    }
    let entry: Entry
    try {
      if (known !== undefined && !isMoved && (await this.#isCurrent(want, known))) return true
      entry = await this.#write(want)
    } catch (error) {
      if (OBSTACLES.has(codeOf(error))) return false
      this.#fail(want, error)
      // The site does not have the old path any more, and the file can never be written to the new path.
      if (isMoved && this.#skipped.has(id)) stale.push(known)
      return true
    }
    if (isMoved) stale.push(known)
    this.#note(entry)
    this.#written += 1
    return true
  }

  async #isCurrent(want: SiteFile, known: Entry): Promise<boolean> {
    const isAsStored = known.page === undefined && known.modifiedMs === entryOf(want).modifiedMs
    // A version with shortcodes is never written as stored, so nothing has to be read.
    if (isAsStored && !this.#pages.hasLayout(want)) return true
    const rendered = await this.#pages.render(want)
    return rendered === undefined ? isAsStored : known.page?.digest === rendered.digest
  }

  async #write(want: SiteFile): Promise<Entry> {
    const { context, files, requireRoom } = this.#parts
    const { id, names, version } = want
    const rendered = await this.#pages.render(want)
    if (rendered !== undefined) {
      const { bytes, ...page } = rendered
      const modifiedMs = Date.now()
      requireRoom(bytes.length)
      await files.write(names, { chunks: [bytes], modifiedMs })
      return { id, names, sizeBytes: bytes.length, modifiedMs, page }
    }
    const entry = entryOf(want)
    requireRoom(version.size)
    const opened = await openDownload(context, { version })
    if (opened.kind === 'stream') {
      try {
        await files.write(names, { chunks: opened.content.chunks(), modifiedMs: entry.modifiedMs })
      } finally {
        await opened.content.close()
      }
      return entry
    }
    const { bytes, giveBack } = opened.lent
    try {
      await files.write(names, { chunks: [bytes], modifiedMs: entry.modifiedMs })
    } finally {
      giveBack?.()
    }
    return entry
  }

  #fail({ id, names }: SiteFile, error: unknown): void {
    const reason = reasonToSkip(error)
    if (reason !== undefined) this.#skipped.set(id, { path: pathOf(names), reason })
    // A missing version was replaced meanwhile; the change that replaced it follows.
    else if (codeOf(error) !== 'not-found') this.#trouble ??= error
  }

  async #removeStale(entry: Entry): Promise<void> {
    const { files } = this.#parts
    const now = this.#byId.get(entry.id)
    if (now === entry) this.#forget(entry.id)
    const holder = this.#byPath.get(pathOf(entry.names))
    if (holder !== undefined && holder.id !== entry.id) return
    const isRespelled =
      now !== undefined && now !== entry && (await files.isSame(entry.names, now.names))
    if (isRespelled) await files.renameTo(entry.names, now.names)
    else await files.remove(entry.names)
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#trouble ??= error
    }
  }

  #note(entry: Entry): void {
    this.#forget(entry.id)
    this.#byId.set(entry.id, entry)
    this.#byPath.set(pathOf(entry.names), entry)
    this.#pages.note(entry)
  }

  #forget(id: number): void {
    const known = this.#byId.get(id)
    if (known === undefined) return
    this.#byId.delete(id)
    this.#pages.forget(known)
    const path = pathOf(known.names)
    if (this.#byPath.get(path) === known) this.#byPath.delete(path)
  }
}

async function inParallel(
  ids: Iterable<number>,
  work: (id: number) => Promise<void>,
): Promise<void> {
  const rest = ids[Symbol.iterator]()
  const next = async (): Promise<void> => {
    for (let step = rest.next(); step.done !== true; step = rest.next()) await work(step.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}
