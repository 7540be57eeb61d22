// Opens a stream of the change log, which stays open while other commands run.

import fc from 'fast-check'
import {
  anyOne,
  command,
  describePrincipal,
  pick,
  pickActor,
  type WeightedCommand,
} from './command.ts'
import { viewsAnything } from './sight-rules.ts'
import { isAlive } from './state.ts'

/** Picks mostly a principal that may listen. */
const openStream = command({
  name: 'openStream',
  args: fc.record({ actor: anyOne }),
  async run(site, world, { actor: number }) {
    const { model, streams } = site
    if (!streams.isFree()) return
    const listeners = model.principals.filter((item) => {
      const key = model.keys.get(item.keyId)
      return key !== undefined && isAlive(model, item, world.now()) && viewsAnything(model, key)
    })
    const isAny = number % 5 === 4 || listeners.length === 0
    const own = isAny ? pickActor(site, world, number) : pick(listeners, number)
    await streams.open(own, describePrincipal(model, own))
  },
})

export const streamCommands: readonly WeightedCommand[] = [{ weight: 4, ...openStream }]
