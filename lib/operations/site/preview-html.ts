// Rewrites the links of an HTML page for a preview. A tokenizer finds the attributes and the style sheets, and only the values
// with such a link are replaced; every other byte of the page stays the same. Scripts are not rewritten.

import { QuoteType, Tokenizer } from 'htmlparser2'
import { openTimeSlice } from '../../schema/time-slicing.ts'
import {
  moveLink,
  moveLinkList,
  moveRefresh,
  moveSourceSet,
  moveStyle,
  type MoveValue,
  type PreviewLinks,
} from './preview-links.ts'

/** The attributes with links (HTML, "Attributes"), of any element. */
const MOVES: Readonly<Record<string, MoveValue>> = {
  action: moveLink,
  background: moveLink,
  cite: moveLink,
  data: moveLink,
  formaction: moveLink,
  href: moveLink,
  imagesrcset: moveSourceSet,
  manifest: moveLink,
  ping: moveLinkList,
  poster: moveLink,
  src: moveLink,
  srcset: moveSourceSet,
  style: moveStyle,
  'xlink:href': moveLink,
}

interface Attribute {
  readonly name: string
  /** The name in the source. */
  readonly at: Span
  /** Decoded. */
  value: string
  quote: QuoteType
  /** The end of the value in the source, after its quote. */
  end: number
}

interface Span {
  readonly start: number
  readonly end: number
}

interface Edit extends Span {
  readonly text: string
}

const CHUNK = 64 * 1024

/** In time slices. The page itself, if it has too many links. */
export async function moveLinksOfPage(html: string, links: PreviewLinks): Promise<string> {
  const reader = openPageReader(html, links)
  const slice = openTimeSlice()
  for (let at = 0; at < html.length; at += CHUNK) {
    reader.write(html.slice(at, at + CHUNK))
    if (links.isTooLong()) return html
    if (slice.isOver(CHUNK)) await slice.next()
  }
  const edits = reader.end()
  return links.isTooLong() ? html : apply(html, edits)
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the callbacks share the state of one tokenizer
function openPageReader(html: string, links: PreviewLinks) {
  const edits: Edit[] = []
  let element = ''
  let attributes: Attribute[] = []
  let styleStart: number | undefined

  function endTag(end: number): void {
    const isRefresh = element === 'meta' && attributes.some(asksRefresh)
    for (const attribute of attributes) {
      const { name, at } = attribute
      // The style sheet differs from the one that was hashed.
      if (name === 'integrity' && element === 'link') edits.push({ ...at, text: 'data-integrity' })
      editValue(attribute, isRefresh && name === 'content' ? moveRefresh : MOVES[name])
    }
    attributes = []
    styleStart = element === 'style' ? end + 1 : undefined
  }

  function editValue(attribute: Attribute, move: MoveValue | undefined): void {
    const { value, quote } = attribute
    const moved = move?.(value, links) ?? value
    if (moved === value) return
    const text = moved.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    const span = valueIn(html, attribute)
    edits.push({ ...span, text: quote === QuoteType.Unquoted ? `"${text}"` : text })
  }

  function editStyle(end: number): void {
    if (styleStart === undefined) return
    const text = html.slice(styleStart, end)
    const moved = moveStyle(text, links)
    if (moved !== text) edits.push({ start: styleStart, end, text: moved })
    styleStart = undefined
  }

  function addValue(text: string): void {
    const attribute = attributes.at(-1)
    if (attribute !== undefined) attribute.value += text
  }

  const ignored = (): void => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        element = html.slice(start, end).toLowerCase()
      },
      onattribname(start, end) {
        const name = html.slice(start, end).toLowerCase()
        attributes.push({ name, at: { start, end }, value: '', quote: QuoteType.NoValue, end })
      },
      onattribdata: (start, end) => addValue(html.slice(start, end)),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend(quote, end) {
        const attribute = attributes.at(-1)
        if (attribute !== undefined) Object.assign(attribute, { quote, end })
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start) {
        // The start is that of the name.
        editStyle(start - 2)
        element = ''
      },
      onend() {
        editStyle(html.length)
      },
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      ontext: ignored,
      ontextentity: ignored,
    },
  )
  return {
    write: (chunk: string): void => tokenizer.write(chunk),
    end(): readonly Edit[] {
      tokenizer.end()
      return edits
    },
  }
}

function asksRefresh({ name, value }: Attribute): boolean {
  return name === 'http-equiv' && value.trim().toLowerCase() === 'refresh'
}

const EQUALS = /\s*=\s*/y

/** The value in the source, without its quotes. */
function valueIn(html: string, { at, quote, end }: Attribute): Span {
  EQUALS.lastIndex = at.end
  EQUALS.test(html)
  const quotes = quote === QuoteType.Unquoted ? 0 : 1
  return { start: EQUALS.lastIndex + quotes, end: end - quotes }
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
