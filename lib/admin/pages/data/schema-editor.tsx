// Edits a schema as a column list and as text. Both views show the same draft; the text is what is sent.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ColumnList } from './column-list.tsx'
import { readSchema, type SchemaFault } from './schema-columns.ts'
import { onLines } from './schema-edit.ts'
import { SchemaTextField, type TextFault } from './schema-text-field.tsx'
import type { SchemaState } from './use-schema-draft.ts'

export interface SchemaEditorProps {
  readonly state: SchemaState
  /** Schema of the existing table; '' for a new table. */
  readonly base: string
  /** Errors that the server reported. */
  readonly faults: readonly TextFault[]
  readonly isReadOnly?: boolean
  readonly titleField?: string | null
}

export function SchemaEditor(props: SchemaEditorProps) {
  const { state, base, faults, isReadOnly = false, titleField = null } = props
  const { t } = useTexts()
  const { draft, change } = state
  const own = useTextFaults(readSchema(draft.text).faults)
  const lines = onLines(draft.text)
  const canSplit = own.length === 0 && lines !== draft.text
  return (
    <div class="schema-editor">
      <SplitView
        name="schema"
        initial={68}
        first={
          <div class="schema-list">
            {own.length > 0 && <Notice kind="info">{t.data.listWaits}</Notice>}
            <ColumnList state={state} base={base} isReadOnly={isReadOnly} titleField={titleField} />
          </div>
        }
        second={
          <div class="schema-side">
            <SchemaTextField
              text={draft.text}
              onChange={change}
              faults={own.length > 0 ? own : faults}
              isReadOnly={isReadOnly}
            />
            {canSplit && !isReadOnly && (
              <div>
                <Button kind="quiet" icon="list" onPress={() => change(lines)}>
                  {t.data.onLines}
                </Button>
              </div>
            )}
          </div>
        }
      />
    </div>
  )
}

function useTextFaults(faults: readonly SchemaFault[]): readonly TextFault[] {
  const { t } = useTexts()
  return faults.map(({ kind, word, start, end }) => ({
    start,
    end,
    text: fill(t.data.faults[kind], { word: shortened(word) }),
  }))
}

const MOST = 40

function shortened(word: string): string {
  return word.length > MOST ? `${word.slice(0, MOST)}…` : word
}
