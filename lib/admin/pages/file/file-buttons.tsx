// The actions of the page of a file: the frequent ones as buttons, the others in a menu.

import { useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { pathOf } from '../../client/address.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useFileActions } from '../content/file-actions.tsx'
import {
  editorPath,
  type FileRecord,
  type FolderRecord,
  isTextFile,
  MOST_WRITTEN,
} from '../content/records.ts'
import { mayView, mayViewStaged, previewPath, useViewFile } from '../content/view-file.ts'

interface FileButtonsProps {
  readonly record: FileRecord
  readonly grants: ReadonlySet<Grant>
  /** The folder of the file with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
  readonly onChange: () => void
}

export function FileButtons({ record, grants, line, onChange }: FileButtonsProps) {
  const { t } = useTexts()
  const { route } = useLocation()
  const folderId = line.at(-1)?.asset_category_id ?? 0
  const actions = useFileActions({
    grants,
    onChange,
    onRemoved: () => route(pathOf(`/content/${folderId}`)),
  })
  useLanding(actions.landed, onChange)
  const viewing = useViewFile()
  const items = actions.itemsFor(record)
  const { publish, rest } = partsOf(items, record, t)
  const mayEdit = grants.has('modify') && isTextFile(record) && record.size <= MOST_WRITTEN
  useEditAction(mayEdit, record)
  return (
    <>
      {mayView(record) && (
        <Button icon="external" onPress={() => viewing.view(record)}>
          {t.content.view}
        </Button>
      )}
      {mayViewStaged(record, actions.may) && (
        <ButtonLink href={previewPath(record.asset_file_id, 'staged')} icon="eye">
          {t.content.viewStaged}
        </ButtonLink>
      )}
      {mayEdit && (
        <ButtonLink href={editorPath(record.asset_file_id)} icon="edit">
          {t.editor.edit}
        </ButtonLink>
      )}
      {publish !== undefined && (
        <Button kind="primary" icon="globe" onPress={publish.onChoose}>
          {t.content.publish}
        </Button>
      )}
      {rest.length > 0 && (
        <Menu
          button={{ class: 'button button-sign', icon: 'more', label: t.file.actions }}
          items={rest}
        />
      )}
      {actions.view}
    </>
  )
}

/** The action with a button of its own, and those of the menu. */
function partsOf(items: readonly MenuItem[], record: FileRecord, { content }: Speech['t']) {
  const isBehind = record.live_version !== record.version
  const publish = isBehind ? items.find(({ text }) => text === content.publish) : undefined
  // The page has a button or a tab for these.
  const { edit, details, viewStaged } = content
  const shown: readonly string[] = [
    edit,
    details,
    ...(mayView(record) ? [content.view] : []),
    viewStaged,
  ]
  return { publish, rest: items.filter((item) => item !== publish && !shown.includes(item.text)) }
}

/** Reloads the page after a new version was uploaded. */
function useLanding(count: number, onChange: () => void): void {
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== count) onChange()
    before.current = count
  }, [count])
}

function useEditAction(mayEdit: boolean, { asset_file_id: id }: FileRecord): void {
  const { t } = useTexts()
  const { route } = useLocation()
  const edit = {
    id: 'edit',
    text: t.editor.edit,
    icon: 'edit',
    keys: 'e',
    run: () => route(editorPath(id)),
  } as const
  useActions(mayEdit ? [edit] : [])
}
