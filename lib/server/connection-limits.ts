// The limits of connections, running requests and bodies, and the counters that all processes share.

import type { CountingGuard } from '../auth/guard.ts'
import type { Config } from '../config/config.ts'
import { isShared } from '../http/client-address.ts'
import { type ConnectionOptions, mostOfAddress } from '../http/connections.ts'
import type { Running, RunningOptions } from '../http/concurrency-limits.ts'
import type { Limits } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import type { Fork, SharedDoorOptions } from '../processes/door.ts'
import type { Answer, Question } from '../processes/messages.ts'
import type { RequestParts } from '../api/request/request.ts'
import type { OwnServices } from './services.ts'

interface Settings {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
}

export function connectionLimits(
  { config, log, limits }: Settings,
  { refuse }: Pick<ConnectionOptions, 'refuse'>,
): ConnectionOptions {
  return {
    all: config.maxConnections,
    perAddress: mostOfAddress(
      config.maxConnectionsPerAddress,
      config.maxConnections,
      limits.addressShare,
    ),
    refused: limits.maxRefusedConnections,
    refusalTimeoutMs: limits.refusalTimeoutMs,
    isShared: (address) => isShared(address, config.proxies),
    refuse,
    onDrop: (address) => log.warn({ address }, 'connection dropped: too many connections'),
  }
}

interface Sharing extends Settings {
  readonly services: OwnServices
  readonly running: Running
  readonly fork: Fork
}

export function readersOptions({
  config,
  log,
  limits,
  services: { keyUse, counting },
  running,
  fork,
}: Sharing): SharedDoorOptions['readers'] {
  return {
    count: config.processes - 1,
    fork,
    onUsed(uses) {
      for (const { apiKeyId, source, date } of uses)
        keyUse.note({ apiKeyId, source: source ?? undefined, now: new Date(date) })
    },
    answer: (question) => answerTo(question, counting, running),
    takeBack: (place) => running.takeBack(place),
    onEnd: (facts) => log.error(facts, 'reader process ended; starting another'),
    tableSize: limits.addressTable,
  }
}

/** Counts a request of another process in the shared counters. */
function answerTo(question: Question, guard: CountingGuard | undefined, running: Running): Answer {
  if (question.of === 'rate') return guard?.takeRate(question.party) ?? null
  if (question.of === 'place') return running.lend(question.place) ? null : 0
  return guard?.takeFailure(question.hash, question.source ?? undefined) ?? null
}

/**
 * A request counts until its response is sent, so a stream counts while it is open. An address may run as many requests as
 * it may have connections, because behind a proxy all clients share the connections of the proxy.
 */
export function runningLimits(config: Config, limits: Limits): RunningOptions {
  const { maxConnections, maxConnectionsPerAddress, processes } = config
  return {
    ofKey: Math.ceil(maxConnections * limits.keyShare),
    ofUser: Math.ceil(maxConnections * limits.userShare),
    ofAddress: mostOfAddress(maxConnectionsPerAddress, maxConnections, limits.addressShare),
    tableSize: limits.addressTable,
    readers: processes - 1,
  }
}

/** The limits of each kind of JSON body. */
export function bodyLimits(limits: Limits): RequestParts['bodyLimits'] {
  const json = {
    maxBytes: limits.jsonBytes,
    instead: 'Shorten the texts, or store larger texts as files with POST /upload.',
    inlineBytes: limits.inlineJsonBytes,
    maxDepth: limits.jsonDepth,
    maxKeys: limits.jsonKeys,
    timeoutMs: limits.bodyTimeoutMs,
  }
  // A value of a JSON column has as many keys in an update as in a list of new entries.
  const entry = { ...json, maxBytes: limits.entryBytes, maxKeys: limits.bulkKeys }
  const manyEntries =
    'Send the entries in several lists. Store larger texts as files with POST /upload.'
  const upTo = (maxBytes: number, instead: string) => ({ ...json, maxBytes, instead })
  const severalSearches = 'Send several searches, each with a part of the values.'
  return {
    json,
    credentials: upTo(limits.credentialBytes, 'Send a shorter name or password.'),
    views: upTo(limits.savedViewsBytes, 'Remove views, or shorten their queries.'),
    nested: { ...json, maxKeys: limits.nestedKeys },
    search: { ...upTo(limits.searchBytes, severalSearches), maxKeys: limits.searchKeys },
    page: upTo(limits.pageBytes + limits.jsonBytes, 'Send larger content through POST /upload.'),
    entry,
    bulk: { ...entry, instead: manyEntries },
  }
}
