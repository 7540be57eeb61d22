// Asks for a CSV file and imports the file into a datatable. One file field serves all buttons that start an import.

import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import type { ShownTable } from '../data/table.ts'
import { useEntryRequests } from './entry-requests.ts'
import { ImportDialog } from './import-dialog.tsx'

interface ImportFileProps {
  readonly shown: ShownTable
  readonly choose: () => void
  readonly file: File
  readonly onFile: (file: File | undefined) => void
  readonly onChange: () => void
}

/** `onChange` runs after an import. */
export function useImport(onChange: () => void) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const choose = (): void => input.current?.click()
  return {
    choose,
    view: (shown: ShownTable) => (
      <>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={t.entries.importChoose}
          hidden
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0]
            // Allows choosing the same file again.
            currentTarget.value = ''
            if (chosen !== undefined) setFile(chosen)
          }}
        />
        {file !== undefined && (
          <ImportFile {...{ shown, choose, file, onChange }} onFile={setFile} />
        )}
      </>
    ),
  }
}

function ImportFile({ shown, choose, file, onFile, onChange }: ImportFileProps) {
  const { record, grants } = shown
  return (
    <ImportDialog
      table={record}
      requests={useEntryRequests(record)}
      file={file}
      mayModify={grants.has('modify')}
      onChoose={choose}
      onFile={onFile}
      onClose={() => onFile(undefined)}
      onChange={onChange}
    />
  )
}
