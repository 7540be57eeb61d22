// What operations work with, put together: of the process that makes changes.

import { OBJECT_RULES } from './api/objects.ts'
import type { ChangePositions } from './auth/change-positions.ts'
import type { CursorCipher } from './auth/cursor-cipher.ts'
import { type CountingGuard, type GuardOptions, openGuard } from './auth/guard.ts'
import { openKeyUse } from './auth/key-use.ts'
import { openOidc } from './auth/oidc.ts'
import type { Tickets } from './auth/tickets.ts'
import { openSignInGuard } from './auth/sign-in-guard.ts'
import type { Config } from './config.ts'
import { basePathOf } from './http/base-path.ts'
import type { Limits } from './limits.ts'
import type { Log } from './log.ts'
import { openBackground } from './operations/background/background.ts'
import type { LivedTime } from './operations/background/lived-time.ts'
import type { Services } from './operations/context.ts'
import { folderContentsOf } from './operations/folders/contents-by-rules.ts'
import { openVerified } from './operations/files/verified-contents.ts'
import { openFolderWatches } from './operations/folders/folder-watch.ts'
import { openModules } from './operations/modules/module-cache.ts'
import { openModuleWatches } from './operations/modules/module-watch.ts'
import { openWelcome } from './operations/people/welcome-link.ts'
import { noticePuts } from './operations/start/others-puts.ts'
import { openWorkUnderWay } from './operations/start/work-under-way.ts'
import { openChangeStreams } from './operations/following/change-streams.ts'
import { openChangeWatch } from './operations/trail/change-watch.ts'
import { openIdempotency } from './operations/trail/idempotency.ts'
import type { Storage, Watch } from './storage/engine.ts'
import type { Pool } from './workers/pool.ts'

export interface ServiceParts {
  readonly storage: Storage
  readonly watch: Watch
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly pool: Pool
  readonly now: () => Date
  readonly uptimeMs: () => number
  readonly lived: LivedTime
  readonly cursors: CursorCipher
  readonly positions: ChangePositions
  readonly tickets: Tickets
  readonly webhooks: Services['webhooks']
  readonly onGuessing: GuardOptions['onGuessing']
}

/** Of the process that makes changes. */
export interface OwnServices extends Services {
  readonly guard: CountingGuard
}

export function buildServices({
  config,
  log,
  limits: own,
  pool,
  storage,
  watch,
  now,
  uptimeMs,
  lived,
  cursors,
  positions,
  tickets,
  webhooks,
  onGuessing,
}: ServiceParts): OwnServices {
  const { records } = storage
  const limits = { ...own, maxUploadBytes: config.maxUploadBytes }
  const keyUse = openKeyUse(records, lived.look)
  const notes = openNotes()
  storage.others?.onPut(noticePuts({ records, ...notes }))
  const services: Omit<OwnServices, 'changeStreams'> = {
    records,
    contents: storage.contents,
    room: watch.room,
    guard: openGuard({
      records,
      limits: {
        most: limits.invalidKeys,
        windowMs: limits.invalidKeysWindowMs,
        tableSize: limits.addressTable,
      },
      ratePerSecond: config.rateLimit,
      isFamiliar: keyUse.isFamiliar,
      onGuessing,
    }),
    signInGuard: openSignInGuard(limits),
    ...poolWork(pool),
    welcome: openWelcome(uptimeMs),
    oidc: oidcOf({ config, log, uptimeMs }),
    keyUse,
    cursors,
    positions,
    changeWatch: openChangeWatch(records, config.cluster && CLUSTER_LOOK_MS),
    tickets,
    webhooks,
    idempotency: openIdempotency({ records, limits, now, lived }),
    ...notes,
    ...workUnderWay(storage, config),
    openArchive: storage.openArchive,
    background: backgroundOf(log),
    folderContents: folderContentsOf(OBJECT_RULES),
    verified: openVerified(limits.verifyEveryMs),
    limits,
    accelPrefix: config.accelPrefix,
    basePath: basePathOf(config.baseUrl),
    now,
    lived,
  }
  return { ...services, changeStreams: openChangeStreams(services) }
}

/** Each look is a question to the database. */
const CLUSTER_LOOK_MS = 250

function backgroundOf(log: Log): Services['background'] {
  return openBackground((name, error) =>
    log.error({ work: name, err: error }, 'background work failed'),
  )
}

/** What operations tell each other while they run. */
function openNotes(): Pick<Services, 'modules' | 'watches' | 'folderWatches'> {
  return {
    modules: openModules(),
    watches: openModuleWatches(),
    folderWatches: openFolderWatches(),
  }
}

/** Where others write, too, it is what the rows say; else who does it says so himself. */
function workUnderWay(
  { records }: Storage,
  { cluster }: Config,
): Pick<Services, 'renew' | 'purging' | 'revoking'> {
  if (cluster === undefined)
    return { renew: records.renew, purging: new Set(), revoking: new Set() }
  const { purging, revoking, renew } = openWorkUnderWay(records)
  return {
    purging,
    revoking,
    async renew() {
      await records.renew()
      renew()
    },
  }
}

function oidcOf({
  config: { oidc },
  log,
  uptimeMs,
}: Pick<ServiceParts, 'config' | 'log' | 'uptimeMs'>): Services['oidc'] {
  const { issuer, clientId, clientSecret } = oidc
  if (issuer === undefined || clientId === undefined) return undefined
  const onTrouble = (reason: object): void =>
    log.warn(reason, 'a sign-in by OpenID Connect has failed')
  return openOidc({ issuer, clientId, clientSecret, uptimeMs, onTrouble })
}

/** What operations leave to the pool of workers. */
function poolWork(pool: Pool): Pick<Services, 'passwords' | 'calendarWork' | 'stmlWork'> {
  return {
    passwords: {
      hash: (password) => pool.run('hashPassword', { password }),
      verify: (input) => pool.run('verifyPassword', input),
    },
    stmlWork: { check: (text) => pool.run('checkStml', { text }) },
    calendarWork: {
      expand: (input, signal) => pool.run('expandEntries', input, { signal }),
      feed: (input, signal) => pool.run('buildFeed', input, { signal }),
    },
  }
}
