// Builds the services that operations use in a reader process (reader.ts). A service that is not available here throws
// HandOver. Services for changes are never used, because changes are handed over before they start.

import { OBJECT_RULES } from '../api/objects.ts'
import { openSiteTokens, type SiteTokens } from '../auth/site-tokens.ts'
import type { Guard } from '../auth/guard.ts'
import type { Config } from '../config/config.ts'
import { HandOver } from '../base/errors.ts'
import { openStreamShares } from '../http/memory-budget.ts'
import type { Counts } from '../http/quota.ts'
import { basePathOf } from '../http/base-path.ts'
import { resourcePolicyOf } from '../http/cors.ts'
import type { Limits } from '../config/limits.ts'
import { openOwnLeases } from '../operations/background/leases.ts'
import type { Services, VersionForms } from '../operations/context.ts'
import { folderContentsOf } from '../operations/folders/contents-by-rules.ts'
import { openVerified } from '../operations/files/verified-contents.ts'
import { openChangeStreams } from '../operations/following/change-streams.ts'
import type { StreamShares } from '../operations/trail/streams.ts'
import { openChangeWatch } from '../operations/trail/change-wakeup.ts'
import { openPendingRemovals } from '../operations/start/resume.ts'
import type { Channel } from '../processes/channel.ts'
import { siteKey } from '../schema/server-records.ts'
import type { StorageBeside } from '../storage/open-beside.ts'
import type { FormStore } from '../storage/form-store.ts'
import type { Records } from '../storage/port.ts'
import { openSharedCaches } from './shared-caches.ts'

interface ReadingParts {
  readonly config: Config
  readonly limits: Limits
  readonly storage: StorageBeside
  readonly guard: Guard
  readonly channel: Channel
  readonly counts: Counts
}

/** The worker threads belong to the writer process. */
const WORKERS_ELSEWHERE: Pick<Services, 'calendarWork' | 'stmlWork'> = {
  calendarWork: {
    expand: async () => handOver(),
    feed: async () => handOver(),
    readFile: async () => handOver(),
  },
  stmlWork: {
    check: async () => handOver(),
    render: async () => handOver(),
    readLinks: async () => handOver(),
  },
}

export function buildReadingServices({
  config,
  limits: own,
  storage: { records, contents, forms, pictures },
  guard,
  channel,
  counts,
}: ReadingParts): Services {
  const { maxUploadBytes, uploadMs, maxConnections } = config
  const limits = { ...own, maxUploadBytes, uploadMs, maxConnections }
  const work = openPendingRemovals(records)
  const services: Omit<Services, 'changeStreams'> = {
    renew() {
      void records.renew()
      work.renew()
    },
    records,
    contents,
    forms: config.readOnly ? undefined : readOnlyForms(forms),
    uploads: undefined,
    room: { require: handOver },
    ...readOnlyPictures(pictures, config),
    guard,
    keyUse: {
      note: ({ apiKeyId, source = null, now }) =>
        channel.noteUse({ apiKeyId, source, date: now.toISOString() }),
      isFamiliar: handOver,
      flush: async () => channel.flush(),
      close: async () => channel.flush(),
    },
    // Signing in is a change.
    signInGuard: NO_GUARD,
    passwords: { hash: async () => handOver(), verify: async () => handOver() },
    oidc: { begin: async () => handOver(), finish: async () => handOver() },
    welcome: { begin: async () => handOver(), isGood: handOver, putUsed: handOver, end: handOver },
    ...tokensOf(records),
    changeWatch: openChangeWatch(records),
    webhooks: WEBHOOKS_ELSEWHERE,
    // Comments are written by the writer process.
    mailsMentions: false,
    idempotency: { begin: handOver },
    ...openSharedCaches(),
    ...WORKERS_ELSEWHERE,
    openArchive: async () => handOver(),
    background: { run: async () => handOver(), close: async () => undefined },
    leases: openOwnLeases(records),
    folderContents: folderContentsOf(OBJECT_RULES),
    purging: work.purging,
    revoking: work.revoking,
    verified: openVerified(limits.verifyEveryMs),
    limits,
    accelPrefix: config.accelPrefix,
    resourcePolicy: resourcePolicyOf(config.corsOrigins),
    basePath: basePathOf(config.baseUrl),
    now: () => new Date(),
    trashDays: config.trashDays,
    retentionClock: { since: handOver, look: handOver },
  }
  return withStreams(services, openStreamShares(limits, counts))
}

function withStreams(services: Omit<Services, 'changeStreams'>, shares: StreamShares): Services {
  return { ...services, changeStreams: openChangeStreams(services, shares) }
}

/** Forms are made by the writer process. */
function readOnlyForms(store: FormStore): VersionForms {
  return { find: async ({ uid }, { coding }) => (await store.read({ uid, coding })) ?? handOver() }
}

/** Forms of pictures are made by the writer process. */
function readOnlyPictures(
  { read }: StorageBeside['pictures'],
  { picturePresets }: Config,
): Pick<Services, 'pictures' | 'pictureStore' | 'picturePresets'> {
  const pictureStore = { read, write: async () => handOver(), drop: async () => handOver() }
  return { pictures: NO_PICTURES, pictureStore, picturePresets }
}

const NO_PICTURES: Services['pictures'] = {
  measure: async () => handOver(),
  make: async () => handOver(),
  isSupported: () => true,
  close: async () => undefined,
}

/** Webhooks are used only by changes. */
const WEBHOOKS_ELSEWHERE: Services['webhooks'] = {
  cipher: { encrypt: handOver, decrypt: handOver },
  faultOf: handOver,
  notice: handOver,
  written: async () => handOver(),
  test: async () => handOver(),
}

function handOver(): never {
  throw new HandOver()
}

/** The first start stores the site key. On a full disk, the key may exist only in the memory of the writer process. */
function tokensOf(records: Pick<Records, 'get'>): SiteTokens {
  const stored = records.get(siteKey, 1)
  if (stored !== undefined) return openSiteTokens(Buffer.from(stored.value.secret, 'base64'))
  return {
    cursors: { encrypt: handOver, decrypt: handOver },
    positions: { write: handOver, read: handOver },
    tickets: { make: handOver, open: handOver },
    links: { make: handOver, open: handOver },
    previews: { make: handOver, open: handOver },
  }
}

const NO_GUARD: Services['signInGuard'] = {
  begin: async () => handOver(),
  beginLink: async () => handOver(),
  beginCode: async () => handOver(),
  beginProof: async () => handOver(),
  beginProofCode: async () => handOver(),
  takeKeyChange: async () => handOver(),
}
