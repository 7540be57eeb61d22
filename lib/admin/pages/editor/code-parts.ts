// Loads the parts of the editor on demand: CodeMirror and the language.

import type { Extension } from '@codemirror/state'
import type { FileRecord } from '../content/records.ts'
import { type Language, languageOf, loadLanguage } from './code-language.ts'
import type { openCodeView } from './code-view.ts'

export interface CodeParts {
  readonly openCodeView: typeof openCodeView
  readonly extension: Extension
  readonly language: Language
  /** Converts the text for the preview; undefined to show the text as it is. */
  readonly toPage: ((text: string) => string) | undefined
}

export async function loadCodeParts(file: Pick<FileRecord, 'type' | 'name'>): Promise<CodeParts> {
  const language = languageOf(file)
  const [{ openCodeView: open }, extension, toPage] = await Promise.all([
    import('./code-view.ts'),
    loadLanguage(language, file),
    language === 'markdown'
      ? import('./markdown-page.ts').then(({ openMarkdown }) => openMarkdown())
      : undefined,
  ])
  return { openCodeView: open, extension, language, toPage }
}
