// Connects editing.ts to the browser.

import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ADMIN_PATH } from '../../client/address.ts'
import { type Cell, openCell, useCell } from '../../client/cell.ts'
import { useClient } from '../../client/client-context.ts'
import { useLeaveWarning } from '../../ui/use-leave-warning.ts'
import type { CodeView } from './code-view.ts'
import { type DraftState, openDrafts } from './drafts.ts'
import { openEditing } from './editing.ts'
import { openSendVersion, readLatest } from './file-text.ts'
import type { Opened } from './opened-file.ts'

interface UseEditing {
  readonly opened: Opened
  readonly userId: number
}

export function useEditing({ opened, userId }: UseEditing) {
  const { api, connection } = useClient()
  const fileId = opened.latest.record.asset_file_id
  const view = useRef<CodeView>()
  const gone = useMemo(() => new AbortController(), [])
  const tab = useMemo(() => openOneTab(userId, fileId), [])
  const editing = useMemo(() => {
    const onKept = (kept: DraftState): void => made.setKept(kept)
    const made = openEditing({
      ...opened,
      drafts: openDrafts({ fileId, userId, onKept }),
      send: openSendVersion(api, fileId),
      readLatest: () => readLatest(api, fileId, gone.signal),
      untilBack: () => connection.back(gone.signal),
      show: (text) => view.current?.setText(text),
    })
    return made
  }, [])
  const state = useCell(editing.state)
  const isElsewhere = useCell(tab.isElsewhere)

  useEffect(
    () => () => {
      tab.close()
      gone.abort()
    },
    [],
  )
  useLeaveWarning(state.isDirty && state.kept !== 'kept')
  return { editing, state, tab, isElsewhere, view }
}

type Message = 'asked' | 'here' | 'taken'

interface OneTab {
  /** Another tab edits the file. */
  readonly isElsewhere: Cell<boolean>
  /** Takes over editing. */
  readonly take: () => void
  readonly close: () => void
}

/**
 * Allows one tab per file to edit, because there is one draft per file. A second tab shows a notice and can take
 * over; then the first tab shows the notice.
 */
function openOneTab(userId: number, fileId: number): OneTab {
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
