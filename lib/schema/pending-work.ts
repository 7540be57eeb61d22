// Work that a commit has promised and that happens after it: removing the bytes of deleted files, clearing away what
// a deleted folder or module held, building an index. A row in the same commit makes a crash forget none of it.

import type { Doer } from './audit.ts'
import type { ModuleKind } from './module.ts'
import type { RecordType } from './values.ts'

export type Work =
  | {
      readonly kind: 'remove'
      readonly contents: readonly { readonly fileId: number; readonly uid: string }[]
    }
  | PurgeWork
  | RevokeWork
  | ForgetWork
  | ModuleWork
  /** Writes the indexes of states of files, which stores of earlier builds do not have. */
  | { readonly kind: 'index-file-states' }

/** Who has asked for it; rows of earlier versions do not say. */
interface Told {
  readonly doer?: Doer
}

export interface PurgeWork extends Told {
  readonly kind: 'purge'
  readonly asset_category_id: number
}

export interface ForgetWork extends Told {
  readonly kind: 'forget'
  readonly asset_file_id: number
  /** In which it lay. */
  readonly asset_category_id?: number
}

/** Ends keys: these, and what they make until then. */
export interface RevokeWork {
  readonly kind: 'revoke'
  readonly api_key_ids: readonly number[]
  /** Other keys that they have made, which live on; null: whatever they have made does. */
  readonly spared: readonly number[] | null
  /** Who has asked for it; null in rows of earlier versions, where they follow from another one. */
  readonly doer: Doer | null
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

/** Key: [a random name]. Who goes on with it: storage/integrity/recovery.ts, and operations/start/resume.ts. */
export const pendingWork: RecordType<Work> = { name: 'pending_work', indexes: [] }
