// Sets the layouts of imported folders and pages. The side file names a layout by its path, because its number differs on
// another server; so this happens after all files are there.

import pMap from 'p-map'
import { foldName } from '../schema/names.ts'
import { type Importing, listImported, type Place } from './imported-files.ts'
import { post, readSiteCategory } from './records.ts'
import { type SideLayout, sidePathOf } from './side-file.ts'

/** The layout of a page becomes a version in the state of its file. */
export async function setLayouts(importing: Importing, placed: readonly Place[]): Promise<void> {
  const { api, run, publish, concurrency, records, root } = importing
  if (records?.hasLayouts !== true) return
  const files = await listImported(importing, placed)
  const pages = placed.flatMap(({ folder }) => folder.files)
  /** Undefined if the layout stays. */
  function idOf(layout: SideLayout, path: string): number | undefined {
    if (typeof layout !== 'string') return layout
    const id = files.get(foldName(layout))?.asset_file_id
    if (id === undefined) run.fail({ path, files: 0 }, `its layout ${layout} was not imported`)
    return id
  }
  const save = (path: string, fields: object): Promise<unknown> =>
    api.retrying(() => api.sendJson(post(path, fields)))

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
    async ({ path: place, shownPath }) => {
      const path = sidePathOf(root, place)
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
