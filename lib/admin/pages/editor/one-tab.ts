// Allows one tab per file to edit, because there is one draft per file. A second tab shows a notice and can take
// over; then the first tab shows the notice.

import { ADMIN_PATH } from '../../client/address.ts'
import { type Cell, openCell } from '../../client/cell.ts'

type Message = 'asked' | 'here' | 'taken'

export interface OneTab {
  /** Another tab edits the file. */
  readonly isElsewhere: Cell<boolean>
  /** Takes over editing. */
  readonly take: () => void
  readonly close: () => void
}

export function openOneTab(userId: number, fileId: number): OneTab {
  const channel = new BroadcastChannel(`cms${ADMIN_PATH}.editor.${userId}.${fileId}`)
  const isElsewhere = openCell(false)
  const tell = (message: Message): void => channel.postMessage(message)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'asked' && !isElsewhere.get()) tell('here')
    if (data !== 'asked') isElsewhere.set(true)
  })
  tell('asked')
  return {
    isElsewhere,
    take() {
      isElsewhere.set(false)
      tell('taken')
    },
    close: () => channel.close(),
  }
}
