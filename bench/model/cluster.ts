// A cluster of nodes with one database, as lib/cluster has it: each node is one thread, has one renewal on
// its way for all requests that wait, and one commit for all changes that wait; one commit at a time holds the lock.

import { type Clock, type Lock, openClock, openLock, openStation, type Station } from './events.ts'
import type { Times } from './times.ts'

export interface Shape {
  readonly nodes: number
  readonly databaseCores: number
  readonly times: Times
  /** All nodes are one thread, as where commits were measured. */
  readonly isOneThread?: boolean
  /** So long a node waits at least between two renewals; 0 as it is today. */
  readonly renewEveryMs?: number
}

export interface Cluster {
  readonly clock: Clock
  readonly database: Station
  renew(node: number, then: () => void): void
  /** Without a renewal: what is in front of it is the caller's. */
  commit(node: number, then: () => void): void
  work(node: number, ms: number, then: () => void): void
  commits(): number
  renewals(): number
}

interface Node {
  readonly thread: Station
  readonly changes: (() => void)[]
  waiting: (() => void)[]
  isRenewing: boolean
  isCommitting: boolean
  lastRenewal: number
  /** Commits, and changes in them, that it has applied. */
  seq: number
  applied: number
}

interface State {
  readonly shape: Shape
  readonly clock: Clock
  readonly database: Station
  readonly lock: Lock
  readonly nodes: readonly Node[]
  seq: number
  changes: number
  renewals: number
}

export function openCluster(shape: Shape): Cluster {
  const clock = openClock()
  const shared = openStation(clock, 1)
  const nodes = Array.from({ length: shape.nodes }, () => ({
    thread: shape.isOneThread === true ? shared : openStation(clock, 1),
    changes: [],
    waiting: [],
    isRenewing: false,
    isCommitting: false,
    lastRenewal: -Infinity,
    seq: 0,
    applied: 0,
  }))
  const database = openStation(clock, shape.databaseCores)
  const state = { shape, clock, database, lock: openLock(), nodes, seq: 0, changes: 0, renewals: 0 }
  const nodeAt = (at: number): Node => {
    const node = nodes[at]
    if (node === undefined) throw new Error(`There is no node ${at}.`)
    return node
  }
  return {
    clock,
    database,
    renew(at, then) {
      const node = nodeAt(at)
      node.waiting.push(then)
      renewNext(state, node)
    },
    commit(at, then) {
      const node = nodeAt(at)
      node.changes.push(then)
      commitNext(state, node)
    },
    work: (at, ms, then) => nodeAt(at).thread.serve(ms, then),
    commits: () => state.seq,
    renewals: () => state.renewals,
  }
}

function renewNext(state: State, node: Node): void {
  if (node.isRenewing || node.waiting.length === 0) return
  const { clock, database, shape } = state
  const { times } = shape
  node.isRenewing = true
  const dueIn = node.lastRenewal + (shape.renewEveryMs ?? 0) - clock.now()
  clock.after(Math.max(dueIn, 0) + times.networkMs, () => {
    // Who came while it waited is in time, too.
    const asked = node.waiting
    node.waiting = []
    node.lastRenewal = clock.now()
    state.renewals += 1
    database.serve(times.renewDatabaseMs + rowsMs(state, node), () => {
      const applyMs = catchUp(state, node)
      clock.after(times.networkMs, () =>
        node.thread.serve(times.renewNodeMs + applyMs, () => {
          node.isRenewing = false
          for (const then of asked) then()
          renewNext(state, node)
        }),
      )
    })
  })
}

/** What it takes the database to send what the node does not have yet. */
function rowsMs({ shape, seq, changes }: State, node: Node): number {
  const { rowCommitMs, rowPlanMs } = shape.times
  return (seq - node.seq) * rowCommitMs + (changes - node.applied) * rowPlanMs
}

/** The node has all that was committed; what it takes to apply it. */
function catchUp({ shape, seq, changes }: State, node: Node): number {
  const { applyCommitMs, applyPlanMs } = shape.times
  const ms = (seq - node.seq) * applyCommitMs + (changes - node.applied) * applyPlanMs
  node.seq = seq
  node.applied = changes
  return ms
}

function commitNext(state: State, node: Node): void {
  if (node.isCommitting || node.changes.length === 0) return
  const { clock, database, lock, shape } = state
  const { times } = shape
  node.isCommitting = true
  clock.after(times.networkMs, () =>
    lock.take(() => {
      database.serve(times.commitDatabaseMs / 2 + rowsMs(state, node), () => {
        const applyMs = catchUp(state, node)
        clock.after(times.networkMs, () => planNow(state, node, applyMs))
      })
    }),
  )
}

/** With the lock: all that waits at this moment rides in the commit. */
function planNow(state: State, node: Node, applyMs: number): void {
  const { clock, database, lock, shape } = state
  const { times } = shape
  const taken = node.changes.splice(0, MOST_CHANGES)
  const count = taken.length
  node.thread.serve(applyMs + times.commitNodeMs + count * times.planNodeMs, () =>
    clock.after(times.networkMs, () =>
      database.serve(times.commitDatabaseMs / 2 + count * times.planDatabaseMs, () =>
        clock.after(times.waitMs, () => {
          state.seq += 1
          state.changes += count
          node.seq = state.seq
          node.applied = state.changes
          lock.release()
          clock.after(times.networkMs, () => {
            node.isCommitting = false
            for (const then of taken) then()
            commitNext(state, node)
          })
        }),
      ),
    ),
  )
}

/** A stretch of 20 ms holds about as many. */
const MOST_CHANGES = 256
