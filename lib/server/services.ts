// Builds the services that operations use, for the writer process.

import { OBJECT_RULES } from '../api/objects.ts'
import type { SiteTokens } from '../auth/site-tokens.ts'
import type { GuardOptions } from '../auth/guard.ts'
import { openKeyUse } from '../auth/key-use.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import { savesEnough } from '../http/compress.ts'
import { basePathOf } from '../http/base-path.ts'
import { resourcePolicyOf } from '../http/cors.ts'
import { openStreamShares } from '../http/memory-budget.ts'
import type { Counts } from '../http/quota.ts'
import { openBackground } from '../operations/background/background.ts'
import type { RetentionClock } from '../operations/background/retention-clock.ts'
import type { Services } from '../operations/context.ts'
import { openUploadExpiries, openUploadTurns } from '../operations/files/upload-turns.ts'
import { openVerified } from '../operations/files/verified-contents.ts'
import { folderContentsOf } from '../operations/folders/contents-by-rules.ts'
import { openChangeStreams } from '../operations/following/change-streams.ts'
import { openStoredForms } from '../operations/site/stored-forms.ts'
import { openPendingRemovals } from '../operations/start/resume.ts'
import { type Looking, openChangeWatch } from '../operations/trail/change-wakeup.ts'
import { openIdempotency } from '../operations/trail/idempotency.ts'
import { openPictures } from '../pictures/pictures.ts'
import { assetCategory, type AssetCategory } from '../schema/asset-category.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Storage, Watch } from '../storage/engine.ts'
import type { Pool } from '../workers/pool.ts'
import { type Authentication, openAuthentication } from './authentication.ts'
import { openLeasedWork } from './leased-work.ts'
import { openSharedCaches } from './shared-caches.ts'

interface ServiceParts {
  readonly storage: Storage
  readonly watch: Watch
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly pool: Pool
  readonly now: () => Date
  readonly uptimeMs: () => number
  readonly retentionClock: RetentionClock
  readonly tokens: SiteTokens
  readonly siteKey: Uint8Array
  readonly webhooks: Services['webhooks']
  readonly counts: Counts
  readonly onGuessing: GuardOptions['onGuessing']
}

/** Delay before the source addresses of keys are written for other nodes, because each write may be a commit. */
const REPORT_SOURCES_MS = 500

/** The services of the writer process. */
export interface OwnServices extends Services {
  readonly counting: Authentication['counting']
}

export function buildServices(parts: ServiceParts): OwnServices {
  const { config, counts, storage, now, retentionClock, webhooks, limits: own } = parts
  const { records, leases } = openLeasedWork(storage, own)
  const { maxUploadBytes, uploadMs } = config
  const limits = { ...own, maxUploadBytes, uploadMs }
  const reportMs = storage.others && REPORT_SOURCES_MS
  const keyUse = openKeyUse(records, { look: retentionClock.look, reportMs })
  const caches = openSharedCaches()
  const background = backgroundOf(parts.log)
  storage.others?.onPut(trackForeignPuts({ records, ...caches }))
  const services: Omit<OwnServices, 'changeStreams'> = {
    records,
    contents: storage.contents,
    forms: openForms(parts, background),
    uploads: storage.partials && {
      records,
      partials: storage.partials,
      turns: openUploadTurns(),
      expiries: openUploadExpiries(),
    },
    room: parts.watch.room,
    pictures: openPictures(),
    pictureStore: storage.pictures,
    picturePresets: config.picturePresets,
    ...openAuthentication({ ...parts, limits, keyUse }),
    ...poolWork(parts.pool),
    keyUse,
    ...parts.tokens,
    changeWatch: openChangeWatch(records, lookingOf(storage)),
    webhooks,
    mailsMentions: config.mail.server !== undefined,
    idempotency: openIdempotency({ records, limits, now, retentionClock }),
    ...caches,
    ...pendingRemovals(storage, config),
    openArchive: storage.openArchive,
    background,
    leases,
    folderContents: folderContentsOf(OBJECT_RULES),
    verified: openVerified(limits.verifyEveryMs),
    limits,
    accelPrefix: config.accelPrefix,
    resourcePolicy: resourcePolicyOf(config.corsOrigins),
    basePath: basePathOf(config.baseUrl),
    now,
    trashDays: config.trashDays,
    retentionClock,
  }
  return {
    ...services,
    changeStreams: openChangeStreams(
      services,
      openStreamShares({ ...limits, maxConnections: config.maxConnections }, counts),
    ),
  }
}

/** In a cluster, a check for changes queries the database. The commits of other nodes trigger a check. */
function lookingOf({ others }: Storage): Looking {
  return others === undefined ? {} : { everyMs: 250, onNews: others.onCommit }
}

function backgroundOf(log: Log): Services['background'] {
  return openBackground((name, error) =>
    log.error({ work: name, err: error }, 'background work failed'),
  )
}

function openForms(
  { storage, watch: { room }, pool }: ServiceParts,
  background: Services['background'],
): Services['forms'] {
  const { forms: store, records, contents } = storage
  return (
    store &&
    openStoredForms({
      store,
      records,
      contents,
      room,
      background,
      async compress({ bytes, coding }) {
        const form = await pool.run('makeForm', { bytes, coding, use: 'stored' })
        return savesEnough(form, bytes) ? form : new Uint8Array()
      },
    })
  )
}

/** State that operations share while they run. */
/** In a cluster, pending work is read from the stored rows; on a single server, from memory. */
function pendingRemovals(
  { records }: Storage,
  { cluster }: Config,
): Pick<Services, 'renew' | 'purging' | 'revoking'> {
  if (cluster === undefined)
    return { renew: records.renew, purging: new Set(), revoking: new Set() }
  const { purging, revoking, renew } = openPendingRemovals(records)
  return {
    purging,
    revoking,
    async renew() {
      await records.renew()
      renew()
    },
  }
}

/** The work that operations delegate to the worker threads. */
function poolWork(pool: Pool): Pick<Services, 'passwords' | 'calendarWork' | 'stmlWork'> {
  return {
    passwords: {
      hash: (password) => pool.run('hashPassword', { password }),
      verify: (input) => pool.run('verifyPassword', input),
    },
    stmlWork: {
      check: (text) => pool.run('checkStml', { text }),
      readLinks: (input) => pool.run('readLinks', input),
      render: async (mediaType, read) => {
        const bytes = await read()
        return pool.run('readPage', { bytes, mediaType }, { transfer: [bytes.buffer] })
      },
    },
    calendarWork: {
      expand: (input, signal) => pool.run('expandEntries', input, { signal }),
      feed: (input, signal) => pool.run('buildFeed', input, { signal }),
      readFile: (input, signal) => pool.run('readCalendarFile', input, { signal }),
    },
  }
}

interface ForeignPut {
  readonly typeName: string
  readonly record: JsonObject
  readonly isNew: boolean
}

const FOLDER = assetCategory.recordType.name

/**
 * Reports puts of other processes to the watches of this process. The report arrives before the next plan runs here,
 * so before the plan that measured.
 */
function trackForeignPuts({
  records,
  watches,
  folderWatches,
}: Pick<Services, 'records' | 'watches' | 'folderWatches'>) {
  return {
    isWaiting: () => watches.isOpen() || folderWatches.isOpen(),
    wants: (typeName: string) =>
      watches.isOpen(typeName) || (typeName === FOLDER && folderWatches.isOpen()),
    lose(): void {
      watches.lose()
      folderWatches.lose()
    },
    notice({ typeName, record, isNew }: ForeignPut): void {
      watches.notice(typeName, record, records)
      if (typeName !== FOLDER) return
      const { parent_category_id: parentId, name } = record as unknown as AssetCategory
      // The old state is unknown, so a changed folder may have been moved.
      const kind = isNew ? 'made' : 'moved'
      if (parentId !== null) folderWatches.notice(records, { kind, parentId, name })
    },
  }
}
