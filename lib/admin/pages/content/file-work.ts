// The requests of the actions on files, one by one and many together, and the requests that undo them.

import { dataOf } from '../../client/api.ts'
import { useApi, useClient } from '../../client/client-context.ts'
import { isInTrash, restoreDeleted } from '../../client/deleted-records.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useBulk } from '../../ui/bulk.tsx'
import { useDeletionNote } from '../../ui/delete-form.tsx'
import {
  type Changed,
  errorOf,
  type FileOperation,
  operationBack,
  runOperations,
  subjectOf,
  useLiveActions,
} from './publication.ts'
import { type FileRecord, searchFiles } from './records.ts'
import { uploadsOf } from './upload-queue.ts'

/** Times to set; null removes a time. */
export type ScheduleFields = {
  [name in 'publish_at' | 'unpublish_at' | 'stage_at']?: string | null
}

/** The actions, without their files. */
export function useFileWork() {
  const { t, formats } = useTexts()
  const api = useApi()
  const uploads = uploadsOf(useClient())
  const liveActions = useLiveActions()
  const note = useDeletionNote()
  const pathOf = ({ asset_file_id: id }: FileRecord) => ({ path: { id } })

  const moveOne = (file: FileRecord, folderId: number) =>
    dataOf(
      api.PATCH('/asset_file/{id}', {
        params: pathOf(file),
        body: { parent_category_id: folderId },
      }),
    )
  /** Carries out an operation on each file, in one request. */
  const together =
    (
      operationOf: (file: FileRecord) => Omit<FileOperation, 'asset_file_id'>,
      onDone?: (file: FileRecord, etag: string) => void,
    ) =>
    async (files: readonly FileRecord[]): Promise<readonly unknown[]> => {
      const operations = files.map((file) => ({
        ...operationOf(file),
        asset_file_id: file.asset_file_id,
      }))
      const results = await runOperations(api, operations)
      for (const [at, file] of files.entries()) {
        const { etag = null, problem = null } = results[at] ?? {}
        if (problem === null && etag !== null) onDone?.(file, etag)
      }
      return results.map(errorOf)
    }

  /** A change of what visitors or the stage show. The undo restores the state before, unless the file has changed since. */
  function moving(
    operationOf: (file: FileRecord) => Omit<FileOperation, 'asset_file_id'>,
    onDone?: (fileId: number) => void,
  ) {
    const changes = new Map<number, Changed>()
    const befores = new Map<number, FileRecord>()
    const change = together(operationOf, (file, etag) => {
      const { asset_file_id: id } = file
      changes.set(id, { before: befores.get(id) ?? file, etag })
      onDone?.(id)
    })
    const back = together((file) => {
      const { asset_file_id: id } = file
      return operationBack(changes.get(id) ?? { before: file, etag: '' })
    })
    const workTogether = async (files: readonly FileRecord[]): Promise<readonly unknown[]> => {
      // The shown files may be older than the state that the change replaces.
      const ids = files.map(({ asset_file_id: id }) => id)
      const qry = { asset_file_id: { $in: ids } }
      const query = { qry, orderStr: 'asset_file_id', length: ids.length }
      for (const file of (await searchFiles(api, query)).rows) befores.set(file.asset_file_id, file)
      return change(files)
    }
    return { work: alone(workTogether), workTogether, undo: alone(back), undoTogether: back }
  }

  return {
    // Publishes the displayed version. A version that somebody saves in the meantime stays a draft.
    publish: () => ({
      title: t.content.publish,
      doneText: t.content.published,
      ...moving(
        ({ version }) => ({ op: 'publish', version }),
        (id) => uploads.publish([id]),
      ),
      textOfOne: t.content.isLive,
      actionsOfOne: (file: FileRecord) => liveActions(withVersionLive(file)),
    }),
    stage: () => ({
      title: t.content.stage,
      doneText: t.content.staged,
      ...moving(({ version }) => ({ op: 'stage', version })),
    }),
    schedule: (fields: ScheduleFields) => ({
      title: t.schedule.action,
      doneText: t.schedule.savedFor,
      textOfOne: t.schedule.saved,
      ...moving(() => ({ op: 'update', fields })),
    }),
    unpublish: () => ({
      title: t.content.unpublish,
      doneText: t.content.unpublished,
      ...moving(() => ({ op: 'unpublish' })),
    }),
    unstage: () => ({
      title: t.content.unstage,
      doneText: t.content.unstaged,
      ...moving(() => ({ op: 'unstage' })),
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
      mayUndo: ([file]: readonly FileRecord[]) =>
        isInTrash(api, { object: 'asset_file', id: file?.asset_file_id ?? 0 }),
      question: {
        title: t.content.delete,
        text: [
          files.length === 1
            ? fill(t.content.deleteOne, { name: files[0]?.name ?? '' })
            : formats.count(t.content.deleteMany, files.length),
          note,
        ].join(' '),
        action: formats.count(t.content.deleteAction, files.length),
        isDangerous: true,
      },
    }),
  }
}

/** Runs the actions on files; the caller renders `view`. */
export function useFileBulk(onChange: () => void) {
  const { t } = useTexts()
  return useBulk<FileRecord>({
    nameOf: ({ name }) => name,
    subjectOf: ({ asset_file_id: id }) => subjectOf(id),
    failed: t.content.failed,
    undone: t.content.undone,
    onChange,
  })
}

/** Publishes files of several folders; the caller renders `view`. */
export function usePublishing(onChange: () => void) {
  const work = useFileWork()
  const bulk = useFileBulk(onChange)
  const run = (files: readonly FileRecord[]): void => bulk.run({ ...work.publish(), items: files })
  return { run, view: bulk.view }
}

/** The work for one file; throws its error. */
function alone(work: (files: readonly FileRecord[]) => Promise<readonly unknown[]>) {
  return async (file: FileRecord): Promise<void> => {
    const [error] = await work([file])
    if (error !== undefined) throw error
  }
}

/** The file once its latest version is live, with the address that has the name of this version. */
function withVersionLive(file: FileRecord): FileRecord {
  const { version, name, url } = file
  const folder = url.slice(0, url.lastIndexOf('/') + 1)
  return { ...file, live_version: version, url: folder + encodeURIComponent(name) }
}
