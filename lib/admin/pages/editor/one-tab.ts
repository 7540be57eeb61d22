// A file is written in one tab of a browser at a time, because there is one draft of it. Who opens it in a second one
// is told, and may go on there: then the first one is told.

import { ADMIN_PATH } from '../../client/address.ts'
import { type Cell, openCell } from '../../client/cell.ts'

type Message = 'asked' | 'here' | 'taken'

export interface OneTab {
  /** Another tab writes. */
  readonly isElsewhere: Cell<boolean>
  /** This one writes from now on. */
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
