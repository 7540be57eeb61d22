// The save state next to the versions: saved, draft kept, or neither.

import type { Texts } from '../../texts/translation.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Kept } from './drafts.ts'
import type { EditingState } from './editing.ts'

const WORDS: Readonly<Record<Kept, (t: Texts) => string>> = {
  kept: (t) => t.editor.kept,
  soon: (t) => t.editor.keeping,
  never: (t) => t.editor.notKept,
}

export function EditorStatus({ state }: { readonly state: EditingState }) {
  const { t } = useTexts()
  const { isDirty, kept, isSaving, isWaiting } = state
  const text = isWaiting
    ? t.editor.waiting
    : isSaving
      ? t.editor.saving
      : !isDirty
        ? t.editor.saved
        : WORDS[kept](t)
  return (
    <span role="status">
      <Badge kind={isDirty && kept === 'never' ? 'danger' : 'draft'}>{text}</Badge>
    </span>
  )
}
