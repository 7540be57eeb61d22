// Actions for one or more files: menu items, the selection bar, and keyboard shortcuts.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import type { paths } from '../../client/interface.d.ts'
import { problemFrom } from '../../client/problem.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { restoreDeleted } from '../../client/deleted-records.ts'
import type { Grant } from '../../../shared/grants.ts'
import { maySomewhere } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useBulk } from '../../ui/bulk.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { FolderPicker } from './folder-finder.tsx'
import type { FileRecord } from './records.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { RenameFile, useReplaceFile } from './file-dialogs.tsx'
import { FileDetailsDialog } from './file-details.tsx'
import { type FileAct, useFileMenu } from './file-menu.ts'

export interface FileActionsOptions {
  /** Undefined if the files are in several folders; the server then reports missing permissions. */
  readonly grants: ReadonlySet<Grant> | undefined
  readonly onChange: () => void
  /** Called instead of onChange when the displayed file is deleted. */
  readonly onRemoved?: () => void
}

type Opened =
  | { readonly kind: 'move'; readonly files: readonly FileRecord[] }
  | { readonly kind: 'rename' | 'details' | 'schedule'; readonly file: FileRecord }

/** Returns menu items, key handlers and the dialogs of file actions. */
export function useFileActions({ grants, onChange, onRemoved }: FileActionsOptions) {
  const { t } = useTexts()
  const me = useMe()
  const bulk = useBulk<FileRecord>({
    nameOf: ({ name }) => name,
    failed: t.content.failed,
    undone: t.content.undone,
    onChange,
  })
  const [opened, setOpened] = useState<Opened>()
  const work = useWork()
  const replacing = useReplaceFile()
  const confirm = useConfirm()
  const may = (grant: Grant): boolean =>
    grants === undefined ? me !== undefined && maySomewhere(me, grant) : grants.has(grant)

  const moveTo = (files: readonly FileRecord[], folderId: number): void =>
    bulk.run({ ...work.move(folderId), items: files })

  async function remove(files: readonly FileRecord[]): Promise<void> {
    const job = work.remove(files)
    const { question, ...all } = job
    if (await confirm(question))
      bulk.run({ ...all, items: files, ...(onRemoved && { onDone: onRemoved }) })
  }

  function act(name: FileAct, files: readonly FileRecord[]): void {
    const [file] = files
    if (file === undefined) return
    if (name === 'replace') replacing.choose(file)
    else if (name === 'delete') void remove(files)
    else if (name === 'move') setOpened({ kind: name, files })
    else if (name === 'rename' || name === 'details' || name === 'schedule')
      setOpened({ kind: name, file })
    else bulk.run({ ...work[name](), items: files })
  }
  const menu = useFileMenu({ may, act })

  const close = (): void => setOpened(undefined)
  const view = (
    <>
      {bulk.view}
      {replacing.view}
      {opened?.kind === 'move' && (
        <FolderPicker
          title={t.content.move}
          submit={t.content.moveHere}
          onClose={close}
          onChoose={({ asset_category_id: id }) => {
            close()
            moveTo(opened.files, id)
          }}
        />
      )}
      {opened?.kind === 'rename' && (
        <RenameFile file={opened.file} onClose={close} onDone={onChange} />
      )}
      {opened?.kind === 'schedule' && (
        <ScheduleDialog file={opened.file} may={may} onClose={close} onDone={onChange} />
      )}
      {opened?.kind === 'details' && (
        <FileDetailsDialog
          file={opened.file}
          mayChange={may('modify')}
          onClose={close}
          onChange={onChange}
        />
      )}
    </>
  )

  return {
    ...menu,
    moveTo,
    remove,
    rename: (file: FileRecord) => setOpened({ kind: 'rename', file }),
    may,
    /** Incremented after a new version was uploaded. */
    landed: replacing.landed,
    view,
  }
}

type Operation =
  paths['/batch']['post']['requestBody']['content']['application/json']['operations'][number]

/** The actions, without their files. */
function useWork() {
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
