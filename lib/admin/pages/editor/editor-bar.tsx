// The controls of the editor page: in the head of the page, or on a phone in one row with the name and the save state.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import type { FolderRecord } from '../content/records.ts'
import { versionPath } from '../content/version-numbers.tsx'
import type { EditingState } from './editing.ts'
import { type EditorLayout, LayoutButtons } from './editor-layout.tsx'
import { EditorStatus } from './editor-status.tsx'

export interface EditorControls {
  /** Undefined without a preview. */
  readonly layout: EditorLayout | undefined
  readonly onLayout: (layout: EditorLayout) => void
  readonly isSaving: boolean
  /** Undefined if the text cannot be saved now. */
  readonly onSave: (() => void) | undefined
  readonly items: readonly MenuItem[]
}

export function EditorActions({ layout, onLayout, isSaving, onSave, items }: EditorControls) {
  const { t } = useTexts()
  return (
    <>
      {layout !== undefined && <LayoutButtons layout={layout} onChoose={onLayout} />}
      {onSave !== undefined && (
        <>
          <Button kind="primary" isBusy={isSaving} onPress={onSave}>
            {t.editor.wants.save}
          </Button>
          {items.length > 0 && (
            <Menu
              button={{
                class: 'button button-sign',
                icon: 'chevronDown',
                label: t.editor.moreActions,
              }}
              items={items}
            />
          )}
        </>
      )}
    </>
  )
}

interface EditorBarProps extends EditorControls {
  readonly state: EditingState
  readonly line: readonly FolderRecord[]
}

/** The row on a phone. */
export function EditorBar({
  state,
  line,
  layout,
  onLayout,
  isSaving,
  onSave,
  items,
}: EditorBarProps) {
  const { t } = useTexts()
  const { route } = useLocation()
  const { name, asset_file_id: id } = state.record
  const folder = line.at(-1)
  const other = layout === 'preview' ? 'text' : 'preview'
  const all: readonly MenuItem[] = [
    ...(onSave === undefined ? [] : items),
    { text: t.file.versions, icon: 'history', onChoose: () => route(versionPath(id)) },
  ]
  return (
    <header class="editor-bar">
      {folder !== undefined && (
        <ButtonLink
          kind="quiet"
          icon="chevronLeft"
          label={fill(t.editor.backTo, { name: folder.name })}
          href={pathOf(`/content/${folder.asset_category_id}`)}
        />
      )}
      <div class="editor-bar-name">
        <h1 tabIndex={-1}>{name}</h1>
        <EditorStatus state={state} />
      </div>
      {layout !== undefined && (
        <Button
          kind="quiet"
          icon={other === 'preview' ? 'eye' : 'edit'}
          label={t.editor.layouts[other]}
          onPress={() => onLayout(other)}
        />
      )}
      {onSave !== undefined && (
        <Button kind="primary" isBusy={isSaving} onPress={onSave}>
          {t.editor.wants.save}
        </Button>
      )}
      <Menu button={{ icon: 'more', label: t.editor.moreActions }} items={all} />
    </header>
  )
}
