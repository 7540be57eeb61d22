// The button that opens the dialog of files, for a column that refers to files.

import { useState } from 'preact/hooks'
import { useMe } from '../../../client/client-context.ts'
import { noteRecentFile } from '../../../client/recent-files.ts'
import type { References } from '../../../client/references.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { FilePicker } from '../../content/file-picker.tsx'
import { isForImages } from '../../content/picked-files.ts'

interface ChooseFilesProps {
  /** Label of the column, which is the title of the dialog. */
  readonly label: string
  readonly references: References
  /** The column has a file, which a choice replaces. */
  readonly isReplacing?: boolean
  readonly onChoose: (fileIds: readonly number[]) => void
}

export function ChooseFiles({ isReplacing, onChoose, ...props }: ChooseFilesProps) {
  const { t } = useTexts()
  const { accept, isMany } = props.references
  const [isOpen, setIsOpen] = useState(false)
  const isImage = isForImages(accept)
  const add = isImage ? t.picking.addImages : t.picking.addFiles
  const choose = isImage ? t.picking.chooseImage : t.picking.chooseFile
  return (
    <div class="choose-files">
      <Button icon={isImage ? 'image' : 'file'} onPress={() => setIsOpen(true)}>
        {isMany ? add : isReplacing === true ? t.picking.back : choose}
      </Button>
      {isOpen && (
        <ColumnFilePicker
          {...props}
          onChoose={(ids) => {
            setIsOpen(false)
            onChoose(ids)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}

interface ColumnFilePickerProps
  extends Pick<ChooseFilesProps, 'label' | 'references' | 'onChoose'> {
  readonly onClose: () => void
}

/** The dialog of files for a column. */
export function ColumnFilePicker({ label, references, onChoose, onClose }: ColumnFilePickerProps) {
  const userId = useMe()?.user.user_id ?? 0
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of a form or a cell around the dialog do not apply
    <div onKeyDown={(event) => event.stopPropagation()}>
      <FilePicker
        title={label}
        accept={references.accept}
        isMany={references.isMany}
        onChoose={(files) => {
          const ids = files.map(({ asset_file_id: id }) => id)
          for (const id of ids.toReversed()) noteRecentFile(userId, id)
          onChoose(ids)
        }}
        onClose={onClose}
      />
    </div>
  )
}
