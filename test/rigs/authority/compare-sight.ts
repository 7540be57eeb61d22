// Compares the information that a principal gets with the rules: the results of searches, and the
// changes since the sequence began.

import { describePrincipal, type Site } from './command.ts'
import { actionFor, type Change, finds, maySearch, SEARCHED, type Searched } from './sight-rules.ts'
import { type Model, type Principal, type Thing } from './state.ts'
import type { Answer, Wish, World } from './world.ts'

/** Compares what the principal finds. */
export async function compareSearches(model: Model, world: World, own: Principal): Promise<void> {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return
  const who = describePrincipal(model, own)
  for (const object of SEARCHED) {
    const answer = await world.ask(own.secret, searchFor(model, own, object))
    world.counts.probes += 1
    if (answer.status === 403 && !maySearch(model, key, object)) continue
    const told = idsIn(world, answer, object)
    const due = finds(model, own, object)
    if (told.join() !== due.join())
      world.complain('told', `${who} is shown the ${object} ${told}, but sees ${due}`)
  }
  for (const thing of model.things.values())
    if (thing.kind === 'datatable') await compareEntries(model, world, own, thing)
}

/** A search for all records of the sequence, in the address or in the body. */
function searchFor(model: Model, { keyId }: Principal, object: Searched): Wish {
  const id = `${object}_id`
  const qry = { [id]: { $in: idsOf(model, object) } }
  const path = `/api/v2/${object}`
  if (keyId % 2 === 0)
    return { method: 'POST', path: `${path}/search`, json: { qry, length: 1_000, fields: id } }
  const text = encodeURIComponent(JSON.stringify(qry))
  return { method: 'GET', path: `${path}?length=1000&fields=${id}&qry=${text}` }
}

function idsOf(model: Model, object: Searched): readonly number[] {
  if (object === 'user') return [...model.users.keys()]
  if (object === 'api_key') return [...model.keys.keys()]
  if (object === 'webhook') return [...model.webhooks.keys()]
  if (object === 'asset_category') return [...model.folders.keys()]
  const things = [...model.things.values()].flatMap(({ kind, id }) => (kind === object ? [id] : []))
  const probes = [...model.folders.values()].map(({ probe }) => probe)
  return object === 'asset_file' ? [...things, ...probes] : things
}

function idsIn(world: World, { body, text }: Answer, object: string): readonly number[] {
  if (!Array.isArray(body?.[object])) world.fail(`A search for ${object} gives no list: ${text}`)
  return body[object]
    .map((record: any) => record[`${object}_id`])
    .sort((left: number, right: number) => left - right)
}

async function compareEntries(
  model: Model,
  world: World,
  own: Principal,
  { id, parent, name, entries = [] }: Thing,
): Promise<void> {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return
  const path = `/api/v2/module/datatable/${id}/${name}/search`
  const json = { qry: { a: { $gte: 0 } }, length: 1_000 }
  const answer = await world.ask(own.secret, { method: 'POST', path, json })
  world.counts.probes += 1
  const isSeen = finds(model, own, 'datatable').includes(id)
  const who = describePrincipal(model, own)
  if (!isSeen && [403, 404].includes(answer.status)) return
  const told = idsIn(world, answer, 'datatable_entry')
  if (!isSeen || told.join() !== entries.join())
    world.complain(
      'told',
      `${who} is shown the entries ${told} of datatable ${id} in folder ${parent}, and there are ${entries}`,
    )
}

/** The position after the newest change. */
export async function findPosition(world: World): Promise<string> {
  const { body } = await world.ask(world.operator.secret, { method: 'GET', path: '/api/v2/change' })
  return body.page.next
}

export async function changesSince(
  world: World,
  position: string,
  secret = world.operator.secret,
): Promise<Answer & { readonly changes: readonly Change[] }> {
  const path = `/api/v2/change?length=1000&since=${position}`
  const answer = await world.ask(secret, { method: 'GET', path })
  return { ...answer, changes: answer.body?.change ?? [] }
}

/** Compares the changes that the principal sees with the changes that the operator sees. */
export async function compareChanges(
  { model, position }: Site,
  world: World,
  { own, all }: { readonly own: Principal; readonly all: readonly Change[] },
): Promise<void> {
  const key = model.keys.get(own.keyId)
  if (key === undefined) return
  world.counts.probes += 1
  const { status, text, changes } = await changesSince(world, position, own.secret)
  if (status === 403 && !maySearch(model, key, 'asset_category')) return
  if (status !== 200) world.fail(`The change log is ${status}: ${text}`)
  const told = changes.map((change) => show(change, change.action))
  const due = all.flatMap((change) => {
    const action = actionFor(model, own, change)
    return action === undefined ? [] : [show(change, action)]
  })
  if (told.join() === due.join()) return
  const [excess, missing] = [without(told, due), without(due, told)]
  world.complain(
    'told',
    `${describePrincipal(model, own)} is told of ${excess.join(', ') || 'nothing else'}, and not of ${missing.join(', ') || 'anything else'}, out of ${due.join(', ')}`,
  )
}

export function show({ object, object_id: id }: Change, action: string): string {
  return `${action} ${object} ${id}`
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((item) => !others.includes(item))
}
