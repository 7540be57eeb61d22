// What a node of a cluster tells of its database, its store and what it has of them. A single server has none of these.

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
    '1 while the database answers; 0: nothing is read or changed.',
    ({ database }) => Number(database.isUp),
  ],
  [
    'gauge',
    'cms_database_commit_number',
    'Number of the newest commit that this node shows.',
    ({ database }) => database.seq,
  ],
  [
    'gauge',
    'cms_database_lag_seconds',
    'Time since this node last heard that it shows the newest commit.',
    ({ database }) => database.lagSeconds,
  ],
  [
    'counter',
    'cms_database_renewals_total',
    'How often the database was asked for newer commits.',
    ({ database }) => database.renewals,
  ],
  [
    'counter',
    'cms_database_failovers_total',
    'How often this node has gone over to another server of the database.',
    ({ database }) => database.failovers,
  ],
  [
    'gauge',
    'cms_store_up',
    '1 while the store of the contents answers.',
    ({ store }) => Number(store.isUp),
  ],
  [
    'counter',
    'cms_store_errors_total',
    'Calls to the store that have failed after all their attempts.',
    ({ store }) => store.errors,
  ],
  [
    'gauge',
    'cms_content_cache_files',
    'Contents of the store that this node has on its disk.',
    ({ cache }) => cache.files,
  ],
  ['gauge', 'cms_content_cache_bytes', 'Bytes of them.', ({ cache }) => cache.bytes],
  [
    'counter',
    'cms_content_cache_hits_total',
    'Reads of contents that were on the disk of this node.',
    ({ cache }) => cache.hits,
  ],
  [
    'counter',
    'cms_content_cache_misses_total',
    'Reads of contents that had to come from the store.',
    ({ cache }) => cache.misses,
  ],
]

/** They are on the page from the first reading on that has a cluster. */
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
