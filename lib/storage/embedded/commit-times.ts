// How long commits take: those that are under way, and each one when it has ended.

import type { CommitTimes } from '../status.ts'

export interface CommitWatch {
  begin(): RunningCommit
  /** Commits that wait or run, and how long the oldest of them has. */
  status(): { readonly waiting: number; readonly oldestMs: number }
}

interface RunningCommit {
  hasTurn(): void
  end(): void
}

export function openCommitWatch(onCommit: (times: CommitTimes) => void): CommitWatch {
  // In the order in which they began.
  const running = new Map<RunningCommit, number>()

  return {
    begin() {
      const began = performance.now()
      let turn = began
      const commit = {
        hasTurn() {
          turn = performance.now()
        },
        end() {
          running.delete(commit)
          onCommit({ queuedMs: turn - began, totalMs: performance.now() - began })
        },
      }
      running.set(commit, began)
      return commit
    },

    status() {
      const [oldest] = running.values()
      return {
        waiting: running.size,
        oldestMs: oldest === undefined ? 0 : performance.now() - oldest,
      }
    },
  }
}
