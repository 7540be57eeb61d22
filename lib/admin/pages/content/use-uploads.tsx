// The way into the queue of uploads, which stands at the edge of the window from then on.

import { useEffect, useState } from 'preact/hooks'
import { useCell } from '../../client/cell.ts'
import { useClient } from '../../client/client-context.ts'
import { useDock } from '../../ui/dock.tsx'
import type { FoundFile } from './dropped-files.ts'
import { UploadPanel } from './upload-panel.tsx'
import { type Replaced, uploadsOf } from './upload-queue.ts'

const NAME = 'uploads'

export interface Uploads {
  readonly publishes: boolean
  readonly setPublishes: (publishes: boolean) => void
  /** With `replaced` they are the next versions of that file. */
  readonly add: (found: readonly FoundFile[], folderId: number, replaced?: Replaced) => void
  /** Goes up when files have landed. */
  readonly landed: number
}

export function useUploads(mayPublish: boolean): Uploads {
  const client = useClient()
  const dock = useDock()
  const queue = uploadsOf(client)
  const [publishes, setPublishes] = useState(false)
  const landed = useCell(queue.landed)
  // Watched and not shown: the page with its list of files is not drawn anew for each step of each upload.
  useEffect(
    () =>
      queue.items.watch((items) => {
        // After a sign-out nobody is told of the files of somebody else.
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
      queue.add(found, { folderId, publishes: publishes && mayPublish, replaced })
      dock.show(NAME, () => <UploadPanel queue={queue} onClose={() => dock.hide(NAME)} />)
    },
  }
}
