// The services that operations use. Built once in server.ts; each request adds its caller.

import type { Caller } from '../auth/caller.ts'
import type { SiteTokens } from '../auth/site-tokens.ts'
import type { Guard } from '../auth/guard.ts'
import type { KeyUse } from '../auth/key-use.ts'
import type { Oidc } from '../auth/oidc.ts'
import type { SignInGuard } from '../auth/sign-in-guard.ts'
import type { TextCipher } from '../auth/site-cipher.ts'
import type { AssetFileVersion } from '../schema/asset-file.ts'
import type { Doer } from '../schema/audit.ts'
import type { ObjectType } from '../schema/object.ts'
import type { LinkedText, PageLinks } from '../schema/page-links.ts'
import type { StmlFault } from '../schema/stml.ts'
import type { PageSource } from '../schema/page-source.ts'
import type { WebhookDelivery } from '../schema/webhook.ts'
import type { FormCoding, PictureStore } from '../storage/form-store.ts'
import type { Contents, Records, Room } from '../storage/port.ts'
import type { Archive } from '../storage/site-archive.ts'
import type { Background } from './background/background.ts'
import type { Leases } from './background/leases.ts'
import type { RetentionClock } from './background/retention-clock.ts'
import type { UploadStore } from './files/upload-turns.ts'
import type { Verified } from './files/verified-contents.ts'
import type { FolderWatches } from './folders/folder-extent.ts'
import type { CalendarWork } from './modules/calendar-work.ts'
import type { ModuleWatches } from './modules/entry-tracker.ts'
import type { Modules } from './modules/module-cache.ts'
import type { Welcome } from './people/welcome-link.ts'
import type { PicturePresets } from '../config/picture-settings.ts'
import type { Limits } from '../config/limits.ts'
import type { Action } from '../shared/actions.ts'
import type { Origin } from './trail/audit.ts'
import type { ChangeWatch } from './trail/change-wakeup.ts'
import type { Idempotency } from './trail/idempotency.ts'
import type { ChangeStreams } from './trail/streams.ts'
import type { Pictures } from '../pictures/pictures.ts'

export interface Services extends SiteTokens {
  /** Called at the start of each request, so that reads see the newest commit of any process. See Records.renew. */
  readonly renew: () => void | Promise<void>
  readonly records: Records
  readonly contents: Contents
  /** Undefined if this server writes nothing. */
  readonly forms: VersionForms | undefined
  readonly pictures: Pictures
  /** Undefined if this process accepts no uploads. */
  readonly uploads: UploadStore | undefined
  /** Undefined if this server writes nothing. */
  readonly pictureStore: PictureStore | undefined
  readonly picturePresets: PicturePresets
  readonly guard: Guard
  readonly signInGuard: SignInGuard
  readonly passwords: Passwords
  readonly welcome: Welcome
  /** Undefined if no identity provider is configured. */
  readonly oidc: Oidc | undefined
  readonly room: Room
  readonly keyUse: KeyUse
  readonly modules: Modules
  readonly watches: ModuleWatches
  readonly folderWatches: FolderWatches
  readonly background: Background
  readonly leases: Leases
  readonly idempotency: Idempotency
  readonly changeWatch: ChangeWatch
  readonly changeStreams: ChangeStreams
  readonly webhooks: Webhooks
  /** Users get a mail when a comment mentions them: comments/mention-mails.ts. */
  readonly mailsMentions: boolean
  readonly calendarWork: CalendarWork
  readonly stmlWork: StmlWork
  readonly openArchive: () => Promise<Archive>
  readonly verified: Verified
  readonly folderContents: readonly FolderContents[]
  /** Folders whose subtree is being removed; meanwhile searches leave the subtree out. */
  readonly purging: Set<number>
  /** Keys that are being revoked: they are refused already. */
  readonly revoking: Set<number>
  readonly limits: ServiceLimits
  /** Path prefix of the contents, for a proxy that sends them itself: see api/request/accel-redirect.ts. */
  readonly accelPrefix: string | undefined
  /** Cross-Origin-Resource-Policy of downloads. The same for every request, because headers are cached. */
  readonly resourcePolicy: 'same-origin' | 'cross-origin'
  /** Prefix of every path in an answer: see http/base-path.ts. */
  readonly basePath: string
  readonly now: () => Date
  /** Days that the operator has set for the trash; undefined: the default of the site decides (trash-items.ts). */
  readonly trashDays: number | undefined
  /** The clock that measures retention periods. */
  readonly retentionClock: RetentionClock
}

interface AskedForm {
  readonly coding: FormCoding
  readonly isAwaited: boolean
}

/** Stored compressed forms of versions. */
export interface VersionForms {
  /** See StoredForms in http/reply.ts. */
  find(version: AssetFileVersion, asked: AskedForm): Promise<Uint8Array | undefined>
}

/** A deleted folder whose contents must be removed. */
export interface DeletedFolder {
  readonly categoryId: number
  readonly doer: Doer
  /** The item of the trash that keeps the contents; undefined: they are removed for good. */
  readonly trashId?: number | undefined
  readonly signal: AbortSignal
}

/** Records of an object that lie in folders and are deleted with their folder. */
export interface FolderContents {
  readonly object: ObjectType
  /** Removes the records of a deleted folder, in commits small enough to let other commits through. */
  readonly clear: (services: Services, folder: DeletedFolder) => Promise<void>
}

interface ServiceLimits extends Limits {
  readonly maxUploadBytes: number
  /** Time without progress after which a resumable upload expires. */
  readonly uploadMs: number
}

export interface Context extends Services {
  readonly caller: Caller
  /** The client asked to reject values that would be stored in another form: schema/strict.ts. */
  readonly isStrict?: boolean
  /** The change shares its commit with other changes (trail/joint-commit.ts), so its plan must decide everything. */
  readonly isJoint?: boolean
}

/** The context of a request that changes something. */
export interface ChangeContext extends Context {
  readonly origin: Origin
  /** For commits before the requested change: `records` adds the audit row and the stored response to the first commit. */
  readonly ownRecords: Records
  /** The context for one of several changes of the request, whose commit is recorded as this action. */
  readonly recordedAs: (action: Action) => ChangeContext
}

/** The If-Match of the caller. */
export interface Precondition {
  /** Whether the change may proceed with the current ETag. */
  readonly matches: (etag: string) => boolean
  /** The ETag in the form that clients send back. */
  readonly shown: (etag: string) => string
}

/** The record that a request changes. */
export interface RecordInput {
  readonly id: number
  readonly precondition: Precondition | undefined
}

export interface RecordUpdate extends RecordInput {
  readonly body: unknown
}

/** The interface of the webhook sender (sender.ts), which runs in the process that writes. */
export interface Webhooks {
  /** Encrypts the secrets. */
  readonly cipher: TextCipher
  /** Why the address is refused; undefined if only an attempt can decide. */
  readonly faultOf: (url: string) => string | undefined
  /** Reports that a webhook was created, changed or removed. */
  readonly notice: (webhookId: number) => void
  /** Resolves when the outcome of all deliveries so far is stored. */
  readonly written: () => Promise<void>
  /** Sends a test message once, and returns the outcome. */
  readonly test: (webhookId: number) => Promise<WebhookDelivery>
}

/** The check of long STML texts, and the reading and the links of long pages, which run in the worker pool. */
interface StmlWork {
  check(text: string): Promise<StmlFault | undefined>
  /** At most `most` links. */
  readLinks(input: LinkedText & { readonly most: number }): Promise<PageLinks>
  /** Reads the bytes only in a process with a worker pool; `read` returns the bytes in memory of their own. */
  render(mediaType: string, read: () => Promise<Uint8Array<ArrayBuffer>>): Promise<PageSource>
}

/** Password hashing in the worker pool, because it is slow on purpose. */
interface Passwords {
  hash(password: string): Promise<string>
  /** Takes the same time if there is no hash. */
  verify(input: { readonly hashed: string | null; readonly password: string }): Promise<boolean>
}
