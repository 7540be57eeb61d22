// Sets the layouts of imported folders and pages. The side file names a layout by its path, because its number differs on
// another server; so this happens after all files are there.

import pMap from 'p-map'
import { foldName } from '../schema/names.ts'
import type { Api } from './api.ts'
import type { LocalFolder } from './local-tree.ts'
import { type ListedFile, listFiles, post, readSiteCategory } from './records.ts'
import type { Run } from './run.ts'
import { type SideLayout, sidePathOf, type SideRecords } from './side-file.ts'

interface Importing {
  readonly api: Api
  readonly run: Run
  readonly publish: boolean
  readonly concurrency: number
  readonly records: SideRecords | undefined
  readonly root: string
}

interface Place {
  readonly folder: LocalFolder
  readonly categoryId: number
}

/** The layout of a page becomes a version in the state of its file. */
export async function setLayouts(
  { api, run, publish, concurrency, records, root }: Importing,
  placed: readonly Place[],
): Promise<void> {
  if (records?.hasLayouts !== true) return
  const files = new Map<string, ListedFile>()
  const pages: (readonly [path: string, shownPath: string])[] = []
  async function list({ folder, categoryId }: Place): Promise<void> {
    const part = { path: folder.shownPath, files: 0 }
    const listed = await run.attempt(part, () => listFiles(api, categoryId))
    const held = new Map((listed ?? []).map((file) => [foldName(file.name), file]))
    for (const { name, path, shownPath } of folder.files) {
      const found = held.get(foldName(name))
      if (found === undefined) continue
      const sidePath = sidePathOf(root, path)
      files.set(foldName(sidePath), found)
      pages.push([sidePath, shownPath])
    }
  }
  /** Undefined if the layout stays. */
  function idOf(layout: SideLayout, path: string): number | undefined {
    if (typeof layout !== 'string') return layout
    const id = files.get(foldName(layout))?.asset_file_id
    if (id === undefined) run.fail({ path, files: 0 }, `its layout ${layout} was not imported`)
    return id
  }
  const save = (path: string, fields: object): Promise<unknown> =>
    api.retrying(() => api.sendJson(post(path, fields)))

  await pMap(placed, list, { concurrency })
  await pMap(
    placed,
    async ({ folder: { path, shownPath }, categoryId: id }) => {
      const wanted = idOf(records.folderAt(sidePathOf(root, path))?.layout, shownPath)
      if (wanted === undefined) return
      await run.attempt({ path: shownPath, files: 0 }, async () => {
        if ((await readSiteCategory(api, id)).layoutId !== wanted)
          await save(`/api/v2/asset_category/${id}`, { layout_file_id: wanted })
      })
    },
    { concurrency },
  )
  await pMap(
    pages,
    async ([path, shownPath]) => {
      const [file, record] = [files.get(foldName(path)), records.fileAt(path)]
      const wanted = idOf(record?.layout, shownPath)
      if (file === undefined || wanted === undefined || wanted === file.layout_file_id) return
      const isLive = publish || record?.state === 'live'
      const state = isLive ? 'publish' : record?.state === 'staged' ? 'stage' : undefined
      const fields = { layout_file_id: wanted, ...(state !== undefined && { fileState: state }) }
      await run.attempt({ path: shownPath, files: 0 }, () =>
        save(`/api/v2/asset_file/${file.asset_file_id}`, fields),
      )
    },
    { concurrency },
  )
}
