// Commands that make several records in one request: all of them, or none.

import fc from 'fast-check'
import {
  act,
  anyOne,
  askingOf,
  command,
  pick,
  pickActor,
  pickTarget,
  type WeightedCommand,
} from './command.ts'
import { judgeNewContent } from './folder-rules.ts'
import { refused } from './rules.ts'
import type { World } from './world.ts'

/** More things would only make the comparison at the end longer. */
const MAX_THINGS = 8

const makeFiles = command({
  name: 'makeFiles',
  args: fc.record({
    actor: anyOne,
    folders: fc.array(anyOne, { minLength: 2, maxLength: 3 }),
    isBulk: fc.boolean(),
  }),
  async run(site, world, { actor: number, folders: numbers, isBulk }) {
    const { model } = site
    if (model.things.size > MAX_THINGS) return
    const actor = pickActor(site, world, number)
    const folders = numbers.map((item) => pickTarget(model, actor, item))
    const bodies = folders.map((parent) => ({
      name: `${world.newName('file')}.html`,
      type: 'html',
      parent_category_id: parent,
    }))
    const isMade = await act(site, world, {
      actor,
      verdict: judgeNewContent(askingOf(site, world, actor), folders),
      wish: { method: 'POST', path: `/api/v2/asset_file${isBulk ? '/bulk' : ''}`, json: bodies },
      object: 'asset_file',
      ids: ({ asset_file: files }) => files.map((file: any) => file.asset_file_id),
      apply({ asset_file: files }) {
        for (const [at, { asset_file_id: id }] of files.entries()) {
          const { parent_category_id: parent = 0, name = '' } = bodies[at] ?? {}
          model.things.set(`asset_file ${id}`, { kind: 'asset_file', id, parent, name })
        }
      },
    })
    if (!isMade)
      await requireNone(
        world,
        bodies.map(({ name }) => name),
      )
  },
})

async function requireNone(world: World, names: readonly string[]): Promise<void> {
  const json = { qry: { name: { $in: names } }, fields: 'name' }
  const path = '/api/v2/asset_file/search'
  const { body } = await world.ask(world.operator.secret, { method: 'POST', path, json })
  if (body?.asset_file?.length !== 0)
    world.complain('record', `a refused list has made ${JSON.stringify(body)}`)
}

const makeEntries = command({
  name: 'makeEntries',
  args: fc.record({
    actor: anyOne,
    table: anyOne,
    values: fc.array(fc.constantFrom(1, 2, 3, 'no number'), { minLength: 2, maxLength: 3 }),
  }),
  async run(site, world, { actor: number, table, values }) {
    const { model } = site
    const tables = [...model.things].filter(([, { kind }]) => kind === 'datatable')
    if (tables.length === 0) return
    const [key, thing] = pick(tables, table)
    const { id, name, parent, entries = [] } = thing
    const actor = pickActor(site, world, number)
    const place = judgeNewContent(askingOf(site, world, actor), [parent])
    const isFaulty = values.some((value) => typeof value === 'string')
    const verdict =
      isFaulty && place.wish !== 'refused'
        ? refused('record', [403, 404, 422], 'one of the entries is faulty')
        : place
    await act(site, world, {
      actor,
      verdict,
      wish: {
        method: 'POST',
        path: `/api/v2/module/datatable/${id}/${name}/bulk`,
        json: values.map((a) => ({ a })),
        // By default the answer names no entry.
        prefer: 'return=representation',
      },
      object: 'datatable_entry',
      ids: ({ datatable_entry: made }) => idsOf(made),
      apply({ datatable_entry: made }) {
        model.things.set(key, { ...thing, entries: [...entries, ...idsOf(made)] })
      },
    })
  },
})

function idsOf(entries: readonly any[]): readonly number[] {
  return entries.map((entry) => entry.datatable_entry_id)
}

export const bulkCommands: readonly WeightedCommand[] = [
  { weight: 3, ...makeFiles },
  { weight: 2, ...makeEntries },
]
