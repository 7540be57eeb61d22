// Commands that only read: what a key may see and what it may not see.

import fc from 'fast-check'
import {
  anyOne,
  askingOf,
  command,
  describePrincipal,
  judge,
  pick,
  pickActor,
  type Site,
  type WeightedCommand,
} from './command.ts'
import { GRANTED, judgeEntry, judgeWholeSite, ownKey, type Verdict } from './rules.ts'
import { type Principal, seesKey, seesUser } from './state.ts'
import type { World } from './world.ts'

const lookUp = command({
  name: 'lookUp',
  args: fc.record({ actor: anyOne, object: fc.constantFrom('api_key', 'user'), record: anyOne }),
  async run(site, world, { actor: number, object, record }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const asking = askingOf(site, world, actor)
    const ids = object === 'user' ? [...model.users.keys()] : [...model.makers.keys()]
    if (ids.length === 0) return
    const id = pick(ids, record)
    const isSeen = (): boolean =>
      object === 'user' ? seesUser(model, ownKey(asking), id) : seesKey(model, actor, id)
    const verdict = judgeEntry(asking) ?? (isSeen() ? GRANTED : NOT_SEEN)
    await look(site, world, { actor, path: `/api/v2/${object}/${id}`, verdict })
  },
})

const NOT_SEEN: Verdict = {
  wish: 'refused',
  statuses: [404],
  fault: 'told',
  why: 'it is not within it',
}

const readWhole = command({
  name: 'readWhole',
  args: fc.record({
    actor: anyOne,
    path: fc.constantFrom('/metrics', '/api/v2/audit?length=1', '/api/v2/backup'),
  }),
  async run(site, world, { actor: number, path }) {
    const actor = pickActor(site, world, number)
    const verdict = judgeWholeSite(askingOf(site, world, actor))
    // A backup of the whole site takes a process and a second, so only refused requests are sent.
    if (path === '/api/v2/backup' && verdict.wish !== 'refused') return
    await look(site, world, { actor, path, verdict })
  },
})

interface Look {
  readonly actor: Principal
  readonly path: string
  readonly verdict: Verdict
}

async function look(site: Site, world: World, { actor, path, verdict }: Look): Promise<void> {
  const wish = { method: 'GET', path } as const
  const answer = await world.ask(actor.secret, wish)
  const told = { ...verdict, fault: 'told' as const }
  judge(world, { who: describePrincipal(site.model, actor), wish, verdict: told, answer })
}

export const lookCommands: readonly WeightedCommand[] = [
  { weight: 3, ...lookUp },
  { weight: 1, ...readWhole },
]
