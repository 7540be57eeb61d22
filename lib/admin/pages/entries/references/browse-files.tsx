// The button that opens the dialog of files, for a column that refers to files.

import { useState } from 'preact/hooks'
import { useMe } from '../../../client/client-context.ts'
import { noteRecentFile } from '../../../client/recent-files.ts'
import type { References } from '../../../client/references.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { FilePicker } from '../../content/file-picker.tsx'

interface BrowseFilesProps {
  /** Label of the column, which is the title of the dialog. */
  readonly label: string
  /** Media types that the column accepts; null for all. */
  readonly accept: References['accept']
  readonly onChoose: (fileId: number) => void
}

export function BrowseFiles({ label, accept, onChoose }: BrowseFilesProps) {
  const { t } = useTexts()
  const userId = useMe()?.user.user_id ?? 0
  const isForPictures = accept?.every((type) => type.startsWith('image/')) === true
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div class="browse-files">
      <Button icon="folder" onPress={() => setIsOpen(true)}>
        {t.picking.browse}
      </Button>
      {isOpen && (
        <FilePicker
          title={label}
          kind={isForPictures ? 'image' : 'any'}
          onChoose={({ asset_file_id: id }) => {
            setIsOpen(false)
            noteRecentFile(userId, id)
            onChoose(id)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}
