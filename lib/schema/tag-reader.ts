// Reads the tags and the style sheets of an HTML page with a tokenizer. Positions are those of the source, so that a caller
// can replace or mark a part of the page. Scripts are skipped.

import { QuoteType, Tokenizer } from 'htmlparser2'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface Attribute {
  /** In lower case. */
  readonly name: string
  /** The name in the source. */
  readonly at: Span
  /** Decoded. */
  readonly value: string
  readonly isUnquoted: boolean
  /** The end of the value in the source, after its quote. */
  readonly end: number
}

interface OpenAttribute extends Attribute {
  value: string
  isUnquoted: boolean
  end: number
}

export interface Tag {
  /** In lower case. */
  readonly element: string
  readonly attributes: readonly Attribute[]
}

interface TagListener {
  onTag(tag: Tag): void
  /** The text of an element style. */
  onStyle(span: Span): void
}

// oxlint-disable-next-line eslint/max-lines-per-function -- the callbacks share the state of one tokenizer
export function openTagReader(html: string, { onTag, onStyle }: TagListener) {
  let element = ''
  let attributes: OpenAttribute[] = []
  let styleStart: number | undefined

  function endTag(end: number): void {
    onTag({ element, attributes })
    attributes = []
    styleStart = element === 'style' ? end + 1 : undefined
  }

  function endStyle(end: number): void {
    if (styleStart === undefined) return
    onStyle({ start: styleStart, end })
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
        attributes.push({ name, at: { start, end }, value: '', isUnquoted: false, end })
      },
      onattribdata: (start, end) => addValue(html.slice(start, end)),
      onattribentity: (codePoint) => addValue(String.fromCodePoint(codePoint)),
      onattribend(quote, end) {
        const attribute = attributes.at(-1)
        if (attribute === undefined) return
        attribute.isUnquoted = quote === QuoteType.Unquoted
        attribute.end = end
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag(start) {
        // The start is that of the name.
        endStyle(start - 2)
        element = ''
      },
      onend() {
        endStyle(html.length)
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
    end: (): void => tokenizer.end(),
  }
}

const EQUALS = /\s*=\s*/y

/** The value in the source, without its quotes. */
export function valueIn(html: string, { at, isUnquoted, end }: Attribute): Span {
  EQUALS.lastIndex = at.end
  EQUALS.test(html)
  const quotes = isUnquoted ? 0 : 1
  return { start: EQUALS.lastIndex + quotes, end: end - quotes }
}

/** Whether the element leads to another page after a time, which its attribute content names. */
export function isRefresh({ element, attributes }: Tag): boolean {
  return element === 'meta' && attributes.some(asksRefresh)
}

function asksRefresh({ name, value }: Attribute): boolean {
  return name === 'http-equiv' && value.trim().toLowerCase() === 'refresh'
}
