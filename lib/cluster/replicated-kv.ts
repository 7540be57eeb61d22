// An ordered key-value store that several processes share. PostgreSQL keeps it as a log of commits; each process reads a
// local copy that follows the log. Commits are serialized: each holds the lock of the newest commit (cms_head) from
// reading the commits of other processes until it is committed itself. A plan therefore runs on the newest state, as in a
// single process.
//
// A request follows the log before it reads, so it sees everything that was acknowledged to any client before. While the
// database does not answer, nothing is read, because it might be stale, and nothing is changed.

import { type CommitWatch, openCommitWatch } from '../storage/embedded/commit-times.ts'
import { openKnown } from '../storage/records/known-keys.ts'
import type { Kv } from '../storage/records/kv.ts'
import type { NodeLife, OnOutage, Others } from '../storage/engine.ts'
import type { CommitTimes, DatabaseStatus } from '../storage/status.ts'
import { type Commits, openCommits } from './cluster-commits.ts'
import { openCounts } from './shared-counts.ts'
import { hostsOf } from './database-url.ts'
import { tryAgain } from './database-retry.ts'
import {
  ANSWER_WITHIN_MS,
  type Following,
  openFollowing,
  openOthersPuts,
} from './log-replication.ts'
import { type LocalCopy, openLocalCopy } from './local-copy.ts'
import { LOCK_TIMEOUT_MS } from './database-connections.ts'
import { openNodeLife, type OwnLife } from './node-life.ts'
import { openPrimary, type Primary } from './primary.ts'
import { beginForm, requiring, ROW_FORM } from './row-format.ts'
import { openSoundness, type Soundness } from './copy-health.ts'
import { makeTables, takeIds, trimLog, workAlone } from './postgres-tables.ts'
import { openWakeUp, type WakeUp } from './commit-notifications.ts'
import { openVitals } from './database-status.ts'
import type { Records } from '../storage/port.ts'
import { openRecords, type RecordsOptions } from '../storage/records/records.ts'

export interface ReplicatedOptions {
  readonly databaseUrl: string
  /** Directory of the local copy, used by this process only. */
  readonly directory: string
  /** Called once if the copy can no longer follow the log: the process must end. */
  readonly onFailure: (cause: unknown) => void
  readonly onCommit?: ((times: CommitTimes) => void) | undefined
  readonly onOutage?: OnOutage | undefined
  /** This process counts as alive for this long after its last heartbeat. */
  readonly livesMs?: number
  /** Format of the rows that this process writes. */
  readonly form?: number
}

export interface ReplicatedKv extends Kv {
  readonly others: Others
  readonly life: NodeLife
  readonly commits: CommitWatch['status']
  /** Runs the work exclusively among all processes of the database. */
  alone<T>(work: () => Promise<T>): Promise<T>
  readonly database: () => DatabaseStatus
}

/** Commits kept in the log. A process that falls further behind fills a new copy. */
const KEEP_COMMITS = 100_000
const LIVES_MS = 6_000

/** Throws if no database server accepts writes. */
async function openReplicatedKv({
  databaseUrl,
  directory,
  onFailure,
  onCommit = () => undefined,
  onOutage,
  livesMs = LIVES_MS,
  form = ROW_FORM,
}: ReplicatedOptions): Promise<ReplicatedKv> {
  const hosts = hostsOf(databaseUrl)
  const vitals = openVitals({ hosts: hosts.map(({ label }) => label).join(), onOutage })
  const primary = await openPrimary(hosts, {
    onChosen: vitals.chose,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  })
  const lane = primary.openLane()
  // A separate lane, so that identifiers can be reserved meanwhile.
  const trimming = primary.openLane()
  const listeners: (() => void)[] = []
  await makeTables(lane).catch(closing(primary))
  const { known, copy, puts } = openCopy(directory, callingAll(listeners))
  const soundness = openSoundness(onFailure)
  const check = requiring(form)
  const following = openFollowing({ copy, primary, soundness, others: puts, vitals, check })
  const watch = openCommitWatch(onCommit)
  const wakeUp = openWakeUp({ primary, epoch: () => following.place().epoch })
  const commits = openCommits({ copy, primary, following, soundness, known, watch, wakeUp })
  const counts = openCounts(primary.openLane())
  // Heartbeats have a lane of their own and do not wait for commits.
  const life = openNodeLife({ lane: primary.openLane(), form, livesMs })
  const beat = openBeat({
    eachBeat: [following.toNewest, counts.follow, wakeUp.listen],
    eachMinute: [() => trimLog(trimming, KEEP_COMMITS), counts.trim],
  })

  const close = closingAll({ beat, wakeUp, commits, life, soundness, primary, following, copy })

  try {
    await life.begin()
    await following.begin()
    await beginForm({ form, reader: copy.reader, life, commits })
  } catch (error) {
    await close()
    throw error
  }
  await wakeUp.listen().catch(() => undefined)
  beat.begin()
  return {
    ...copy.reader,
    known,
    life,
    commits: watch.status,
    database: vitals.status,
    alone: (work) => workAlone(primary.openLane(), work),
    others: { onPut: puts.onPut, counts, onCommit: wakeUp.onCommit },
    onNewer: (listener) => void listeners.push(listener),
    renew: following.toNewest,
    commit: (plan) => commits.commit(plan),
    takeNumbers: (wanted) =>
      // If the answer is lost, the reserved numbers remain a gap.
      tryAgain({ work: () => takeIds(lane, wanted), withinMs: ANSWER_WITHIN_MS }),
    close,
  }
}

/** Opens the copy, and the reports of records that other processes write. */
function openCopy(directory: string, onNewer: () => void) {
  const known = openKnown()
  const onNumbers = (): void => puts.forgetNames()
  const copy = openLocalCopy({ directory, known, onNewer, onNumbers })
  const puts = openOthersPuts({ ...copy.reader, known })
  return { known, copy, puts }
}

interface Parts {
  readonly beat: Beat
  readonly wakeUp: WakeUp
  readonly commits: Commits
  readonly life: OwnLife
  readonly soundness: Soundness
  readonly primary: Primary
  readonly following: Following
  readonly copy: LocalCopy
}

function closingAll(parts: Parts): () => Promise<void> {
  return async () => {
    parts.beat.close()
    parts.wakeUp.close()
    await parts.commits.idle()
    await parts.life.close()
    parts.soundness.close()
    parts.primary.close()
    // Running work ends with the connections.
    await parts.following.toNewest().catch(() => undefined)
    await parts.copy.close()
  }
}

function callingAll(listeners: readonly (() => void)[]): () => void {
  return () => {
    for (const listener of listeners) listener()
  }
}

function closing(primary: Primary) {
  return (error: unknown): never => {
    primary.close()
    throw error
  }
}

// Work that a node does every second, also without requests, so that a request has few commits to read.

interface Beat {
  begin(): void
  close(): void
}

interface BeatOptions {
  /** Rounds do not overlap, so that they do not pile up while the database does not answer. */
  readonly eachBeat: readonly (() => Promise<void>)[]
  /** Runs once a minute, independently of the rounds. */
  readonly eachMinute: readonly (() => Promise<void>)[]
}

const BEAT_MS = 1_000
const BEATS_PER_MINUTE = 60

function openBeat({ eachBeat, eachMinute }: BeatOptions): Beat {
  let timer: NodeJS.Timeout | undefined
  let beats = 0
  let isBeating = false

  function beat(): void {
    beats += 1
    // Failed work is repeated in the next round.
    if (beats % BEATS_PER_MINUTE === 0) void Promise.allSettled(eachMinute.map((work) => work()))
    if (isBeating) return
    isBeating = true
    void Promise.allSettled(eachBeat.map((work) => work())).then(() => {
      isBeating = false
    })
  }

  return {
    begin() {
      timer = setInterval(beat, BEAT_MS).unref()
    },
    close: () => clearInterval(timer),
  }
}

// Opens records that several processes share, each with its own copy.

export interface SharedRecords {
  readonly records: Records
  readonly kv: ReplicatedKv
  close(): Promise<void>
}

export async function openSharedRecords(
  options: ReplicatedOptions & Omit<RecordsOptions, 'sharing'>,
): Promise<SharedRecords> {
  const kv = await openReplicatedKv(options)
  return {
    records: openRecords(kv, { ...options, sharing: 'replicated' }),
    kv,
    close: () => kv.close(),
  }
}
