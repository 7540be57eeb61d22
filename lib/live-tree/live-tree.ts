// --live-tree: keeps the public live files of each site in a directory, for a web server that serves them while this server
// is down. It follows the change log, so it never delays a publish and no operation has to know it.
//
// At the start, and after an error, the directory is compared with the records, in time slices. The position in the change
// log is taken before the comparison, and changes are processed during it, so that no change is missed. The position needs no
// durable storage: a crash at any moment ends in the comparison of the next start.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ANONYMOUS } from '../auth/anonymous.ts'
import type { Log } from '../base/log.ts'
import type { Site } from '../config/flag-values.ts'
import type { Context, Services } from '../operations/context.ts'
import { readChangeLog } from '../operations/trail/change-log.ts'
import {
  type ChangeEvent,
  newestSequence,
  readChanges,
  waitForChange,
} from '../operations/trail/changes.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { fileGroup } from '../schema/file-group.ts'
import { SiteTree } from './site-tree.ts'
import { MadeFiles } from './made-files.ts'
import { NginxIncludes } from './nginx-includes.ts'
import { hostOf, openTreeDirectory } from './tree-directory.ts'
import { codeOf, TreeFiles } from './tree-files.ts'

export interface LiveTreeOptions {
  readonly services: Services
  readonly directory: string
  readonly sites: readonly Site[]
  readonly requireRoom: (sizeBytes: number) => void
  readonly log: Log
}

export interface LiveTreeStatus {
  /** Why files could not be written; undefined if nothing is missing for this reason. */
  readonly trouble: 'disk-full' | 'failed' | undefined
  /** Live files that cannot be in the tree. */
  readonly skipped: number
}

/** The tree is compared again this long after an error; the pause doubles after each failure up to the maximum. */
const RETRY_MS = 1_000
const MAX_RETRY_MS = 60_000
/** Includes of nginx are written at most this often, because nginx reloads them. */
const INCLUDES_MS = 5_000
/** A sitemap reads all live files. The next sitemap waits for this many times the duration of the last one, up to a maximum. */
const MADE_PAUSES = 20
const MAX_MADE_MS = 60_000
/** Changes read at once. */
const BATCH = 1_000
/** Fields of a folder that change files of the tree: paths, visibility and layouts. */
const FILE_FIELDS = ['name', 'parent_category_id', 'public', 'layout_file_id']
/** Fields of a folder that change only the includes of nginx and the made files. */
const OTHER_FIELDS = ['redirects', 'site_headers']

export class LiveTree {
  readonly #options: LiveTreeOptions
  readonly #context: Context
  readonly #trees: readonly SiteTree[]
  readonly #made: readonly MadeFiles[]
  readonly #includes: NginxIncludes
  #position = 0
  #signal: AbortSignal | undefined
  #needsCompare = true
  /** A folder changed, so the files of all folders must be found again. */
  #needsWalk = false
  #trouble: LiveTreeStatus['trouble']
  #told = ''
  /** Something may have changed since the includes of nginx were written, and since the made files were. */
  #isMoved = false
  #isMadeOld = false
  #includesAtMs = 0
  #madeAtMs = 0

  /** Throws if the directory cannot be used. */
  constructor(options: LiveTreeOptions) {
    const { services, directory, sites, requireRoom, log } = options
    openTreeDirectory(directory, sites, services.records.siteId())
    const tmp = join(directory, '.cms', 'tmp')
    this.#options = options
    this.#context = { ...services, caller: ANONYMOUS }
    const parts = sites.map((site) => {
      const files = new TreeFiles(join(directory, hostOf(site)), tmp)
      return { context: this.#context, site, files, requireRoom }
    })
    const onPause = (): Promise<void> => this.#catchUp()
    const isStopping = (): boolean => this.#isStopping()
    this.#trees = parts.map((each) => new SiteTree({ ...each, onPause, isStopping }))
    this.#made = parts.map((each) => new MadeFiles(each))
    this.#includes = new NginxIncludes({ context: this.#context, directory, sites, log })
  }

  #noteChange(): void {
    this.#isMoved = true
    this.#isMadeOld = true
  }

  status(): LiveTreeStatus {
    const skipped = this.#trees.reduce((sum, tree) => sum + tree.skipped().length, 0)
    return { trouble: this.#trouble, skipped }
  }

  /** Runs until the signal aborts or the server stops. */
  async run(signal: AbortSignal): Promise<void> {
    let pauseMs = RETRY_MS
    this.#signal = signal
    while (!this.#isStopping()) {
      const error = await this.#step().catch((thrown: unknown) => thrown)
      if (this.#isStopping()) return
      if (error === undefined) {
        pauseMs = RETRY_MS
        this.#noteSuccess()
        await this.#follow(signal, this.#dueMs())
        continue
      }
      this.#noteTrouble(error)
      // Files that are no longer public are removed meanwhile.
      const untilMs = performance.now() + pauseMs
      while (!this.#isStopping() && performance.now() < untilMs) await this.#follow(signal, untilMs)
      this.#needsCompare = true
      pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)
    }
  }

  #isStopping(): boolean {
    return this.#signal?.aborted === true || this.#context.changeWatch.closing.aborted
  }

  /** Makes the tree equal to the records; returns the error that kept something from being written. */
  async #step(): Promise<unknown> {
    const trouble = (): unknown =>
      this.#trees.map((tree) => tree.takeTrouble()).find((error) => error !== undefined)
    await this.#context.renew()
    while (!this.#isStopping() && (this.#needsCompare || this.#needsWalk)) {
      if (this.#needsCompare) {
        trouble()
        this.#position = newestSequence(this.#context)
      }
      const isDiskKnown = !this.#needsCompare
      this.#needsCompare = false
      this.#needsWalk = false
      await this.#compare(isDiskKnown)
      await this.#catchUp()
    }
    const nowMs = performance.now()
    if (this.#isMoved && nowMs >= this.#includesAtMs) await this.#writeIncludes()
    if (this.#isMadeOld && nowMs >= this.#madeAtMs) await this.#writeMade()
    return trouble()
  }

  async #compare(isDiskKnown: boolean): Promise<void> {
    const startedMs = performance.now()
    const countOf = (name: 'files' | 'written'): number =>
      this.#trees.reduce((sum, tree) => sum + tree.counts()[name], 0)
    const before = countOf('written')
    for (const tree of this.#trees) await tree.compare({ isDiskKnown })
    this.#noteChange()
    if (isDiskKnown || this.#isStopping()) return
    const ms = Math.round(performance.now() - startedMs)
    const written = countOf('written') - before
    this.#options.log.info({ files: countOf('files'), written, ms }, 'live tree compared')
  }

  async #writeIncludes(): Promise<void> {
    this.#isMoved = false
    await this.#includes.write()
    this.#includesAtMs = performance.now() + INCLUDES_MS
  }

  async #writeMade(): Promise<void> {
    this.#isMadeOld = false
    const beganMs = performance.now()
    for (const made of this.#made) await made.write()
    const nowMs = performance.now()
    const pauseMs = Math.max(INCLUDES_MS, MADE_PAUSES * (nowMs - beganMs))
    this.#madeAtMs = nowMs + Math.min(pauseMs, MAX_MADE_MS)
  }

  /** When the includes or the made files are due; undefined if nothing has changed. */
  #dueMs(): number | undefined {
    const due = [
      ...(this.#isMoved ? [this.#includesAtMs] : []),
      ...(this.#isMadeOld ? [this.#madeAtMs] : []),
    ]
    return due.length === 0 ? undefined : Math.min(...due)
  }

  /** Processes the changes since the last call. */
  async #catchUp(): Promise<void> {
    for (let isEnd = false; !isEnd && !this.#needsCompare; ) {
      const after = this.#position
      const wants = isTelling
      const page = await readChanges(this.#context, { after, length: BATCH, wants })
      // Changes may have been removed before they were read.
      if (readChangeLog(this.#context.records).removed > after) this.#needsCompare = true
      this.#position = page.position
      isEnd = page.isEnd
      await this.#apply(page.changes)
    }
  }

  async #apply(changes: readonly ChangeEvent[]): Promise<void> {
    if (changes.length === 0) return
    const [ids, groupIds] = [new Set<number>(), new Set<number>()]
    let isFolder = false
    for (const change of changes) {
      const { object, object_id: id } = change
      if (object === assetFile.name) ids.add(id)
      else if (object === fileGroup.name) groupIds.add(id)
      else if (changesOneOf(change, FILE_FIELDS)) isFolder = true
    }
    for (const tree of this.#trees) {
      // Before the walk, which finds files that are new in the tree, nothing stays that is not public any more.
      await tree.settle(
        isFolder ? new Set([...tree.ids(), ...ids]) : tree.withDependent(ids, groupIds),
      )
    }
    this.#noteChange()
    if (isFolder) this.#needsWalk = true
  }

  /** Waits for a change, at most until this moment, and processes it. */
  async #follow(signal: AbortSignal, untilMs: number | undefined): Promise<void> {
    const over = new AbortController()
    const late = AbortSignal.any([signal, over.signal])
    const timer =
      untilMs === undefined
        ? undefined
        : setTimeout(() => over.abort(), untilMs - performance.now())
    try {
      await waitForChange(this.#context, this.#position, late)
      await this.#catchUp()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'live tree could not follow the changes')
      this.#needsCompare = true
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    } finally {
      clearTimeout(timer)
    }
  }

  #noteTrouble(error: unknown): void {
    const code = codeOf(error)
    const isFull = FULL.has(code)
    const isNew = this.#trouble === undefined
    this.#trouble = isFull ? 'disk-full' : 'failed'
    if (isNew)
      this.#options.log.warn({ err: error, code }, 'live tree could not be written; retrying')
  }

  #noteSuccess(): void {
    if (this.#trouble !== undefined) this.#options.log.info('live tree is complete again')
    this.#trouble = undefined
    const skipped = this.#trees.flatMap((tree) => tree.skipped())
    const told = JSON.stringify(skipped)
    if (told !== this.#told && skipped.length > 0)
      this.#options.log.warn(
        { count: skipped.length, files: skipped.slice(0, MAX_TOLD) },
        'live files are not in the live tree',
      )
    this.#told = told
  }
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'disk-full'])
/** Files named in one line of the log. */
const MAX_TOLD = 20

function isTelling(change: ChangeEvent): boolean {
  const { object, action } = change
  if (object === assetFile.name || object === fileGroup.name) return true
  if (object !== assetCategory.name || action === 'create') return false
  return changesOneOf(change, [...FILE_FIELDS, ...OTHER_FIELDS])
}

function changesOneOf({ changed_fields: fields }: ChangeEvent, names: readonly string[]): boolean {
  // A change that names no field may be any change, such as a removal. A removed former name changes no field.
  return fields === null || fields.length === 0 || fields.some((name) => names.includes(name))
}
