// The foot of the grid: the number of entries if known, and the keyboard shortcuts.

import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { EntryRequests } from './entry-requests.ts'
import { type EntryView, listQueryOf } from './entry-view.ts'
import type { RowsState } from './rows.ts'

export interface GridFootProps {
  readonly state: RowsState
  readonly isFiltered: boolean
  readonly mayEdit: boolean
  readonly view: EntryView
  readonly requests: EntryRequests
}

export function GridFoot({ state, isFiltered, mayEdit, view, requests }: GridFootProps) {
  const { t, formats } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const { count, isCounting, run } = useCount(requests, view)
  const { isCounted, known, isReady, isLoading } = state
  const counted = isCounted ? state.count : count
  const all = isFiltered ? t.entries.found : t.entries.count
  return (
    <div class="entries-foot">
      <p role="status">
        {isReady && counted !== undefined && formats.count(all, counted)}
        {isReady && counted === undefined && known > 0 && formats.count(t.entries.atLeast, known)}
        {isLoading && !isCounted && ` ${t.entries.looking}`}
      </p>
      {isReady && counted === undefined && (
        <Button kind="quiet" isBusy={isCounting} onPress={run}>
          {t.entries.countAll}
        </Button>
      )}
      <span class="entries-keys">
        <Button kind="quiet" icon="info" onPress={() => setIsOpen(true)}>
          {t.entries.keys}
        </Button>
      </span>
      {isOpen && <Keys mayEdit={mayEdit} onClose={() => setIsOpen(false)} />}
    </div>
  )
}

/** Counts only on demand if no index can, because counting scans all entries. */
function useCount(requests: EntryRequests, view: EntryView) {
  const toast = useToast()
  const [count, setCount] = useState<number>()
  const [stop, setStop] = useState<AbortController>()
  const key = JSON.stringify([view.qry, view.text])
  useEffect(() => {
    setCount(undefined)
    return () => stop?.abort()
  }, [key])

  async function run(): Promise<void> {
    const controller = new AbortController()
    setStop(controller)
    try {
      const query = {
        ...listQueryOf({ ...view, sort: undefined }),
        length: 1,
        count: 'exact',
      } as const
      const { page } = await requests.list(query, controller.signal)
      setCount(page.total ?? undefined)
    } catch (error) {
      if (!controller.signal.aborted) toast.problem(error)
    } finally {
      setStop(undefined)
    }
  }

  return { count, isCounting: stop !== undefined, run: () => void run() }
}

const LOOK = ['move', 'sort', 'widen', 'open', 'select'] as const
const EDIT = ['edit', 'giveUp', 'clear', 'undo'] as const

function Keys({ mayEdit, onClose }: { readonly mayEdit: boolean; readonly onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Dialog title={t.entries.keys} onClose={onClose}>
      <Facts
        look="key-list"
        facts={[...LOOK, ...(mayEdit ? EDIT : [])].map((name) => [
          <kbd>{t.entries.keyNames[name]}</kbd>,
          t.entries.keyList[name],
        ])}
      />
    </Dialog>
  )
}
