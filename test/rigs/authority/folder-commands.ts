// Commands on folders and their content: create, rename, move, remove.

import fc from 'fast-check'
import {
  act,
  anyOne,
  askingOf,
  command,
  pick,
  pickActor,
  pickMover,
  pickTarget,
  type Site,
  type WeightedCommand,
} from './command.ts'
import {
  judgeFolderChange,
  judgeFolderMove,
  judgeFolderRemoval,
  judgeMove,
  judgeNewContent,
  judgePublic,
} from './folder-rules.ts'
import { type Folder, isInside, type Model, SITE, subtree, wayUp } from './state.ts'
import type { World } from './world.ts'

const FOLDER = '/api/v2/asset_category'

/** The maximum depth below the folder of the sequence; moves may go deeper. */
const MAX_DEPTH = 4

/**
 * Adds a folder with a file that stays in it. The operator makes the file, which is not a change of
 * the sequence.
 */
export async function addFolder(
  { model }: Pick<Site, 'model'>,
  world: World,
  folder: { readonly id: number; readonly name: string; readonly parent: number },
): Promise<void> {
  const { id, name, parent } = folder
  const file = { name: 'probe.html', type: 'html', parent_category_id: id }
  const { asset_file_id: probe } = await world.make('/api/v2/asset_file', file)
  model.folders.set(id, { name, parent, probe })
}

const makeFolder = command({
  name: 'makeFolder',
  args: fc.record({ actor: anyOne, folder: anyOne }),
  async run(site, world, { actor: number, folder }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const parent = pickFolder(model, folder)
    if (wayUp(model, parent).length > MAX_DEPTH) return
    const name = world.newName('folder')
    const made: { id?: number } = {}
    await act(site, world, {
      actor,
      verdict: judgeNewContent(askingOf(site, world, actor), [parent]),
      wish: { method: 'POST', path: FOLDER, json: { name, parent_category_id: parent } },
      object: 'asset_category',
      apply(body) {
        made.id = body.asset_category_id
        model.folders.set(body.asset_category_id, { name, parent, probe: 0 })
      },
    })
    if (made.id !== undefined) await addFolder(site, world, { id: made.id, name, parent })
  },
})

const renameFolder = command({
  name: 'renameFolder',
  args: fc.record({ actor: anyOne, folder: anyOne }),
  async run(site, world, { actor: number, folder }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickFolder(model, folder)
    const name = world.newName('renamed')
    await act(site, world, {
      actor,
      verdict: judgeFolderChange(askingOf(site, world, actor), id),
      wish: { method: 'POST', path: `${FOLDER}/${id}`, json: { name } },
      object: 'asset_category',
      id,
      apply: () => changeFolder(model, id, { name }),
    })
  },
})

const makePublic = command({
  name: 'makePublic',
  args: fc.record({
    actor: anyOne,
    folder: anyOne,
    isPublic: fc.constantFrom(true, true, false, null),
  }),
  async run(site, world, { actor: number, folder, isPublic }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickFolder(model, folder)
    // The present value would change nothing, and needs no grant but modify.
    if ((model.folders.get(id)?.isPublic ?? null) === isPublic) return
    await act(site, world, {
      actor,
      verdict: judgePublic(askingOf(site, world, actor), id, isPublic),
      wish: { method: 'POST', path: `${FOLDER}/${id}`, json: { public: isPublic } },
      object: 'asset_category',
      id,
      apply: () => changeFolder(model, id, { isPublic }),
    })
  },
})

const moveFolder = command({
  name: 'moveFolder',
  args: fc.record({ actor: anyOne, folder: anyOne, target: anyOne }),
  async run(site, world, { actor: number, folder, target }) {
    const { model } = site
    const id = pickMovable(model, folder)
    const actor = pickMover(site, world, { number, folder: id })
    const to = pickTarget(model, actor, target)
    if (id === model.root || isInside(model, to, id) || model.folders.get(id)?.parent === to) return
    await act(site, world, {
      actor,
      verdict: judgeFolderMove(askingOf(site, world, actor), id, to),
      wish: { method: 'POST', path: `${FOLDER}/${id}`, json: { parent_category_id: to } },
      object: 'asset_category',
      id,
      isMove: true,
      apply: () => changeFolder(model, id, { parent: to }),
    })
  },
})

const removeFolder = command({
  name: 'removeFolder',
  args: fc.record({ actor: anyOne, folder: anyOne }),
  async run(site, world, { actor: number, folder }) {
    const { model } = site
    const actor = pickActor(site, world, number)
    const id = pickFolder(model, folder)
    if (id === model.root) return
    await act(site, world, {
      actor,
      verdict: judgeFolderRemoval(askingOf(site, world, actor), id),
      wish: { method: 'DELETE', path: `${FOLDER}/${id}?recursive=true` },
      object: 'asset_category',
      id,
      apply() {
        const gone = new Set(subtree(model, id))
        for (const [name, thing] of model.things)
          if (gone.has(thing.parent)) model.things.delete(name)
        for (const below of gone) {
          const folder = model.folders.get(below)
          if (folder !== undefined) model.gone.set(below, folder)
          model.folders.delete(below)
        }
      },
    })
  },
})

const moveThing = command({
  name: 'moveThing',
  args: fc.record({ actor: anyOne, thing: anyOne, target: anyOne }),
  async run(site, world, { actor: number, thing: thingNumber, target }) {
    const { model } = site
    if (model.things.size === 0) return
    const [name, thing] = pick([...model.things], thingNumber)
    const { kind, id, parent } = thing
    const actor = pickMover(site, world, { number, folder: parent })
    const to = pickTarget(model, actor, target)
    if (parent === to) return
    await act(site, world, {
      actor,
      verdict: judgeMove(askingOf(site, world, actor), parent, to, kind),
      wish: { method: 'POST', path: `/api/v2/${kind}/${id}`, json: { parent_category_id: to } },
      object: kind,
      id,
      isMove: true,
      apply: () => void model.things.set(name, { ...thing, parent: to }),
    })
  },
})

function changeFolder(
  model: Model,
  id: number,
  change: Partial<Pick<Folder, 'name' | 'parent' | 'isPublic'>>,
): void {
  const folder = model.folders.get(id)
  if (folder !== undefined) model.folders.set(id, { ...folder, ...change })
}

/** Picks any folder except the root of the site. */
function pickFolder(model: Model, number: number): number {
  const folders = [...model.folders.keys()].filter((id) => id !== SITE)
  return pick(folders, number)
}

/**
 * In two of three cases picks a folder that contains another folder, because a part of such a
 * folder may be hidden.
 */
function pickMovable(model: Model, number: number): number {
  const parents = new Set([...model.folders.values()].map(({ parent }) => parent))
  const full = [...model.folders.keys()].filter(
    (id) => id !== SITE && id !== model.root && parents.has(id),
  )
  return number % 3 === 2 || full.length === 0 ? pickFolder(model, number) : pick(full, number)
}

export const folderCommands: readonly WeightedCommand[] = [
  { weight: 1, ...makeFolder },
  { weight: 1, ...renameFolder },
  { weight: 2, ...makePublic },
  { weight: 5, ...moveFolder },
  { weight: 1, ...removeFolder },
  { weight: 5, ...moveThing },
]
