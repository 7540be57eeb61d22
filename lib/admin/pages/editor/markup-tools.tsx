// The tools around the editor of a text in Markdown, HTML or STML: the toolbar, its shortcuts, the dialogs that insert
// pictures and links, and the upload of pasted and dropped files.

import type { ComponentChildren } from 'preact'
import type { MutableRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import type { UploadFolder } from '../content/upload-folder.tsx'
import type { CodeView } from './code-view.ts'
import { useGivenFiles } from './given-files.ts'
import { useInsert } from './insert-dialog.tsx'
import type { TextPlace } from './inserted-address.ts'
import { type Format, formatText } from './text-format.ts'
import type { GivenFiles } from './text-places.ts'
import { formatKeys, TextToolbar } from './text-toolbar.tsx'

interface MarkupToolsOptions {
  readonly view: MutableRef<CodeView | undefined>
  readonly text: Omit<TextPlace, 'sites'>
  readonly isReadOnly: boolean
  /** For a text outside of folders. */
  readonly uploads?: UploadFolder
}

/** The caller renders `dialog`. */
export function useMarkupTools({ view, text, isReadOnly, uploads }: MarkupToolsOptions) {
  const { t } = useTexts()
  const { insert, dialog } = useInsert(view, text)
  const give = useGivenFiles(view, { text, uploads })

  function format(wanted: Format): void {
    if (isReadOnly) return
    const { toolbar: words } = t.editor
    const language = text.language === 'stml' ? 'html' : text.language
    view.current?.edit((marked) => formatText(wanted, { marked, language, words }))
  }

  return {
    keys: formatKeys(format),
    onFiles: (given: GivenFiles): void => void give(given),
    toolbar: (children?: ComponentChildren) =>
      isReadOnly ? null : (
        <TextToolbar onFormat={format} onInsert={insert}>
          {children}
        </TextToolbar>
      ),
    dialog,
  }
}
