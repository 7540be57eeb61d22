// The editor of a cell that refers to one file: the dialog of files. A choice saves the cell.

import { useState } from 'preact/hooks'
import { idsIn, type References } from '../../../client/references.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { titleOf, useReferenced, useReferenceTarget } from '../use-referenced.ts'
import { ColumnFilePicker } from './choose-files.tsx'

interface FileCellProps {
  readonly references: References
  readonly text: string
  readonly label: string
  readonly isInvalid: boolean
  readonly describedBy: string | undefined
  /** Saves the cell. */
  readonly onChoose: (text: string) => void
  readonly onClose: () => void
}

export function FileCell(props: FileCellProps) {
  const { references, text, label, isInvalid, describedBy, onChoose, onClose } = props
  const { t } = useTexts()
  // After an error, the person reads why before choosing again.
  const [isOpen, setIsOpen] = useState(!isInvalid)
  const target = useReferenceTarget(references)
  const [id] = idsIn(text) ?? []
  const record = useReferenced(target, id === undefined ? [] : [id]).get(id ?? 0)
  return (
    <>
      <button
        type="button"
        class="cell-button"
        aria-label={label}
        aria-describedby={describedBy}
        onClick={() => setIsOpen(true)}
      >
        <bdi>{id === undefined ? t.picking.chooseFile : titleOf(record, id)}</bdi>
      </button>
      {isOpen && (
        <ColumnFilePicker
          label={label}
          references={references}
          onChoose={([chosen]) => onChoose(String(chosen ?? ''))}
          onClose={onClose}
        />
      )}
    </>
  )
}
