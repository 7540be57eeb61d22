// Pictures and links that are inserted into a text, as edits of the text.

import type { InsertLanguage } from './inserted-address.ts'
import { type MarkedText, replaced, selected, type TextEdit, trimmed } from './text-format.ts'

export interface InsertedImage {
  readonly address: string
  /** Empty for a decoration. */
  readonly alt: string
  /** In pixels; null for a picture without a size of its own. */
  readonly width: number | null
  readonly height: number | null
}

/** Inserts the picture after the selection. The alternative text is selected. */
export function insertImage(
  { text, to }: MarkedText,
  language: InsertLanguage,
  { address, alt, width, height }: InsertedImage,
): TextEdit {
  const place = { text, from: to, to }
  if (language === 'markdown') return replaced(place, ['![', escapeMarkdown(alt), `](${address})`])
  const size = width === null || height === null ? '' : ` width="${width}" height="${height}"`
  const end = language === 'stml' ? ' />' : '>'
  return replaced(place, [
    `<img src="${escapeHtml(address)}" alt="`,
    escapeHtml(alt),
    `"${size}${end}`,
  ])
}

export interface InsertedLink {
  readonly address: string
  /** The text of the link if nothing is selected. */
  readonly text: string
}

/** Makes a link of the selection. The text of the link is selected. */
export function insertLink(
  marked: MarkedText,
  language: InsertLanguage,
  { address, text }: InsertedLink,
): TextEdit {
  const inner = trimmed(marked)
  const chosen = selected(inner)
  if (language === 'markdown')
    return replaced(inner, ['[', chosen || escapeMarkdown(text), `](${address})`])
  return replaced(inner, [`<a href="${escapeHtml(address)}">`, chosen || escapeHtml(text), '</a>'])
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\[\]]/g, String.raw`\$&`)
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
