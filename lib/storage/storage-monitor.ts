// What a server keeps an eye on while it runs: room on the disks, contents that have changed on them,
// and how much there is. A command that opens the directory for a moment has no use for it.

import type { Kv } from './records/kv.ts'
import type { ScrubPlace, Watch, WatchOptions } from './engine.ts'
import type { Need, Records } from './port.ts'
import { openCensus } from './integrity/census.ts'
import { type Headroom, type HeadroomOptions, openHeadroom } from './embedded/free-space.ts'
import type { DataPaths } from './embedded/data-paths.ts'
import { openScrub } from './integrity/scrub.ts'
import { openFileScrub } from './integrity/scrub-files.ts'

/** Of a node of a cluster, which has the copy of the records and some contents on its disk; one of them scrubs the store. */
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
  if (refused === undefined) return 'there is room on the disk again'
  return refused === 'content'
    ? 'the disk is nearly full: new content is refused until there is more room than --min-free-mb and --min-free-percent keep'
    : 'the disk is full but for a rest: all changes but deletes are refused until there is more room than a quarter of --min-free-mb'
}
