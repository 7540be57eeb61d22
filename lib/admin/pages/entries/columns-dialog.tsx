// Chooses the visible columns and their widths.

import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { EntryField } from './fields.ts'
import { isShown, LEAST_WIDTH, MOST_WIDTH, type useLayout, widthOf } from './grid-columns.ts'
import { useFieldName } from './use-field-name.ts'

export interface ColumnsDialogProps {
  readonly fields: readonly EntryField[]
  readonly columns: ReturnType<typeof useLayout>
  readonly onClose: () => void
}

const STEP = 20

export function ColumnsDialog({ fields, columns, onClose }: ColumnsDialogProps) {
  const { t } = useTexts()
  const nameOf = useFieldName()
  const { layout, setWidth, setShown, reset } = columns
  return (
    <Dialog title={t.entries.columns} onClose={onClose}>
      <p class="quiet">{t.entries.columnsText}</p>
      <ul class="entries-columns">
        {fields.map((field, at) => (
          <li key={field.name}>
            {at === 0 ? (
              <strong>
                <bdi>{nameOf(field)}</bdi>
              </strong>
            ) : (
              <Checkbox
                name={field.name}
                label={nameOf(field)}
                value={isShown(layout, field)}
                onChange={(shows) => setShown(field.name, shows)}
              />
            )}
            <input
              type="number"
              class="input"
              min={LEAST_WIDTH}
              max={MOST_WIDTH}
              step={STEP}
              aria-label={fill(t.entries.width, { column: nameOf(field) })}
              value={widthOf(layout, field)}
              onChange={({ currentTarget }) =>
                setWidth(field.name, currentTarget.valueAsNumber || 0)
              }
            />
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <Button kind="quiet" onPress={reset}>
          {t.entries.resetColumns}
        </Button>
        <Button kind="primary" onPress={onClose}>
          {t.general.close}
        </Button>
      </div>
    </Dialog>
  )
}
