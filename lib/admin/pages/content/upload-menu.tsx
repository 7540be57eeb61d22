// The upload button: files, a folder, and whether to publish at once.

import { useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useActions } from '../../ui/actions.tsx'
import { Menu } from '../../ui/menu.tsx'
import { chosenFiles, type FoundFile } from './dropped-files.ts'
import type { Uploads } from './use-uploads.tsx'

export interface UploadMenuProps {
  readonly uploads: Uploads
  readonly mayPublish: boolean
  readonly onFiles: (found: readonly FoundFile[]) => void
}

export function UploadMenu({ uploads, mayPublish, onFiles }: UploadMenuProps) {
  const { t } = useTexts()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const { publishes, setPublishes } = uploads
  const take = (event: { readonly currentTarget: HTMLInputElement }): void => {
    onFiles(chosenFiles(event.currentTarget.files))
    // Allows choosing the same file again.
    event.currentTarget.value = ''
  }

  useActions([
    {
      id: 'upload',
      text: t.acts.upload,
      icon: 'upload',
      run: () => files.current?.click(),
    },
  ])
  const group = t.upload.afterwards
  const choice = [
    { text: t.upload.keepUnseen, isChosen: !publishes, onChoose: () => setPublishes(false), group },
    { text: t.upload.publishAfter, isChosen: publishes, onChoose: () => setPublishes(true) },
  ]
  return (
    <>
      <Menu
        button={{
          class: 'button button-primary',
          icon: 'upload',
          content: <span>{t.upload.upload}</span>,
        }}
        items={[
          { text: t.upload.chooseFiles, icon: 'file', onChoose: () => files.current?.click() },
          { text: t.upload.chooseFolder, icon: 'folder', onChoose: () => folder.current?.click() },
          ...(mayPublish ? choice : []),
        ]}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t.upload.chooseFiles}
        onChange={take}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t.upload.chooseFolder}
        onChange={take}
        {...{ webkitdirectory: true }}
      />
    </>
  )
}
