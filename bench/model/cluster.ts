// A cluster of nodes with one database, as in lib/cluster. Each node is one thread. A node has at most one
// renewal in flight, for all waiting requests, and one commit for all waiting changes. One commit at a time
// holds the lock.

import { type Clock, type Lock, openClock, openLock, openStation, type Station } from './events.ts'
import type { Times } from './times.ts'

export interface Shape {
  readonly nodes: number
  readonly databaseCores: number
  readonly times: Times
  /** All nodes share one thread, as in the measurements of commits. */
  readonly isOneThread?: boolean
  /** Minimum time between two renewals of a node; 0 in the current implementation. */
  readonly renewEveryMs?: number
}

export interface Cluster {
  readonly clock: Clock
  readonly database: Station
  renew(node: number, then: () => void): void
  /** Commits without a renewal; the caller renews first if necessary. */
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
  /** Commits that the node has applied, and the changes in them. */
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
    // Requests that arrived during the wait share this renewal.
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

/** Time of the database to send what the node does not have yet. */
function rowsMs({ shape, seq, changes }: State, node: Node): number {
  const { rowCommitMs, rowPlanMs } = shape.times
  return (seq - node.seq) * rowCommitMs + (changes - node.applied) * rowPlanMs
}

/** Marks everything committed as applied by the node, and returns the time that takes. */
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

/** Holds the lock: the commit includes all changes that wait at this moment. */
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

/** About as many changes as fit into a time slice of 20 ms. */
const MOST_CHANGES = 256
