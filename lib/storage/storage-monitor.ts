// Monitoring of a running server: free disk space, scrub of contents, and counts of contents. Commands that open the
// directory briefly do not need it.

import type { Kv } from './records/kv.ts'
import type { ScrubPlace, Watch, WatchOptions } from './engine.ts'
import type { Need, Records } from './port.ts'
import { openCensus } from './integrity/census.ts'
import { type Headroom, type HeadroomOptions, openHeadroom } from './embedded/free-space.ts'
import type { DataPaths } from './embedded/data-paths.ts'
import { openScrub } from './integrity/scrub.ts'
import { openFileScrub } from './integrity/scrub-files.ts'

/** For a cluster node, which has a copy of the records and some contents on its disk. One node at a time scrubs the store. */
export async function openNodeWatch(
  { dataDir, recordsDir, kv, placeOf }: WatchedNode,
  { headroom: limits, scrub: scrubLimits, log }: WatchOptions,
): Promise<Watch> {
  const headroom = await openRoom({ dataDir, records: recordsDir }, limits, log)
  const census = openCensus(kv)
  const scrub = openScrub({
    place: placeOf(scrubLimits.bytesPerSecond),
    kv,
    limits: scrubLimits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  return {
    room: headroom,
    scrub: ({ records, signal }) => scrub.run(records, signal),
    status: () => ({
      disks: headroom.disks(),
      refused: headroom.refused(),
      scrub: scrub.status(),
      count: census.latest(),
    }),
    async close() {
      headroom.close()
      await census.close()
    },
  }
}

interface WatchedNode {
  readonly dataDir: string
  readonly recordsDir: string
  readonly kv: Kv
  readonly placeOf: (bytesPerSecond: number) => ScrubPlace
}

interface Watched {
  readonly dataPaths: DataPaths
  readonly kv: Kv
  readonly records: Records
}

export async function openWatch(
  watched: Watched,
  { headroom: limits, scrub: scrubLimits, log }: WatchOptions,
): Promise<Watch> {
  const headroom = await openRoom(watched.dataPaths, limits, log)
  const scrub = openFileScrub({
    ...watched,
    limits: scrubLimits,
    onDamage: (facts, message) => log.error(facts, message),
  })
  const census = openCensus(watched.kv)

  return {
    room: headroom,
    status: () => ({
      disks: headroom.disks(),
      refused: headroom.refused(),
      scrub: scrub.status(),
      count: census.latest(),
    }),
    async close() {
      headroom.close()
      await Promise.all([scrub.close(), census.close()])
    },
  }
}

function openRoom(
  dataPaths: HeadroomOptions['dataPaths'],
  limits: WatchOptions['headroom'],
  log: WatchOptions['log'],
): Promise<Headroom> {
  return openHeadroom({
    dataPaths,
    limits,
    onChange: (refused, disks) => log.warn({ refused, disks }, messageOf(refused)),
  })
}

function messageOf(refused: Need | undefined): string {
  if (refused === undefined) return 'disk space is available again; changes are accepted'
  return refused === 'content'
    ? 'disk nearly full; new content is refused until free space exceeds --min-free-mb and --min-free-percent'
    : 'disk full; all changes except deletes are refused until free space exceeds a quarter of --min-free-mb'
}
