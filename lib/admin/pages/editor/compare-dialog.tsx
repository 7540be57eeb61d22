// Compares the draft with the version it is based on.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { CodeParts } from './code-parts.ts'
import { MergeFrame } from './merge-frame.tsx'

export interface CompareDialogProps {
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
