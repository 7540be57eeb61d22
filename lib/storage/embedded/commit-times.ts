// Durations of commits: those that are running, and each commit when it has ended.

import type { CommitTimes } from '../status.ts'

export interface CommitWatch {
  begin(): RunningCommit
  /** Commits that wait or run, and the age of the oldest. */
  status(): { readonly waiting: number; readonly oldestMs: number }
}

interface RunningCommit {
  hasTurn(): void
  end(): void
}

export function openCommitWatch(onCommit: (times: CommitTimes) => void): CommitWatch {
  // In the order of their start.
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
