// Lists cell values that could not be saved.

import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type EntryField, idOf, labelOf, useFieldName } from './fields.ts'
import type { CellEdits } from './use-cell-edits.ts'

export interface UnsavedCellsProps {
  readonly edits: CellEdits
  readonly fields: readonly EntryField[]
  readonly rows: ReadonlyMap<number, Entry>
}

const MOST = 5

export function UnsavedCells({ edits, fields, rows }: UnsavedCellsProps) {
  const { t, formats } = useTexts()
  const nameOf = useFieldName()
  const waiting = [...edits.drafts].filter(
    ([key, { state }]) => state === 'waiting' && key !== edits.openKey,
  )
  if (waiting.length === 0) return null
  return (
    <Notice kind="info" title={formats.count(t.entries.unsaved, waiting.length)}>
      <p>{t.entries.unsavedText}</p>
      <ul class="unsaved-cells">
        {waiting.slice(0, MOST).map(([key, { id, name, text, fault }]) => {
          const field = fields.find((each) => each.name === name)
          const entry = [...rows.values()].find((each) => idOf(each) === id)
          const column = field === undefined ? labelOf(name) : nameOf(field)
          return (
            <li key={key}>
              <span>
                {fill(t.entries.unsavedItem, { column, id })}: <bdi>{text}</bdi>
                {fault !== undefined && <span class="field-fault">{fault}</span>}
              </span>
              <Button
                onPress={() => {
                  if (entry !== undefined && field !== undefined && fault !== undefined)
                    edits.open(entry, field)
                  else edits.save(key)
                }}
              >
                {t.general.save}
              </Button>
              <Button kind="quiet" onPress={() => edits.discard(key)}>
                {t.entries.discard}
              </Button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}
