// Finds the addresses in a text that lead nowhere: they are marked while somebody types, and listed before a publish.

import { type Api, dataOf } from '../../client/api.ts'
import type { Language } from './code-language.ts'

/** The type of the text for the server; undefined for languages whose addresses are not checked. */
const TYPES: Readonly<Partial<Record<Language, string>>> = {
  html: 'html',
  stml: 'stml',
  css: 'css',
  markdown: 'md',
}

export function hasAddresses(language: Language): boolean {
  return TYPES[language] !== undefined
}

interface CheckedText {
  readonly language: Language
  readonly folderId: number
  readonly text: string
}

export async function findDeadLinks(
  api: Api,
  { language, folderId, text }: CheckedText,
  signal?: AbortSignal,
) {
  const type = TYPES[language]
  if (type === undefined) return []
  const body = { pageContent: text, type, parent_category_id: folderId }
  const found = await dataOf(api.POST('/links/check', { ...(signal && { signal }), body }))
  return found.links
}
