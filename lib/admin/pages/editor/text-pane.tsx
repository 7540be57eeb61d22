// The text of the editor page, with a toolbar if the text is a page.

import type { MutableRef } from 'preact/hooks'
import type { FolderRecord } from '../content/records.ts'
import { CodeEditor, type CodeEditorProps } from './code-editor.tsx'
import type { Language } from './code-language.ts'
import type { CodeView } from './code-view.ts'
import type { InsertLanguage } from './inserted-address.ts'
import { useMarkupTools } from './markup-tools.tsx'

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
  const { isReadOnly } = props
  const tools = useMarkupTools({ view, text: { language, line }, isReadOnly })
  return (
    <div class="text-pane">
      {tools.toolbar()}
      <CodeEditor {...props} keys={tools.keys} onFiles={tools.onFiles} />
      {tools.dialog}
    </div>
  )
}

function insertLanguageOf(language: Language): InsertLanguage | undefined {
  return language === 'html' || language === 'stml' || language === 'markdown'
    ? language
    : undefined
}
