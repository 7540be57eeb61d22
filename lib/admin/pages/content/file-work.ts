// The requests of the actions on files, one by one and many together, and the requests that undo them.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { restoreDeleted } from '../../client/deleted-records.ts'
import type { paths } from '../../client/interface.d.ts'
import { problemFrom } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { FileRecord } from './records.ts'

type Operation =
  paths['/batch']['post']['requestBody']['content']['application/json']['operations'][number]

/** The actions, without their files. */
export function useFileWork() {
  const { t, formats } = useTexts()
  const api = useApi()
  const pathOf = ({ asset_file_id: id }: FileRecord) => ({ path: { id } })

  // Publishes the displayed version. A version that somebody saves in the meantime stays a draft.
  const publishOne = (file: FileRecord, version: number) =>
    dataOf(
      api.POST('/asset_file/{id}/publish', { params: { ...pathOf(file), query: { version } } }),
    )
  const unpublishOne = (file: FileRecord) =>
    dataOf(api.POST('/asset_file/{id}/unpublish', { params: pathOf(file) }))
  const moveOne = (file: FileRecord, folderId: number) =>
    dataOf(
      api.PATCH('/asset_file/{id}', {
        params: pathOf(file),
        body: { parent_category_id: folderId },
      }),
    )
  const unstageOne = (file: FileRecord) =>
    dataOf(api.POST('/asset_file/{id}/unstage', { params: pathOf(file) }))
  const stageOne = (file: FileRecord, version: number) =>
    dataOf(api.POST('/asset_file/{id}/stage', { params: { ...pathOf(file), query: { version } } }))

  /** Carries out an operation on each file, in one request. */
  const together =
    (operationOf: (file: FileRecord) => Omit<Operation, 'asset_file_id'>) =>
    async (files: readonly FileRecord[]): Promise<readonly unknown[]> => {
      const operations = files.map((file) => ({
        ...operationOf(file),
        asset_file_id: file.asset_file_id,
      }))
      const { results } = await dataOf(api.POST('/batch', { body: { mode: 'each', operations } }))
      return results.map(({ problem, status }) =>
        problem === null ? undefined : problemFrom({ ...problem }, status),
      )
    }

  /** Restores the previous staged version. */
  async function stageBack(file: FileRecord): Promise<void> {
    const { staged_version: staged, live_version: live } = file
    if (staged === null || staged === live) await unstageOne(file)
    else await stageOne(file, staged)
  }
  async function back(file: FileRecord): Promise<void> {
    if (file.live_version === null) await unpublishOne(file)
    else await publishOne(file, file.live_version)
    await stageBack(file)
  }

  return {
    publish: () => ({
      title: t.content.publish,
      doneText: t.content.published,
      work: (file: FileRecord): Promise<unknown> => publishOne(file, file.version),
      workTogether: together(({ version }) => ({ op: 'publish', version })),
      undo: back,
    }),
    stage: () => ({
      title: t.content.stage,
      doneText: t.content.staged,
      work: (file: FileRecord): Promise<unknown> => stageOne(file, file.version),
      workTogether: together(({ version }) => ({ op: 'stage', version })),
      undo: stageBack,
    }),
    unpublish: () => ({
      title: t.content.unpublish,
      doneText: t.content.unpublished,
      work: unpublishOne as (file: FileRecord) => Promise<unknown>,
      workTogether: together(() => ({ op: 'unpublish' })),
      undo: back,
    }),
    unstage: () => ({
      title: t.content.unstage,
      doneText: t.content.unstaged,
      work: (file: FileRecord): Promise<unknown> => unstageOne(file),
      workTogether: together(() => ({ op: 'unstage' })),
      undo: stageBack,
    }),
    duplicate: () => ({
      title: t.content.duplicate,
      doneText: t.content.duplicated,
      work: (file: FileRecord) =>
        dataOf(api.POST('/asset_file/{id}/copy', { params: pathOf(file), body: {} })),
    }),
    move: (folderId: number) => ({
      title: t.content.move,
      doneText: t.content.moved,
      work: (file: FileRecord) => moveOne(file, folderId),
      workTogether: together(() => ({ op: 'update', fields: { parent_category_id: folderId } })),
      undo: (file: FileRecord) => moveOne(file, file.parent_category_id),
    }),
    remove: (files: readonly FileRecord[]) => ({
      title: t.content.delete,
      doneText: t.content.deleted,
      work: (file: FileRecord) => dataOf(api.DELETE('/asset_file/{id}', { params: pathOf(file) })),
      workTogether: together(() => ({ op: 'delete' })),
      undo: ({ asset_file_id: id }: FileRecord) =>
        restoreDeleted(api, { object: 'asset_file', id }),
      question: {
        title: t.content.delete,
        text:
          files.length === 1
            ? fill(t.content.deleteOne, { name: files[0]?.name ?? '' })
            : formats.count(t.content.deleteMany, files.length),
        action: formats.count(t.content.deleteAction, files.length),
        isDangerous: true,
      },
    }),
  }
}
