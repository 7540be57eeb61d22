// The text of the editor page, with a toolbar if the text is a page.

import type { MutableRef } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import type { FolderRecord } from '../content/records.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import type { Language } from './code-language.ts'
import type { CodeView } from './code-view.ts'
import { useGivenFiles } from './given-files.ts'
import { useInsert } from './insert-dialog.tsx'
import type { InsertLanguage } from './inserted-address.ts'
import { type Format, formatText } from './text-format.ts'
import { formatKeys, TextToolbar } from './text-toolbar.tsx'

interface TextPaneProps extends Omit<CodeEditorProps, 'onView' | 'keys'> {
  /** The folder of the text with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
  readonly view: MutableRef<CodeView | undefined>
}

export function TextPane({ line, view, ...props }: TextPaneProps) {
  const language = insertLanguageOf(props.parts.language)
  const onView = (made: CodeView | undefined): void => {
    view.current = made
  }
  if (language === undefined) return <CodeEditor {...props} onView={onView} />
  return <PagePane {...props} line={line} view={view} onView={onView} language={language} />
}

interface PagePaneProps extends TextPaneProps, Pick<CodeEditorProps, 'onView'> {
  readonly language: InsertLanguage
}

function PagePane({ line, view, language, ...props }: PagePaneProps) {
  const { t } = useTexts()
  const { insert, dialog } = useInsert(view, { language, line })
  const give = useGivenFiles(view, { language, line })

  function format(wanted: Format): void {
    if (props.isReadOnly) return
    const words = t.editor.toolbar
    const markup = language === 'stml' ? 'html' : language
    view.current?.edit((marked) => formatText(wanted, { marked, language: markup, words }))
  }

  return (
    <div class="text-pane">
      {!props.isReadOnly && <TextToolbar onFormat={format} onInsert={insert} />}
      <CodeEditor {...props} keys={formatKeys(format)} onFiles={(given) => void give(given)} />
      {dialog}
    </div>
  )
}

function insertLanguageOf(language: Language): InsertLanguage | undefined {
  return language === 'html' || language === 'stml' || language === 'markdown'
    ? language
    : undefined
}
