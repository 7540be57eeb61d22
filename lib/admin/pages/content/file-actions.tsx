// Actions for one or more files: menu items, the selection bar, and keyboard shortcuts.

import { useState } from 'preact/hooks'
import { useMe } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { maySomewhere } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { FolderPicker } from './folder-finder.tsx'
import { useFileBulk, useFileWork } from './file-work.ts'
import { usePublishQuestion } from './publish-question.tsx'
import type { FileRecord } from './records.ts'
import { useScheduling } from './schedule-dialog.tsx'
import { RenameFile, useReplaceFile } from './file-dialogs.tsx'
import { FileDetailsDialog } from './file-details.tsx'
import { type FileAct, useFileMenu } from './file-menu.ts'
import { MoveNote, useUseCount } from './used-on.tsx'

export interface FileActionsOptions {
  /** Undefined if the files are in several folders; the server then reports missing permissions. */
  readonly grants: ReadonlySet<Grant> | undefined
  readonly onChange: () => void
  /** Called instead of onChange when the displayed file is deleted. */
  readonly onRemoved?: () => void
}

type Opened =
  | { readonly kind: 'move'; readonly files: readonly FileRecord[] }
  | { readonly kind: 'rename' | 'details'; readonly file: FileRecord }

/** Returns menu items, key handlers and the dialogs of file actions. */
export function useFileActions({ grants, onChange, onRemoved }: FileActionsOptions) {
  const { t } = useTexts()
  const me = useMe()
  const bulk = useFileBulk(onChange)
  const [opened, setOpened] = useState<Opened>()
  const work = useFileWork()
  const confirm = useConfirm()
  const mayPublish = usePublishQuestion()
  const countUses = useUseCount()
  const may = (grant: Grant): boolean =>
    grants === undefined ? me !== undefined && maySomewhere(me, grant) : grants.has(grant)
  const replacing = useReplaceFile(may('publish'))
  const scheduling = useScheduling(onChange)

  const moveTo = (files: readonly FileRecord[], folderId: number): void =>
    bulk.run({ ...work.move(folderId), items: files })

  /** Asks nothing before one file that nothing uses goes to the trash: the message afterwards offers to undo. */
  async function remove(files: readonly FileRecord[]): Promise<void> {
    const { question, ...all } = work.remove(files)
    const { text: used, isUnused } = await countUses(files)
    const text = used === '' ? question.text : `${question.text} ${used}`
    const isHarmless = isUnused && files.length === 1 && (me?.trash_days ?? 0) > 0
    if (isHarmless || (await confirm({ ...question, text })))
      bulk.run({ ...all, items: files, ...(onRemoved && { onDone: onRemoved }) })
  }

  async function publish(files: readonly FileRecord[]): Promise<void> {
    if (await mayPublish(files)) bulk.run({ ...work.publish(), items: files })
  }

  /** Asks only if something uses the files. */
  async function unpublish(files: readonly FileRecord[]): Promise<void> {
    const { unpublish: action, usedOn } = t.content
    const { text: used } = await countUses(files)
    const text = `${used} ${usedOn.unpublishText}`
    if (used === '' || (await confirm({ title: action, text, action })))
      bulk.run({ ...work.unpublish(), items: files })
  }

  function act(name: FileAct, files: readonly FileRecord[]): void {
    const [file] = files
    if (file === undefined) return
    if (name === 'replace') replacing.choose(file)
    else if (name === 'delete') void remove(files)
    else if (name === 'move') setOpened({ kind: name, files })
    else if (name === 'rename' || name === 'details') setOpened({ kind: name, file })
    else if (name === 'schedule') scheduling.open(files, may)
    else if (name === 'publish') void publish(files)
    else if (name === 'unpublish') void unpublish(files)
    else bulk.run({ ...work[name](), items: files })
  }
  const menu = useFileMenu({ may, act })

  const close = (): void => setOpened(undefined)
  const view = (
    <>
      {bulk.view}
      {replacing.view}
      {scheduling.view}
      {opened?.kind === 'move' && (
        <FolderPicker
          title={t.content.move}
          submit={t.content.moveHere}
          note={<MoveNote files={opened.files} />}
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
