// The node's copy of the state: the same keys and values in a local LMDB, which serves all reads. The copy is a cache.
// Nothing is synced while it is open. A file beside it records a clean close; without that file the copy is discarded
// when it is opened.
//
//   data.mdb   the keys; a separate database holds the place: the epoch, number and op of the last applied commit
//   closed     empty; data.mdb is completely on disk
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ABORT, type Database, open, type RootDatabase } from 'lmdb'
import { DATABASE, type Reading, readerOf, writerOf } from '../storage/embedded/lmdb-keys.ts'
import type { Known, Learning } from '../storage/records/known-keys.ts'
import type { KvWriter } from '../storage/records/kv.ts'
import { isOfNumbers } from '../storage/records/type-numbers.ts'
import type { Write } from './log-body.ts'

/** Position in a log. */
export interface Place {
  readonly seq: number
  /** Op of the commit with this number; the commit has another op in another log. */
  readonly op: string
  /** Epoch of the log. */
  readonly epoch: string
}

export interface Commit {
  readonly seq: number
  readonly op: string
  readonly writes: readonly Write[]
}

export interface Tried<T> {
  readonly value: T
  readonly writes: readonly Write[]
}

/** True if the last process that used the copy was killed before closing it. Call before opening the copy. */
export function wasCutOff(directory: string): boolean {
  const { data, closed } = filesIn(directory)
  return existsSync(data) && !existsSync(closed)
}

function filesIn(directory: string): { readonly data: string; readonly closed: string } {
  return { data: join(directory, 'data.mdb'), closed: join(directory, 'closed') }
}

interface CopyOptions {
  readonly directory: string
  readonly known: Known
  /** A newer state exists, and nothing of it has been read yet. */
  readonly onNewer: () => void
  /** Type names may have other numbers than before, assigned by any process. */
  readonly onNumbers: () => void
}

const PLACE = 'place'

export function openLocalCopy(options: CopyOptions): LocalCopy {
  const { directory } = options
  const { closed } = filesIn(directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (!existsSync(closed))
    for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(directory, name), { force: true })
  rmSync(closed, { force: true })
  return new LocalCopy(options)
}

export class LocalCopy {
  readonly reader: Reading
  readonly #options: CopyOptions
  readonly #root: RootDatabase
  readonly #db: Database<Buffer, Buffer>
  readonly #places: Database<Place, string>
  #place: Place | undefined

  constructor(options: CopyOptions) {
    const path = options.directory
    this.#options = options
    this.#root = open({ path, noSync: true, overlappingSync: false, maxReaders: 512 })
    this.#db = this.#root.openDB(DATABASE)
    this.#places = this.#root.openDB({ name: PLACE, encoding: 'json' })
    this.#place = this.#places.get(PLACE)
    this.reader = readerOf(this.#db)
  }

  /** Undefined while the copy is empty. */
  place(): Place | undefined {
    return this.#place
  }

  /** Applies commits in order; commits that were applied before are skipped. */
  apply(commits: readonly Commit[]): void {
    let isNewer = false
    for (const { seq, op, writes } of commits) {
      const place = this.#place
      if (place === undefined || seq <= place.seq) continue
      if (seq !== place.seq + 1) throw new Error(`The log has no commit ${place.seq + 1}.`)
      this.#write(writes, { ...place, seq, op })
      isNewer = true
    }
    if (isNewer) this.#options.onNewer()
  }

  /** Runs a plan on the state. The plan sees its own writes; all of them are rolled back. */
  attempt<T>(plan: (writer: KvWriter) => T, learning: Learning): Tried<T> {
    const plain = writerOf(this.#db, { ...this.reader, known: learning })
    const { writer, writes } = noteWrites(plain)
    let tried: { readonly value: T } | undefined
    this.#root.transactionSync(() => {
      tried = { value: learning.run(() => plan(writer)) }
      return ABORT
    })
    this.#db.resetReadTxn()
    if (tried === undefined) throw new Error('The plan was not run.')
    return { value: tried.value, writes: [...writes.values()] }
  }

  /** Clears the copy and fills it again. There is no place until `end`. */
  refill(): { add(writes: readonly Write[]): void; end(place: Place): void } {
    this.#root.transactionSync(() => {
      this.#places.removeSync(PLACE)
      this.#db.clearSync()
    })
    this.#place = undefined
    this.#forgetNumbers()
    return {
      add: (writes) => this.#write(writes, undefined),
      end: (next) => {
        this.#write([], next)
        this.#options.onNewer()
      },
    }
  }

  async close(): Promise<void> {
    await this.#root.close()
    if (this.#place === undefined) return
    const { data, closed } = filesIn(this.#options.directory)
    syncFile(data)
    writeFileSync(closed, '')
    syncFile(closed)
  }

  #write(writes: readonly Write[], next: Place | undefined): void {
    this.#root.transactionSync(() => {
      for (const { key, value } of writes) {
        if (value === undefined) this.#db.removeSync(key)
        else this.#db.putSync(key, value)
      }
      if (next !== undefined) this.#places.putSync(PLACE, next)
    })
    this.#place = next ?? this.#place
    if (writes.some(({ key }) => isOfNumbers(key))) this.#forgetNumbers()
    this.#db.resetReadTxn()
  }

  #forgetNumbers(): void {
    this.#options.known.clear()
    this.#options.onNumbers()
  }
}

/** The last write of each key wins. */
function noteWrites(plain: KvWriter) {
  const writes = new Map<string, Write>()
  const note = (key: Buffer, value: Buffer | undefined): void => {
    const own = Buffer.from(key)
    writes.set(own.toString('latin1'), { key: own, value: value && Buffer.from(value) })
  }
  const writer: KvWriter = {
    ...plain,
    put(key, value) {
      note(key, value)
      plain.put(key, value)
    },
    remove(key) {
      note(key, undefined)
      plain.remove(key)
    },
  }
  return { writer, writes }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
