// Accepts a dropped or chosen CSV file.

import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

export interface ImportChooseProps {
  readonly fault: string | undefined
  readonly onFile: (file: File) => void
}

export function ImportChoose({ fault, onFile }: ImportChooseProps) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  return (
    <>
      <p class="quiet">{t.entries.importText}</p>
      {fault !== undefined && (
        <Notice kind="danger" title={t.entries.importNothing}>
          {fault}
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button inside does the same */}
      <div
        class={isOver ? 'import-drop import-over' : 'import-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          const file = event.dataTransfer?.files[0]
          if (file !== undefined) onFile(file)
        }}
      >
        <p>{t.entries.importDrop}</p>
        <Button kind="primary" icon="upload" onPress={() => input.current?.click()}>
          {t.entries.importChoose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0]
            if (file !== undefined) onFile(file)
          }}
        />
      </div>
    </>
  )
}
