// The links in values of HTML attributes and in style sheets. Each function finds the links of one kind of value.

export interface LinkMover {
  /** The address that replaces the link; undefined if the link stays as it is. */
  move(link: string): string | undefined
}

/** Returns the value with its links moved; each link is moved once, in the order of the value. */
export type MoveValue = (value: string, links: LinkMover) => string

const moveLink: MoveValue = (value, links) => links.move(value) ?? value

/** Addresses separated by spaces. */
const moveLinkList: MoveValue = (value, links) =>
  value.replaceAll(/\S+/g, (link) => moveLink(link, links))

/** The candidates of srcset: an address, spaces, a descriptor, a comma (HTML, 4.8.4.2.1). */
const moveSourceSet: MoveValue = (value, links) => {
  let isAddress = true
  return value
    .split(/(\s+)/)
    .map((part) => {
      if (part.trim() === '') return part
      // A descriptor may end with a comma that the next address follows without a space.
      const start = isAddress ? 0 : part.lastIndexOf(',') + 1
      if (!isAddress && start === 0) return part
      isAddress = part.endsWith(',')
      return part.slice(0, start) + moveLink(part.slice(start), links)
    })
    .join('')
}

/** The content of <meta http-equiv="refresh">: seconds, then an address. */
export const moveRefresh: MoveValue = (value, links) => {
  const [, start, link = ''] =
    /^(\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?["']?)([^]*)$/i.exec(value) ?? []
  return start === undefined ? value : start + moveLink(link, links)
}

const QUOTED = String.raw`"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?`
const COMMENT = String.raw`\/\*[^]*?(?:\*\/|$)`

/** The start and the address of url(…). */
const URL_PART = String.raw`(url\(\s*)(${QUOTED}|[^)'"\s]*)`
const IN_PARENTHESES = String.raw`\((?:${QUOTED}|[^"'()]){0,4000}\)?`

/**
 * Comments, image-set(…), the address of url(…) or @import, and other strings. Every alternative also matches without its end, so
 * that no text is searched twice. Sets of more parts are not read.
 */
const STYLE_PARTS = new RegExp(
  String.raw`${COMMENT}|(image-set\((?:${COMMENT}|${QUOTED}|${IN_PARENTHESES}|[^"'();{}]){0,1000})|` +
    String.raw`${URL_PART}|(@import\s*)(${QUOTED})|${QUOTED}`,
  'gi',
)
/** In image-set(…), a string is an address unless it is in type(…). */
const SET_PARTS = new RegExp(
  String.raw`${COMMENT}|type\(\s*(?:${QUOTED})|${URL_PART}|()(${QUOTED})`,
  'gi',
)

/** For style sheets and for the attribute style. */
export const moveStyle: MoveValue = (value, links) =>
  value.replaceAll(STYLE_PARTS, (whole: string, set: string | undefined, ...parts: unknown[]) =>
    set === undefined
      ? movePart(whole, parts, links)
      : set.replaceAll(SET_PARTS, (part: string, ...inner: unknown[]) =>
          movePart(part, inner, links),
        ),
  )

/** `parts`: the start and the address of url(…), and of a string that is an address without it. */
function movePart(whole: string, parts: readonly unknown[], links: LinkMover): string {
  const [ofUrl, inUrl, ofString, inString] = parts
  const start = ofUrl ?? ofString
  const link = inUrl ?? inString
  if (typeof start !== 'string' || typeof link !== 'string') return whole
  const quote = /^["']/.exec(link)?.[0] ?? ''
  return start + quote + moveLink(link.slice(quote.length), links)
}

/** The attributes with links (HTML, "Attributes"), of any element. A map, because a page may name any attribute. */
export const LINK_ATTRIBUTES: ReadonlyMap<string, MoveValue> = new Map([
  ['action', moveLink],
  ['background', moveLink],
  ['cite', moveLink],
  ['data', moveLink],
  ['formaction', moveLink],
  ['href', moveLink],
  ['imagesrcset', moveSourceSet],
  ['manifest', moveLink],
  ['ping', moveLinkList],
  ['poster', moveLink],
  ['src', moveLink],
  ['srcset', moveSourceSet],
  ['style', moveStyle],
  ['xlink:href', moveLink],
])
