// Work that a commit promises and that is done after it: removing the bytes of deleted files, removing the
// content of a deleted folder or module, building an index. A row in the same commit survives a crash.

import type { Doer } from './audit.ts'
import type { ModuleKind } from './module.ts'
import type { RemovedRecord } from './reference.ts'
import type { RecordType } from './values.ts'

export type Work =
  | {
      readonly kind: 'remove'
      readonly contents: readonly { readonly fileId: number; readonly uid: string }[]
    }
  | PurgeWork
  | RevokeWork
  | ForgetWork
  | CascadeWork
  | RestoreWork
  | DiscardWork
  | ModuleWork
  /** Builds the indexes of file states, which stores of earlier builds lack. */
  | { readonly kind: 'index-file-states' }
  /** Gives every page the row with its links, which stores of earlier builds lack. */
  | { readonly kind: 'index-links' }

/** The author of the request; missing in rows of earlier versions. */
interface WithDoer {
  readonly doer?: Doer
}

/** The item of the trash into which the work moves what it removes; missing if the site keeps no trash. */
interface IntoTrash {
  readonly trash_id?: number
}

export interface PurgeWork extends WithDoer, IntoTrash {
  readonly kind: 'purge'
  readonly asset_category_id: number
}

export interface ForgetWork extends WithDoer, IntoTrash {
  readonly kind: 'forget'
  readonly asset_file_id: number
  /** The former folder of the file. */
  readonly asset_category_id?: number
}

/** Revokes these keys, and the keys that they create until then. */
export interface RevokeWork {
  readonly kind: 'revoke'
  readonly api_key_ids: readonly number[]
  /** Keys created by them that stay valid; null: all keys created by them stay valid. */
  readonly spared: readonly number[] | null
  /** The author of the request; null in rows of earlier versions, where the work follows from other work. */
  readonly doer: Doer | null
}

/** Deletes a record together with the records that refer to it with ON DELETE CASCADE. */
export interface CascadeWork extends IntoTrash {
  readonly kind: 'cascade'
  /** While checking, nothing is deleted, and a crash ends the work. */
  readonly stage: 'checking' | 'deleting'
  readonly target: RemovedRecord
  readonly doer: Doer
}

/** Restores what returns after the root of an item of the trash, and reports the contents of a restored folder. */
export interface RestoreWork {
  readonly kind: 'restore'
  readonly trash_id: number
  /** The restored folder whose contents are still to be reported; null if there is none. */
  readonly asset_category_id: number | null
  readonly doer: Doer
}

/** Removes an item of the trash for good. */
export interface DiscardWork {
  readonly kind: 'discard'
  readonly trash_id: number
  readonly doer: Doer
}

/** Work on the entries of a module, which may take long. */
export type ModuleWork =
  | {
      readonly kind: 'build-index'
      readonly module: ModuleKind
      readonly id: number
      readonly key: string
    }
  | { readonly kind: 'drop-index'; readonly type: string; readonly key: string }
  | { readonly kind: 'drop-type'; readonly type: string }

/** Key: [a random name]. Resumed by storage/integrity/recovery.ts and operations/start/resume.ts. */
export const pendingWork: RecordType<Work> = { name: 'pending_work', indexes: [] }
