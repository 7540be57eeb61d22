// The folder for files that are pasted or dropped into an entry, which has no folder of its own: the folder that the file dialog
// used last. Without such a folder, the person is asked.

import { useState } from 'preact/hooks'
import { useApi, useMe } from '../../client/client-context.ts'
import { notePickedFolder, pickedFolder } from '../../client/recent-files.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { FolderPicker } from './folder-finder.tsx'
import { type FolderRecord, grantsIn, readFolderLine } from './records.ts'

/** A folder with its parents, topmost first. */
type Line = readonly FolderRecord[]

export interface UploadFolder {
  /** Undefined if the person chooses no folder. */
  readonly find: () => Promise<Line | undefined>
  readonly ask: () => Promise<Line | undefined>
}

/** The caller renders `dialog`. */
export function useUploadFolder() {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const userId = me?.user.user_id ?? 0
  const [answer, setAnswer] = useState<(folder: FolderRecord | undefined) => void>()

  async function ask(): Promise<Line | undefined> {
    const folder = await new Promise<FolderRecord | undefined>((resolve) =>
      setAnswer(() => resolve),
    )
    setAnswer(undefined)
    if (folder === undefined) return undefined
    notePickedFolder(userId, folder.asset_category_id)
    return readFolderLine(api, folder.asset_category_id)
  }

  async function find(): Promise<Line | undefined> {
    const known = pickedFolder(userId)
    // The folder may have been deleted.
    const line = known === undefined ? [] : await readFolderLine(api, known).catch(() => [])
    return line.length > 0 && grantsIn(me, line).has('create') ? line : ask()
  }

  const dialog = answer !== undefined && (
    // The text may be in a form, which must not send itself.
    <div onSubmit={stop} onKeyDown={stop}>
      <FolderPicker
        title={t.picking.uploadFolder}
        submit={t.picking.uploadHere}
        note={<p class="field-hint">{t.picking.uploadFolderHint}</p>}
        onChoose={answer}
        onClose={() => answer(undefined)}
      />
    </div>
  )
  return { find, ask, dialog }
}

function stop(event: Event): void {
  event.stopPropagation()
}
