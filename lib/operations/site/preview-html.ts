// Rewrites the links of an HTML page for a preview. A tokenizer finds the attributes and the style sheets, and only the values
// with such a link are replaced; every other byte of the page stays the same. Scripts are not rewritten.

import {
  LINK_ATTRIBUTES,
  moveRefresh,
  moveStyle,
  type MoveValue,
} from '../../schema/link-values.ts'
import {
  type Attribute,
  isRefresh,
  openTagReader,
  type Span,
  type Tag,
  valueIn,
} from '../../schema/tag-reader.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import type { PreviewLinks } from './preview-links.ts'

interface Edit extends Span {
  readonly text: string
}

const CHUNK = 64 * 1024

/** In time slices. The page itself, if it has too many links. */
export async function moveLinksOfPage(html: string, links: PreviewLinks): Promise<string> {
  const edits: Edit[] = []
  const reader = openTagReader(html, {
    onTag: (tag) => void edits.push(...editsOfTag(html, tag, links)),
    onStyle: (span) => void edits.push(...editsOfStyle(html, span, links)),
  })
  const slice = openTimeSlice()
  for (let at = 0; at < html.length; at += CHUNK) {
    reader.write(html.slice(at, at + CHUNK))
    if (links.isTooLong()) return html
    if (slice.isOver(CHUNK)) await slice.next()
  }
  reader.end()
  return links.isTooLong() ? html : apply(html, edits)
}

function editsOfTag(html: string, tag: Tag, links: PreviewLinks): readonly Edit[] {
  const isMoving = isRefresh(tag)
  return tag.attributes.flatMap((attribute) => {
    const { name, at } = attribute
    const move = isMoving && name === 'content' ? moveRefresh : LINK_ATTRIBUTES.get(name)
    const moved = editsOfValue(html, attribute, { move, links })
    // The style sheet differs from the one that was hashed.
    const isHash = name === 'integrity' && tag.element === 'link'
    return isHash ? [{ ...at, text: 'data-integrity' }, ...moved] : moved
  })
}

interface Moving {
  readonly move: MoveValue | undefined
  readonly links: PreviewLinks
}

function editsOfValue(
  html: string,
  attribute: Attribute,
  { move, links }: Moving,
): readonly Edit[] {
  const { value, isUnquoted } = attribute
  const moved = move?.(value, links) ?? value
  if (moved === value) return []
  const text = moved.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
  return [{ ...valueIn(html, attribute), text: isUnquoted ? `"${text}"` : text }]
}

function editsOfStyle(html: string, { start, end }: Span, links: PreviewLinks): readonly Edit[] {
  const text = html.slice(start, end)
  const moved = moveStyle(text, links)
  return moved === text ? [] : [{ start, end, text: moved }]
}

function apply(html: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let last = 0
  for (const { start, end, text } of edits) {
    parts.push(html.slice(last, start), text)
    last = end
  }
  return parts.join('') + html.slice(last)
}
