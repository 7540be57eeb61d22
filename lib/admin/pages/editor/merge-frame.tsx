// Loads a merge view into a page.

import { useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { CodeParts } from './code-language.ts'
import type { Deciding, MergeView } from './merge-view.ts'

interface MergeFrameProps {
  readonly parts: CodeParts
  readonly original: string
  readonly text: string
  readonly label: string
  readonly decide?: Deciding
  readonly onView?: (view: MergeView) => void
}

export function MergeFrame(props: MergeFrameProps) {
  const { t } = useTexts()
  const frame = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [error, setError] = useState<unknown>()
  const [isThere, setIsThere] = useState(false)

  useEffect(() => {
    let view: MergeView | undefined
    let isGone = false
    async function open(): Promise<void> {
      const { openMergeView } = await import('./merge-view.ts')
      if (isGone || frame.current === null) return
      const { parts, onView, ...own } = props
      const options = { ...own, language: parts.extension, phrases: t.editor.phrases }
      view = openMergeView({ ...options, parent: frame.current })
      setIsThere(true)
      onView?.(view)
    }
    setError(undefined)
    open().catch(setError)
    return () => {
      isGone = true
      view?.close()
    }
  }, [round])

  return (
    <>
      {error !== undefined && (
        <ProblemNotice error={error} onRetry={() => setRound((count) => count + 1)} />
      )}
      {!isThere && error === undefined && <Skeleton lines={6} />}
      <div ref={frame} class="merge-frame" />
    </>
  )
}

/** Compares the draft with the version it is based on. */
interface CompareDialogProps {
  readonly parts: CodeParts
  readonly version: number
  readonly original: string
  readonly text: string
  readonly onClose: () => void
}

export function CompareDialog({ version, onClose, ...texts }: CompareDialogProps) {
  const { t, formats } = useTexts()
  const title = fill(t.editor.since, { version: formats.number(version) })
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="compare">
        <MergeFrame {...texts} label={title} />
      </div>
    </Dialog>
  )
}
