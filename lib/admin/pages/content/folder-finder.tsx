// A dialog that asks for a folder.
//
//   <FolderPicker title={t.content.move} submit={t.content.moveHere} onChoose={(folder) => …} onClose={close} />

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { nameHolds } from '../../client/search.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest, useSettled } from '../../ui/use-request.ts'
import { openFolderTree, TOP } from './folder-tree.ts'
import { PublicMark } from './public-mark.tsx'
import { type FolderRecord, searchFolders } from './records.ts'
import { SearchField } from './search-field.tsx'
import { TreeView, type TreeViewProps } from './tree-view.tsx'

interface FolderPickerProps {
  readonly title: string
  readonly submit: string
  /** The folder that is chosen at first. */
  readonly initial?: FolderRecord | undefined
  readonly note?: ComponentChildren
  readonly onChoose: (folder: FolderRecord) => void
  readonly onClose: () => void
}

export function FolderPicker(props: FolderPickerProps) {
  const { title, submit, initial, note, onChoose, onClose } = props
  const { t } = useTexts()
  const api = useApi()
  const tree = useMemo(() => openFolderTree(api), [api])
  const [chosen, setChosen] = useState(initial)
  useEffect(() => {
    void tree.load(TOP)
    // Loads the folders that are open on the page.
    for (const id of tree.open.get()) void tree.load(id)
  }, [tree])

  return (
    <Dialog title={title} onClose={onClose}>
      <div class="folder-picker">
        <FolderFinder
          tree={tree}
          label={t.content.folders}
          chosenId={chosen?.asset_category_id}
          onChoose={setChosen}
        />
      </div>
      <p class="folder-chosen quiet" aria-live="polite">
        <bdi>{chosen?.path ?? t.content.chooseFolder}</bdi>
      </p>
      {note}
      <div class="dialog-actions">
        <Button onPress={onClose}>{t.general.cancel}</Button>
        <Button
          kind="primary"
          isDisabled={chosen === undefined}
          onPress={() => {
            if (chosen !== undefined) onChoose(chosen)
          }}
        >
          {submit}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * A search field for folders, with its results below; while the field is empty, the folder tree.
 */
export function FolderFinder(props: TreeViewProps) {
  const { t } = useTexts()
  const [text, setText] = useState('')
  return (
    <div class="folder-finder">
      <SearchField label={t.content.filterFolders} value={text} onChange={setText} />
      {text.trim() === '' ? <TreeView {...props} /> : <Found {...props} text={text} />}
    </div>
  )
}

const MOST_FOUND = 50

function Found({ text, chosenId, onChoose }: TreeViewProps & { readonly text: string }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const wanted = useSettled(text)
  const found = useRequest(
    (signal) => {
      const qry = { name: nameHolds(wanted) }
      return searchFolders(api, { qry, orderStr: 'name', length: MOST_FOUND }, signal)
    },
    [wanted],
  )
  if (found.data === undefined) return <Loading {...found} lines={3} />
  const { rows, next } = found.data
  if (rows.length === 0) return <p class="quiet folder-none">{t.content.noFolderFound}</p>
  return (
    <ul class="folder-found">
      {rows.map((folder) => (
        <li key={folder.asset_category_id}>
          <button
            type="button"
            class="folder-found-item"
            aria-current={folder.asset_category_id === chosenId}
            onClick={() => onChoose(folder)}
          >
            <Icon name="folder" />
            <span class="cut">
              <bdi>{folder.name}</bdi>
            </span>
            <PublicMark isPublic={folder.is_public} />
            <span class="cut quiet" title={folder.path}>
              <bdi>{folder.path}</bdi>
            </span>
          </button>
        </li>
      ))}
      {next !== null && (
        <li class="quiet folder-none">{formats.count(t.content.firstFound, MOST_FOUND)}</li>
      )}
    </ul>
  )
}
