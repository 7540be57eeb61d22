// Marks addresses that lead nowhere while the user types, and lists them before the text is published.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import type { Texts } from '../../texts/translation.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import type { FileRecord } from '../content/records.ts'
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

type DeadLink = Awaited<ReturnType<typeof findDeadLinks>>[number]

export function deadLinkText({ address, reason }: DeadLink, t: Texts): string {
  const [, id] = /^asset_file:(\d+)$/.exec(address) ?? []
  const name = id === undefined ? address : fill(t.editor.links.file, { id })
  return fill(t.editor.links[reason], { address: name })
}

/** Addresses in the question. */
const MOST_LISTED = 8

/** Asks before a text with such addresses is published; true if it may be. */
export function useLinkQuestion(language: Language) {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  return async (text: string, { parent_category_id: folderId }: FileRecord): Promise<boolean> => {
    // If the check does not respond, the save reports what is wrong.
    const links = await findDeadLinks(api, { language, folderId, text }).catch(() => [])
    const lines = [...new Set(links.map((link) => deadLinkText(link, t)))]
    if (lines.length === 0) return true
    const more = lines.length - MOST_LISTED
    return confirm({
      title: t.editor.wants.publish,
      text: (
        <>
          <p>{formats.count(t.editor.links.found, lines.length)}</p>
          <ul class="dead-links">
            {lines.slice(0, MOST_LISTED).map((line) => (
              <li key={line}>
                <bdi>{line}</bdi>
              </li>
            ))}
            {more > 0 && <li>{formats.count(t.editor.links.more, more)}</li>}
          </ul>
        </>
      ),
      action: t.editor.links.anyway,
    })
  }
}
