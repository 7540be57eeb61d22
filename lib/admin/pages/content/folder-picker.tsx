// A dialog that asks for a folder.
//
//   <FolderPicker title={t.content.move} submit={t.content.moveHere} onChoose={(folder) => …} onClose={close} />

import { useEffect, useMemo, useState } from 'preact/hooks'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FolderFinder } from './folder-finder.tsx'
import { openFolderTree, TOP } from './folder-tree.ts'
import type { FolderRecord } from './records.ts'

export interface FolderPickerProps {
  readonly title: string
  readonly submit: string
  readonly onChoose: (folder: FolderRecord) => void
  readonly onClose: () => void
}

export function FolderPicker({ title, submit, onChoose, onClose }: FolderPickerProps) {
  const { t } = useTexts()
  const api = useApi()
  const tree = useMemo(() => openFolderTree(api), [api])
  const [chosen, setChosen] = useState<FolderRecord>()
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
