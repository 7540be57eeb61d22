// Imports the file groups of an export, which sites show as menus. A group has the name that it had in the export, in the
// folder with the same path; of several groups with one name, the first of the export is the first here.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pMap from 'p-map'
import { foldName } from '../schema/names.ts'
import { ClientError } from './client-error.ts'
import { type ListedGroup, listFileGroups } from './group-records.ts'
import type { Importing, Place } from './imported-files.ts'
import { integerOf, post } from './records.ts'
import { type SideGroup, sidePathOf } from './side-file.ts'

export interface PlacedGroup {
  readonly group: SideGroup
  readonly held: ListedGroup
  /** For messages. */
  readonly path: string
}

/** Creates missing groups without files, because the pages that name them are sent before all files are there. */
export async function ensureGroups(
  importing: Importing,
  placed: readonly Place[],
): Promise<PlacedGroup[]> {
  const { run, records, root, concurrency } = importing
  const found = await pMap(
    placed,
    async (place) => {
      const path = foldName(sidePathOf(root, place.folder.path))
      const groups = records?.groups.filter(({ folder }) => foldName(folder) === path) ?? []
      if (groups.length === 0) return []
      const part = { path: place.folder.shownPath, files: 0 }
      return (await run.attempt(part, () => ensureIn(importing, place, groups))) ?? []
    },
    { concurrency },
  )
  return found.flat()
}

async function ensureIn(
  importing: Importing,
  { folder, categoryId }: Place,
  groups: readonly SideGroup[],
): Promise<PlacedGroup[]> {
  const free = await listFileGroups(importing.api, categoryId)
  const ensured: PlacedGroup[] = []
  for (const group of groups) {
    const path = join(folder.shownPath, group.name)
    const at = free.findIndex(({ name }) => name === group.name)
    const [held] = at === -1 ? [] : free.splice(at, 1)
    const made = held ?? (await create(importing, { group, path, categoryId }))
    if (made !== undefined) ensured.push({ group, held: made, path })
  }
  return ensured
}

interface Creation {
  readonly group: SideGroup
  readonly path: string
  readonly categoryId: number
}

async function create(
  importing: Importing,
  { group, path, categoryId }: Creation,
): Promise<ListedGroup | undefined> {
  const { name, title, description } = group
  const fields = { name, title, description, parent_category_id: categoryId }
  const made = await save(importing, path, { address: '/api/v2/file_group', fields })
  return made && { id: integerOf(made, 'file_group_id'), name, title, description, fileIds: [] }
}

/** Sets the files of the groups. `idOf` returns the number of a file here, or undefined. */
export async function fillGroups(
  importing: Importing,
  groups: readonly PlacedGroup[],
  idOf: (file: string | number, path: string) => number | undefined,
): Promise<void> {
  await pMap(
    groups,
    async ({ group, held, path }) => {
      const { title, description } = group
      const ids = group.files.flatMap((file) => idOf(file, path) ?? [])
      const isSame = held.title === title && held.description === description
      if (isSame && ids.join() === held.fileIds.join()) return
      const fields = { title, description, asset_file_ids: ids }
      await save(importing, path, { address: `/api/v2/file_group/${held.id}`, fields })
    },
    { concurrency: importing.concurrency },
  )
}

interface Save {
  readonly address: string
  readonly fields: object
}

/** A key without the grant for one group may still import all files, so a missing grant does not stop the run. */
async function save({ api, run }: Importing, path: string, { address, fields }: Save) {
  const request = post(address, fields)
  const headers = { ...request.headers, 'idempotency-key': randomUUID() }
  return run.attempt({ path, files: 0 }, async () => {
    try {
      return await api.retrying(() => api.sendJson({ ...request, headers }))
    } catch (error) {
      if (!(error instanceof ClientError) || error.status !== 403) throw error
      run.fail({ path, files: 0 }, error.message)
      return undefined
    }
  })
}
