// The only file of this folder that other folders import. Each function loads its code on demand, because most servers run
// without a cluster.

import { CmsError } from '../base/errors.ts'
import type { Storage } from '../storage/engine.ts'
import type { CheckReport } from '../storage/integrity/check.ts'
import type { ClusterCheckOptions } from './check-cluster.ts'
import type { MoveOptions, MoveReport } from './moving/move.ts'
import type { DistributedOptions } from './open-node.ts'
import type { SiteBucket } from './site-bucket.ts'
import type { StoreOptions } from './store-client.ts'
import { StoreFault } from './store-faults.ts'

/** Opens this server as a node of a cluster: records in PostgreSQL, contents in an object store. */
export async function openCluster(options: DistributedOptions): Promise<Storage> {
  const { openDistributed } = await import('./open-node.ts')
  return openDistributed(options)
}

/** Checks a cluster while its nodes are running. Only the damage marks of contents are repaired. */
export async function checkCluster(options: ClusterCheckOptions): Promise<CheckReport> {
  const { checkDistributed } = await import('./check-cluster.ts')
  return checkDistributed(options)
}

interface SiteMove extends MoveOptions {
  readonly target: 'directory' | 'cluster'
}

/** Moves a whole site between a directory and a cluster. The move can be interrupted at any point and called again. */
export async function moveSite({ target, ...options }: SiteMove): Promise<MoveReport> {
  if (target === 'cluster') {
    const { moveToCluster } = await import('./moving/to-cluster.ts')
    return moveToCluster(options)
  }
  const { moveToDirectory } = await import('./moving/to-directory.ts')
  return moveToDirectory(options)
}

/** Opens a bucket for the published files of a site. */
export async function openSiteBucket(options: StoreOptions): Promise<SiteBucket> {
  const { openSiteBucket: open } = await import('./site-bucket.ts')
  return open(options)
}

/** The error of a failed call to the object store: operation, HTTP status and code. */
export function whatStoreSaid(error: unknown): string | undefined {
  const { cause } = error as { readonly cause?: unknown }
  return error instanceof CmsError && cause instanceof StoreFault ? cause.message : undefined
}
