// Adds files to the upload queue and shows its panel.

import { useEffect, useState } from 'preact/hooks'
import { useCell } from '../../client/cell.ts'
import { useClient } from '../../client/client-context.ts'
import { useDock } from '../../ui/dock.tsx'
import type { FoundFile } from './dropped-files.ts'
import { UploadPanel } from './upload-panel.tsx'
import type { Replaced } from './upload-item.ts'
import { uploadsOf } from './upload-queue.ts'

const NAME = 'uploads'

export interface Uploads {
  readonly publishes: boolean
  readonly setPublishes: (publishes: boolean) => void
  /** With `replaced`, the files become new versions of that file. */
  readonly add: (found: readonly FoundFile[], folderId: number, replaced?: Replaced) => void
  /** Incremented after uploads. */
  readonly landed: number
}

export function useUploads(mayPublish: boolean, asksTexts: boolean): Uploads {
  const client = useClient()
  const dock = useDock()
  const queue = uploadsOf(client)
  const [publishes, setPublishes] = useState(false)
  const landed = useCell(queue.landed)
  // Subscribes without rendering, so that upload progress does not render the file list again.
  useEffect(
    () =>
      queue.items.watch((items) => {
        // The queue is cleared after a sign-out, so that the next user does not see it.
        if (items.length === 0) dock.hide(NAME)
      }),
    [queue],
  )

  return {
    publishes: publishes && mayPublish,
    setPublishes,
    landed,
    add(found, folderId, replaced) {
      if (found.length === 0) return
      const isPublished = publishes && mayPublish
      queue.add(found, { folderId, publishes: isPublished, mayPublish, asksTexts, replaced })
      dock.show(NAME, () => <UploadPanel queue={queue} onClose={() => dock.hide(NAME)} />)
    },
  }
}
