// The save state next to the versions: saved, draft kept, or neither.

import { fill } from '../../texts/fill.ts'
import type { Texts } from '../../texts/translation.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import type { DraftState } from './drafts.ts'
import type { EditingState } from './editing.ts'

const WORDS: Readonly<Record<DraftState, (t: Texts) => string>> = {
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

/** Notices above the editor: a stored draft, another tab, a failed save. */
interface EditorNoticesProps {
  readonly state: EditingState
  readonly isElsewhere: boolean
  readonly latestVersion: number
  readonly onTake: () => void
  readonly onKeep: () => void
  readonly onDiscard: () => void
  readonly onCompare: () => void
}

export function EditorNotices(props: EditorNoticesProps) {
  const { state, isElsewhere, onTake } = props
  const { t } = useTexts()
  return (
    <>
      {isElsewhere && (
        <Notice
          kind="info"
          title={t.editor.elsewhere}
          actions={<Button onPress={onTake}>{t.editor.writeHere}</Button>}
        >
          {t.editor.elsewhereText}
        </Notice>
      )}
      {state.found !== undefined && !isElsewhere && <FoundDraft {...props} />}
      {state.isDirty && state.kept === 'never' && (
        <Notice kind="danger" title={t.editor.notKeptTitle}>
          {t.editor.notKeptText}
        </Notice>
      )}
      {state.base.hasMixedEnds && <Notice kind="info">{t.editor.mixedEnds}</Notice>}
      {state.error !== undefined && <ProblemNotice error={state.error} />}
    </>
  )
}

function FoundDraft(props: EditorNoticesProps) {
  const { state, latestVersion, onKeep, onDiscard, onCompare } = props
  const { t, formats } = useTexts()
  const time = formats.dateTime(new Date(state.found?.keptMs ?? 0))
  const isBehind = state.base.version < latestVersion
  return (
    <Notice
      kind="info"
      title={fill(t.editor.found, { time })}
      actions={
        <span class="notice-actions">
          <Button onPress={onKeep}>{t.editor.keep}</Button>
          <Button onPress={onCompare}>{t.editor.compare}</Button>
          <Button onPress={onDiscard}>{t.editor.discard}</Button>
        </span>
      }
    >
      {isBehind
        ? fill(t.editor.foundBehind, { version: formats.number(latestVersion) })
        : t.editor.foundText}
    </Notice>
  )
}
