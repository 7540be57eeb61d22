// Determines the language of a file by type or name, and loads the editor support for it.

import type { Extension } from '@codemirror/state'
import type { FileRecord } from '../content/records.ts'
import type { openCodeView } from './code-view.ts'

export type Language = 'html' | 'stml' | 'css' | 'js' | 'json' | 'markdown' | 'xml' | 'text'

const BY_ENDING: Readonly<Record<string, Language>> = {
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  stml: 'stml',
  css: 'css',
  js: 'js',
  mjs: 'js',
  cjs: 'js',
  ts: 'js',
  jsx: 'js',
  tsx: 'js',
  json: 'json',
  webmanifest: 'json',
  geojson: 'json',
  md: 'markdown',
  markdown: 'markdown',
  xml: 'xml',
  svg: 'xml',
  rss: 'xml',
  atom: 'xml',
  txt: 'text',
}

export function languageOf({ type, name }: Pick<FileRecord, 'type' | 'name'>): Language {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1] ?? ''
  return BY_ENDING[type.toLowerCase()] ?? BY_ENDING[ending.toLowerCase()] ?? 'text'
}

/** Languages are loaded on demand. */
async function loadLanguage(
  language: Language,
  { name }: Pick<FileRecord, 'name'>,
): Promise<Extension> {
  switch (language) {
    case 'html':
    case 'stml':
      // Typed end tags are not inserted twice.
      return (await import('@codemirror/lang-html')).html({ autoCloseTags: false })
    case 'css':
      return (await import('@codemirror/lang-css')).css()
    case 'js': {
      const { javascript } = await import('@codemirror/lang-javascript')
      return javascript({ typescript: /\.tsx?$/.test(name), jsx: /\.[jt]sx$/.test(name) })
    }
    case 'json': {
      const { codeJson } = await import('./code-json.ts')
      return codeJson()
    }
    case 'markdown':
      return (await import('@codemirror/lang-markdown')).markdown()
    case 'xml':
      return (await import('@codemirror/lang-xml')).xml({ autoCloseTags: false })
    case 'text':
      return []
  }
}

/** Loads the function that converts a text for the preview; undefined to show the text as it is. */
export async function loadToPage(language: Language): Promise<CodeParts['toPage']> {
  if (language !== 'markdown') return undefined
  const { openMarkdown } = await import('./markdown-page.ts')
  return openMarkdown()
}

/** Loads the parts of the editor on demand: CodeMirror and the language. */
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
    loadToPage(language),
  ])
  return { openCodeView: open, extension, language, toPage }
}
