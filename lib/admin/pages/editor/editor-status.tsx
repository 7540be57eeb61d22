// Whether what is in the editor is saved, kept in this browser, or neither: a word beside the versions.

import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import type { EditingState } from './editing.ts'

export function EditorStatus({ state }: { readonly state: EditingState }) {
  const { t } = useTexts()
  const { isDirty, isKept, isSaving, isWaiting } = state
  const text = isWaiting
    ? t.editor.waiting
    : isSaving
      ? t.editor.saving
      : !isDirty
        ? t.editor.saved
        : isKept
          ? t.editor.kept
          : t.editor.notKept
  return (
    <span role="status">
      <Badge kind={isDirty && !isKept ? 'danger' : 'draft'}>{text}</Badge>
    </span>
  )
}
