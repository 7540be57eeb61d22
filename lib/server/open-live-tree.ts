// The live tree (--live-tree) and its state in /ready. Only the process that writes has one; in a cluster, each node with the
// flag has a tree of its own.

import { statSync } from 'node:fs'
import { filesSkipped, LIVE_TREE_BEHIND, LIVE_TREE_FULL } from '../api/health.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import { LiveTree, type LiveTreeStatus } from '../live-tree/live-tree.ts'
import type { Services } from '../operations/context.ts'

interface TreeParts {
  readonly config: Config
  readonly services: Services
  readonly log: Log
}

/** Undefined without --live-tree. */
export function openLiveTree({ config, services, log }: TreeParts): LiveTree | undefined {
  const { liveTree: directory, sites, dataDir } = config
  if (directory === undefined) return undefined
  // The tree must not take the space that --min-free-mb keeps for saves.
  const requireRoom = (sizeBytes: number): void => {
    if (isOneDisk(directory, dataDir)) services.room.require('content', sizeBytes)
  }
  return new LiveTree({ services, directory, sites, requireRoom, log })
}

function isOneDisk(left: string, right: string): boolean {
  return statSync(left).dev === statSync(right).dev
}

export function findTreeWarnings(status: LiveTreeStatus | undefined) {
  const { trouble, skipped } = status ?? { trouble: undefined, skipped: 0 }
  return [
    ...(trouble === 'disk-full' ? [LIVE_TREE_FULL] : []),
    ...(trouble === 'failed' ? [LIVE_TREE_BEHIND] : []),
    ...(skipped > 0 ? [filesSkipped(skipped)] : []),
  ]
}
