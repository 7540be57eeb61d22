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
import { ABORT, open } from 'lmdb'
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

export interface LocalCopy {
  readonly reader: Reading
  /** Undefined while the copy is empty. */
  place(): Place | undefined
  /** Applies commits in order; commits that were applied before are skipped. */
  apply(commits: readonly Commit[]): void
  /** Runs a plan on the state. The plan sees its own writes; all of them are rolled back. */
  attempt<T>(plan: (writer: KvWriter) => T, learning: Learning): Tried<T>
  /** Clears the copy and fills it again. There is no place until `end`. */
  refill(): { add(writes: readonly Write[]): void; end(place: Place): void }
  close(): Promise<void>
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

// oxlint-disable-next-line eslint/max-lines-per-function -- what it returns shares the place
export function openLocalCopy({ directory, known, onNewer, onNumbers }: CopyOptions): LocalCopy {
  const files = filesIn(directory)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (!existsSync(files.closed))
    for (const name of ['data.mdb', 'lock.mdb']) rmSync(join(directory, name), { force: true })
  rmSync(files.closed, { force: true })
  const root = open({ path: directory, noSync: true, overlappingSync: false, maxReaders: 512 })
  const db = root.openDB<Buffer, Buffer>(DATABASE)
  const places = root.openDB<Place, string>({ name: PLACE, encoding: 'json' })
  const reader = readerOf(db)
  let place = places.get(PLACE)

  function forgetNumbers(): void {
    known.clear()
    onNumbers()
  }

  function write(writes: readonly Write[], next: Place | undefined): void {
    root.transactionSync(() => {
      for (const { key, value } of writes) {
        if (value === undefined) db.removeSync(key)
        else db.putSync(key, value)
      }
      if (next !== undefined) places.putSync(PLACE, next)
    })
    place = next ?? place
    if (writes.some(({ key }) => isOfNumbers(key))) forgetNumbers()
    db.resetReadTxn()
  }

  return {
    reader,
    place: () => place,

    apply(commits) {
      let isNewer = false
      for (const { seq, op, writes } of commits) {
        if (place === undefined || seq <= place.seq) continue
        if (seq !== place.seq + 1) throw new Error(`The log has no commit ${place.seq + 1}.`)
        write(writes, { ...place, seq, op })
        isNewer = true
      }
      if (isNewer) onNewer()
    },

    attempt(plan, learning) {
      const { writer, writes } = noteWrites(writerOf(db, { ...reader, known: learning }))
      let tried: { readonly value: ReturnType<typeof plan> } | undefined
      root.transactionSync(() => {
        tried = { value: learning.run(() => plan(writer)) }
        return ABORT
      })
      db.resetReadTxn()
      if (tried === undefined) throw new Error('The plan was not run.')
      return { value: tried.value, writes: [...writes.values()] }
    },

    refill() {
      root.transactionSync(() => {
        places.removeSync(PLACE)
        db.clearSync()
      })
      place = undefined
      forgetNumbers()
      return {
        add: (writes) => write(writes, undefined),
        end(next) {
          write([], next)
          onNewer()
        },
      }
    },

    async close() {
      const isWhole = place !== undefined
      await root.close()
      if (!isWhole) return
      syncFile(files.data)
      writeFileSync(files.closed, '')
      syncFile(files.closed)
    },
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
