// Metrics of a cluster node about its database, its object store and its content cache. A single server has none of these.

import { Counter, Gauge, type Registry } from 'prom-client'
import type { ClusterStatus } from '../storage/status.ts'

type Values = readonly (readonly [
  kind: 'gauge' | 'counter',
  name: string,
  help: string,
  valueOf: (status: ClusterStatus) => number,
])[]

const VALUES: Values = [
  [
    'gauge',
    'cms_database_up',
    '1 if the database responds. With 0, nothing can be read or changed.',
    ({ database }) => Number(database.isUp),
  ],
  [
    'gauge',
    'cms_database_commit_number',
    'Number of the newest commit that is visible on this node.',
    ({ database }) => database.seq,
  ],
  [
    'gauge',
    'cms_database_lag_seconds',
    'Time since this node last confirmed that it has the newest commit.',
    ({ database }) => database.lagSeconds,
  ],
  [
    'counter',
    'cms_database_renewals_total',
    'Number of requests to the database for newer commits.',
    ({ database }) => database.renewals,
  ],
  [
    'counter',
    'cms_database_failovers_total',
    'Number of times this node switched to another database server.',
    ({ database }) => database.failovers,
  ],
  ['gauge', 'cms_store_up', '1 if the object store responds.', ({ store }) => Number(store.isUp)],
  [
    'counter',
    'cms_store_errors_total',
    'Calls to the object store that failed after all retries.',
    ({ store }) => store.errors,
  ],
  [
    'gauge',
    'cms_content_cache_files',
    'Number of contents in the disk cache of this node.',
    ({ cache }) => cache.files,
  ],
  [
    'gauge',
    'cms_content_cache_bytes',
    'Size of the disk cache of this node.',
    ({ cache }) => cache.bytes,
  ],
  [
    'counter',
    'cms_content_cache_hits_total',
    'Content reads that the disk cache of this node served.',
    ({ cache }) => cache.hits,
  ],
  [
    'counter',
    'cms_content_cache_misses_total',
    'Content reads that had to fetch from the object store.',
    ({ cache }) => cache.misses,
  ],
]

/** Registers the metrics with the first reading that has a cluster status. */
export function showCluster(registry: Registry): (status: ClusterStatus | undefined) => void {
  const shows: ((status: ClusterStatus) => void)[] = []

  function begin(): void {
    for (const [kind, name, help, valueOf] of VALUES) {
      if (kind === 'gauge') {
        const metric = new Gauge({ name, help, registers: [registry] })
        shows.push((status) => metric.set(valueOf(status)))
        continue
      }
      const metric = new Counter({ name, help, registers: [registry] })
      shows.push((status) => {
        metric.reset()
        metric.inc(valueOf(status))
      })
    }
  }

  return (status) => {
    if (status === undefined) return
    if (shows.length === 0) begin()
    for (const show of shows) show(status)
  }
}
