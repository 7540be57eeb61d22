// An ordered key-value store on LMDB. The settings and the structure of a commit follow from measured behavior:
// - overlappingSync off: a refused commit is rolled back and never visible; a clone of the disk cannot revive a state that
//   was not synced.
// - childTransaction only: transaction() keeps the writes of a callback that threw.
// - Synchronous callbacks only: an asynchronous callback lets other code write into the transaction.
// - Binary encoding, so that an aborted commit leaves no state in an encoder.

import { withMembers } from '../../base/with-members.ts'
import { open, type RootDatabase } from 'lmdb'
import { openKnown } from '../records/known-keys.ts'
import type { Kv, KvReader, KvWriter } from '../records/kv.ts'
import type { CommitTimes } from '../status.ts'
import { openCommitFaults } from './commit-faults.ts'
import { type CommitWatch, openCommitWatch } from './commit-times.ts'
import { DATABASE, NOTHING, onSnapshot, readerOf, writerOf } from './lmdb-keys.ts'

export interface LmdbKv extends Kv {
  /** Called inside every commit. Returns an error if this process may not write any more. */
  fence: (reader: KvReader) => Error | undefined
  /** True after a commit failed with an unknown outcome. */
  readonly hasFailed: () => boolean
  /** The disk accepts no more writes. No commit is started; committed data is still read. */
  readonly isReadOnly: () => boolean
  readonly commits: CommitWatch['status']
  /** Copies a snapshot into an empty directory, off this thread, while other work continues; not synced. */
  copyTo(directory: string): Promise<void>
}

export interface LmdbOptions {
  readonly path: string
  /** Called once when the storage can no longer be trusted: the process must end. */
  readonly onFailure: (cause: unknown) => void
  /** Called once when the disk has become read-only. */
  readonly onReadOnly?: (cause: unknown) => void
  readonly readOnly?: boolean
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
}

function openRoot(path: string, readOnly: boolean): RootDatabase {
  return open({
    path,
    overlappingSync: false,
    safeRestore: true,
    maxReaders: 512,
    maxDbs: 32,
    noMemInit: false,
    readOnly,
  } as Parameters<typeof open>[0])
}

export function openLmdb({
  path,
  onFailure,
  onReadOnly = () => undefined,
  readOnly = false,
  onCommit = () => undefined,
}: LmdbOptions): LmdbKv {
  const root = openRoot(path, readOnly)
  const db = root.openDB<Buffer, Buffer>(DATABASE)
  // In read-only mode lmdb returns no database for a file without any commit.
  const known = openKnown()
  const reader = {
    ...((db as typeof db | undefined) === undefined ? NOTHING : readerOf(db)),
    known,
  }
  const writer = writerOf(db, reader)
  const watch = openCommitWatch(onCommit)
  const faults = openCommitFaults({ path, db, onFailure, onReadOnly })

  const kv: LmdbKv = {
    ...reader,
    fence: () => undefined,
    hasFailed: () => faults.hasFailed(),
    isReadOnly: () => faults.isReadOnly(),
    commits: watch.status,
    onNewer(listener) {
      for (const store of [root, db]) onSnapshot(store, listener)
    },

    renew: () => db.resetReadTxn(),

    async commit(plan) {
      faults.requireNone()
      const guarded = keepRefusal(plan)
      const running = watch.begin()
      const learning = known.begin()

      try {
        const result = await db.childTransaction(() => {
          running.hasTurn()
          faults.requireFence(kv.fence(reader))
          return learning.run(() => guarded.run(withMembers(writer, { known: learning })))
        })
        if (!faults.hasFailed()) {
          learning.confirm()
          return result
        }
      } catch (error) {
        guarded.rethrow()
        throw await faults.meaningOf(error)
      } finally {
        running.end()
      }
      // Another commit failed meanwhile: later answers of the disk prove nothing.
      throw faults.unknownOutcome()
    },

    copyTo: (directory) => root.backup(directory, false),
    close: () => root.close(),
  }
  return kv
}

/** An error thrown by a plan is a refusal, which must be distinguished from a failure of LMDB. */
function keepRefusal<T>(plan: (writer: KvWriter) => T) {
  let refusal: { readonly error: unknown } | undefined
  return {
    run(writer: KvWriter): T {
      try {
        return plan(writer)
      } catch (error) {
        refusal = { error }
        throw error
      }
    },
    rethrow(): void {
      if (refusal !== undefined) throw refusal.error
    },
  }
}
