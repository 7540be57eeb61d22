// The upload button: files, a folder, the content of a folder, and whether to publish at once.

import { useRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Menu } from '../../ui/menu.tsx'
import { chosenFiles, type FoundFile, withoutTopFolder } from './dropped-files.ts'
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
  const content = useRef<HTMLInputElement>(null)
  const { publishes, setPublishes } = uploads
  const take = (input: HTMLInputElement): readonly FoundFile[] => {
    const found = chosenFiles(input.files)
    // Allows choosing the same file again.
    input.value = ''
    return found
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
  const choose = (wanted: boolean) => ({
    isChosen: publishes === wanted,
    keepsOpen: true,
    onChoose: () => setPublishes(wanted),
  })
  const choice = [
    { text: t.upload.keepUnseen, group, ...choose(false) },
    { text: t.upload.publishAfter, ...choose(true) },
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
          {
            text: t.upload.chooseContent,
            icon: 'folder',
            onChoose: () => content.current?.click(),
          },
          ...(mayPublish ? choice : []),
        ]}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t.upload.chooseFiles}
        onChange={({ currentTarget }) => onFiles(take(currentTarget))}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t.upload.chooseFolder}
        onChange={({ currentTarget }) => onFiles(take(currentTarget))}
        {...{ webkitdirectory: true }}
      />
      <input
        ref={content}
        type="file"
        multiple
        hidden
        aria-label={t.upload.chooseContent}
        onChange={({ currentTarget }) => onFiles(withoutTopFolder(take(currentTarget)))}
        {...{ webkitdirectory: true }}
      />
    </>
  )
}
