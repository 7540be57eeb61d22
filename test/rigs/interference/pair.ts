// Two sites that differ only in what an observer cannot see; both receive the same requests.

import type { Config } from '../../../lib/config/config.ts'
import { copySite } from '../../helpers/site.ts'
import { type HiddenParts, hide } from './differences.ts'
import type { Observer } from './observers.ts'
import { narrow, retries } from './narrowing.ts'
import type { Place } from '../nodes.ts'
import { openSite, type Received, type Sent, type Site } from './site.ts'
import type { World } from './world.ts'

export interface PairOptions {
  readonly world: World
  readonly observer: Observer
  readonly seed: number
  readonly isLarge: boolean
  readonly config: Partial<Config>
  /** Each site runs on several nodes; undefined means a single server. */
  readonly place?: Place | undefined
  /** The names of the differences to apply; all if undefined. */
  readonly kept?: ReadonlySet<string>
}

export type Answers = readonly [Received, Received]

export interface Pair extends HiddenParts {
  readonly options: PairOptions
  /** 0 for nobody. */
  readonly userId: number
  readonly keyId: number
  /** Requests that the key sent under an Idempotency-Key before it was restricted. */
  readonly retries: readonly Sent[]
  /** Sends a request as the observer to both sites. */
  ask(sent: Sent): Promise<Answers>
  close(): Promise<void>
}

export async function openPair(options: PairOptions): Promise<Pair> {
  const { world, observer, seed, isLarge, kept, config, place } = options
  const key = world.keys.get(observer.name)
  if (key === undefined && observer.isNobody !== true)
    throw new Error(`There is no key for ${observer.name}.`)
  const open = async (isSecond: boolean): Promise<readonly [Site, HiddenParts]> => {
    const site = await openSite({ dataDir: copySite(world.dataDir), config, place })
    const parts = await hide(site, { world, observer, seed, isSecond, isLarge, kept })
    if (observer.isNarrowedLater === true && key !== undefined)
      await narrow(site, { world, observer, key })
    return [site, parts]
  }
  const [[first, parts], [second]] = await Promise.all([open(false), open(true)])
  const sites = [first, second] as const

  return {
    options,
    ...parts,
    userId: key?.userId ?? 0,
    keyId: key?.keyId ?? 0,
    retries: observer.isNarrowedLater === true ? retries(world) : [],
    ask(sent) {
      for (const { clock } of sites) clock.ms += 1_000
      return Promise.all([
        first.send(sent, key?.secret),
        second.send(kept?.size === 0 ? sent : withOther(sent), key?.secret),
      ])
    },
    async close() {
      await Promise.all(sites.map((site) => site.close()))
    },
  }
}

/**
 * On the second site another hidden folder is changed, so that both sites have the same number of
 * changes.
 */
function withOther(sent: Sent): Sent {
  if (sent.hears === undefined) return sent
  const { hidden, seen, instead } = sent.hears
  return { ...sent, hears: { seen, instead, hidden: { ...hidden, id: instead } } }
}
