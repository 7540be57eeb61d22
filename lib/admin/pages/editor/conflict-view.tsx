// Resolves a conflict place by place, after another user saved changes to the same lines.

import { useMemo, useRef, useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Person } from '../../ui/person.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { CodeParts } from './code-language.ts'
import type { Conflict } from './editing.ts'
import { MergeFrame } from './merge-frame.tsx'
import type { MergeView } from './merge-view.ts'

export interface ConflictViewProps {
  readonly conflict: Conflict
  readonly parts: CodeParts
  readonly saveText: string
  /** Also stores a partial resolution. */
  readonly onDecide: (text: string) => void
  readonly onSave: (text: string) => void
  readonly onLeave: () => void
}

export function ConflictView(props: ConflictViewProps) {
  const { conflict, parts, saveText, onDecide, onSave, onLeave } = props
  const { t } = useTexts()
  const view = useRef<MergeView>()
  const [open, setOpen] = useState<number>()
  const decide = useMemo(
    () => ({
      mine: t.editor.takeMine,
      theirs: t.editor.takeTheirs,
      both: t.editor.takeBoth,
      onChange(count: number, text: string) {
        setOpen(count)
        if (text !== conflict.mine) onDecide(text)
      },
    }),
    [t],
  )
  return (
    <section class="conflict card" aria-label={t.editor.conflict}>
      <header class="conflict-head">
        <h2>{t.editor.conflict}</h2>
        <p>
          <Who conflict={conflict} />
        </p>
        <p>{t.editor.conflictText}</p>
        <Choices
          open={open}
          saveText={saveText}
          view={view.current}
          onSave={() => onSave(view.current?.text() ?? conflict.mine)}
          onLeave={onLeave}
        />
      </header>
      <MergeFrame
        parts={parts}
        original={conflict.theirs}
        text={conflict.mine}
        label={t.editor.bothTexts}
        decide={decide}
        onView={(made) => {
          view.current = made
          made.toNext()
        }}
      />
    </section>
  )
}

interface ChoicesProps {
  /** Number of open conflicts; undefined until known. */
  readonly open: number | undefined
  readonly saveText: string
  readonly view: MergeView | undefined
  readonly onSave: () => void
  readonly onLeave: () => void
}

function Choices({ open, saveText, view, onSave, onLeave }: ChoicesProps) {
  const { t, formats } = useTexts()
  const isDecided = open === 0
  return (
    <div class="conflict-actions">
      <Button
        kind="primary"
        isDisabled={open === undefined}
        onPress={() => (isDecided ? onSave() : view?.toNext())}
      >
        {isDecided || open === undefined ? saveText : t.editor.toNext}
      </Button>
      <Button onPress={() => view?.decideAll('mine')} isDisabled={isDecided}>
        {t.editor.allMine}
      </Button>
      <Button onPress={() => view?.decideAll('theirs')} isDisabled={isDecided}>
        {t.editor.allTheirs}
      </Button>
      <Button kind="quiet" onPress={onLeave}>
        {t.editor.backToMine}
      </Button>
      <p class="quiet" role="status">
        {open !== undefined && open > 0 && formats.count(t.editor.open, open)}
        {isDecided && t.editor.allDecided}
      </p>
    </div>
  )
}

/** "Ada King saved version 4 on 29 Nov 2026, 14:05." */
function Who({ conflict: { now } }: { readonly conflict: Conflict }) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { asset_file_id: id, version } = now.record
  const loaded = useRequest(
    (signal) =>
      dataOf(
        api.GET('/asset_file/{id}/versions/{version}', {
          signal,
          params: { path: { id, version } },
        }),
      ),
    [id, version],
  )
  const number = formats.number(version)
  if (loaded.data === undefined) return <>{fill(t.editor.savedMeanwhile, { version: number })}</>
  const { owner, date_added: date } = loaded.data
  return (
    <Sentence
      text={t.editor.savedBy}
      values={{
        name: <Person name={owner ?? ''} />,
        version: number,
        time: formats.dateTime(new Date(date ?? 0)),
      }}
    />
  )
}
