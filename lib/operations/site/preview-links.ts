// Links of a staged page that would leave its preview: a path that begins at the root of the site, and an address with the
// host of the site. They get the prefix of the preview; every other link stays as it is.

import { LIMITS } from '../../config/limits.ts'

export interface PreviewLinks {
  /** The link inside the preview; undefined if the link stays as it is. */
  move(link: string): string | undefined
  /** Whether the links of this page are too many to rewrite. */
  isTooLong(): boolean
}

interface PreviewLinksOptions {
  /** The path of the preview, without a slash at the end. */
  readonly prefix: string
  /** The host of the site. */
  readonly host: string
}

/** Opened for one page, because the sum of its links is bounded. */
export function openPreviewLinks({ prefix, host }: PreviewLinksOptions): PreviewLinks {
  let addedBytes = 0
  const isTooLong = (): boolean => addedBytes > LIMITS.previewLinkBytes
  return {
    isTooLong,
    move(link) {
      const path = isTooLong() ? undefined : pathOnSite(link, host)
      if (path === undefined) return undefined
      addedBytes += prefix.length
      return prefix + path
    },
  }
}

/** The path with query and fragment, if the link begins at the root of the site. Browsers read a backslash as a slash. */
function pathOnSite(link: string, host: string): string | undefined {
  // oxlint-disable-next-line eslint/no-control-regex -- browsers remove these characters (URL Standard, 4.4)
  const trimmed = link.replace(/^[\0-\u0020]+/, '')
  const [, authority, rest = ''] = /^(?:https?:)?[\\/]{2}([^\\/?#]*)([^]*)$/i.exec(trimmed) ?? []
  if (authority === undefined) return /^[\\/]/.test(trimmed) ? `/${trimmed.slice(1)}` : undefined
  if (authority.toLowerCase().replace(/:(?:80|443)$/, '') !== host) return undefined
  return /^[\\/]/.test(rest) ? `/${rest.slice(1)}` : `/${rest}`
}

/** Each function returns the value with the links inside the preview. */
export type MoveValue = (value: string, links: PreviewLinks) => string

export const moveLink: MoveValue = (value, links) => links.move(value) ?? value

/** Addresses separated by spaces. */
export const moveLinkList: MoveValue = (value, links) =>
  value.replaceAll(/\S+/g, (link) => moveLink(link, links))

/** The candidates of srcset: an address, spaces, a descriptor, a comma (HTML, 4.8.4.2.1). */
export const moveSourceSet: MoveValue = (value, links) => {
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

/**
 * Comments, the address of url(…) or @import, and other strings. Every alternative also matches without its end, so that no
 * text is searched twice.
 */
const STYLE_PARTS =
  /\/\*[^]*?(?:\*\/|$)|(url\(\s*|@import\s*(?=["']))("(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|[^)'"\s]*)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/gi

/** For style sheets and for the attribute style. */
export const moveStyle: MoveValue = (value, links) =>
  value.replaceAll(STYLE_PARTS, (whole: string, start?: string, link: string = '') => {
    if (start === undefined) return whole
    const quote = /^["']/.exec(link)?.[0] ?? ''
    return start + quote + moveLink(link.slice(quote.length), links)
  })
