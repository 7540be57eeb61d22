// The options of the listening server: the connection limits, and the counters that all processes share.

import type { CountingGuard } from '../auth/guard.ts'
import type { Config } from '../config/config.ts'
import { isShared } from '../http/client-address.ts'
import { type ConnectionOptions, mostOfAddress } from '../http/connections.ts'
import type { Running } from '../http/concurrency-limits.ts'
import type { Limits } from '../config/limits.ts'
import type { Log } from '../base/log.ts'
import type { Fork, SharedDoorOptions } from '../processes/door.ts'
import type { Answer, Question } from '../processes/messages.ts'
import type { Serve } from './serve.ts'
import type { OwnServices } from './services.ts'

interface Settings {
  readonly config: Config
  readonly log: Log
  readonly limits: Limits
}

export function connectionLimits(
  { config, log, limits }: Settings,
  { refuse }: Pick<Serve, 'refuse'>,
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
    takeBack: running.takeBack,
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
