// Builds the services that authenticate keys and users and count failed attempts: for a single server with counters in
// memory, for a cluster node with counters and sign-in state that all nodes share.

import { openOwnCounts } from '../auth/failure-counts.ts'
import {
  type CountingGuard,
  type Guard,
  type GuardOptions,
  openGuard,
  ratesOf,
} from '../auth/guard.ts'
import type { KeyUse } from '../auth/key-use.ts'
import { type OidcOptions, openOidc } from '../auth/oidc.ts'
import { newToken } from '../auth/secret.ts'
import { openSharedGuard } from '../auth/shared-guard.ts'
import { openSignInGuard, type SignInGuard } from '../auth/sign-in-guard.ts'
import type { Config } from '../config/config.ts'
import type { Limits } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import type { Services } from '../operations/context.ts'
import { openSharedWelcome, openWelcome } from '../operations/people/welcome-link.ts'
import type { Storage } from '../storage/engine.ts'

export interface AuthenticationParts {
  readonly storage: Pick<Storage, 'records' | 'others'>
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
  readonly siteKey: Uint8Array
  readonly keyUse: KeyUse
  readonly now: () => Date
  readonly uptimeMs: () => number
  readonly onGuessing: GuardOptions['onGuessing']
}

export interface Authentication extends Pick<Services, 'oidc' | 'welcome'> {
  readonly guard: Guard
  /** Counts for the reader processes of this server; undefined on a cluster node, which has none. */
  readonly counting: CountingGuard | undefined
  readonly signInGuard: SignInGuard
}

export function openAuthentication(parts: AuthenticationParts): Authentication {
  return parts.storage.others === undefined
    ? openAlone(parts)
    : openShared(parts, parts.storage.others)
}

function openAlone(parts: AuthenticationParts): Authentication {
  const { limits, uptimeMs, onGuessing } = parts
  const counts = openOwnCounts(limits.addressTable)
  const guard = openGuard({ ...guardOptions(parts), onGuessing })
  return {
    guard,
    counting: guard,
    signInGuard: openSignInGuard(limits, counts),
    // The secret is new with each start, so a sign-in that began before a restart must be repeated.
    oidc: oidcOf(parts, { secret: newToken(), clockMs: uptimeMs, counts }),
    welcome: openWelcome(uptimeMs),
  }
}

function openShared(
  parts: AuthenticationParts,
  { counts }: NonNullable<Storage['others']>,
): Authentication {
  const { storage, limits, siteKey, now } = parts
  const secret = Buffer.from(siteKey).toString('base64')
  return {
    guard: openSharedGuard({ ...guardOptions(parts), counts }),
    counting: undefined,
    signInGuard: openSignInGuard(limits, counts),
    oidc: oidcOf(parts, { secret, clockMs: () => now().getTime(), counts }),
    welcome: openSharedWelcome(storage.records, now),
  }
}

function guardOptions({ storage, config, limits, keyUse }: AuthenticationParts) {
  return {
    records: storage.records,
    limits: {
      most: limits.invalidKeys,
      windowMs: limits.invalidKeysWindowMs,
      tableSize: limits.addressTable,
    },
    rates: ratesOf(config.rateLimit, limits),
    isFamiliar: (id: number, source: string) => keyUse.isFamiliar(id, source),
  }
}

function oidcOf(
  { config: { oidc }, log, uptimeMs }: AuthenticationParts,
  known: Pick<OidcOptions, 'secret' | 'clockMs' | 'counts'>,
): Services['oidc'] {
  const { issuer, clientId, clientSecret } = oidc
  if (issuer === undefined || clientId === undefined) return undefined
  const onTrouble = (reason: object): void => log.warn(reason, 'sign-in with OpenID Connect failed')
  return openOidc({ issuer, clientId, clientSecret, uptimeMs, onTrouble, ...known })
}
