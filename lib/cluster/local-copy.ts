// The state as this process has it: the same keys and values in an LMDB of its own, from which everything is read. It
// is a cache. Nothing of it is synced while it is open; a file beside it says that it was closed well, and without
// that file it is thrown away when it is opened.
//
//   data.mdb   the keys; in a database of their own the place: which commit of which log they are the state after
//   closed     empty: all of data.mdb is on the disk

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

/** Up to where a log was followed. */
export interface Place {
  readonly seq: number
  /** Of the commit with this number: another log has another one there. */
  readonly op: string
  /** Of the log. */
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
  /** Undefined while nothing is there. */
  place(): Place | undefined
  /** Makes commits part of the state, each in its turn; those that are part of it already are passed over. */
  apply(commits: readonly Commit[]): void
  /** Runs a plan on the state, seeing its own writes. Nothing of it stays. */
  attempt<T>(plan: (writer: KvWriter) => T, learning: Learning): Tried<T>
  /** Begins anew. Until `end` there is no place. */
  refill(): { add(writes: readonly Write[]): void; end(place: Place): void }
  close(): Promise<void>
}

/** True where the last process that had the copy was killed: it has not closed it. To be asked before it is opened. */
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
  /** There is a newer state, and nothing has been read of it. */
  readonly onNewer: () => void
  /** Names of types may have other numbers than before, by whatever process. */
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

/** The last write of each key is the one that counts. */
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
