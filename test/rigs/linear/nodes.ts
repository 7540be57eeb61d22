// Presents the nodes of a site as a single server: each call goes to a random node.

import type { Answering } from '../../helpers/server.ts'
import { type Place, startProcesses } from '../nodes.ts'
import { openRandom } from '../random.ts'
import { SITE } from './public.ts'

export interface Spread extends Answering {
  close(): Promise<void>
}

export async function openSpread(place: Place, seed: number): Promise<Spread> {
  const nodes = await startProcesses(place, ['--site-origin', `${SITE.origin}=${SITE.folder}`])
  const random = openRandom(seed)
  return {
    call: (method, path, call = {}) => nodes.ask(random.below(nodes.count), { method, path, call }),
    close: () => nodes.close(),
  }
}
