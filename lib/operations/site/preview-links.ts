// Links of a staged page that would leave its preview: a path that begins at the root of the site, and an address with the
// host of the site. They get the prefix of the preview; every other link stays as it is.

import { LIMITS } from '../../config/limits.ts'
import type { LinkMover } from '../../schema/link-values.ts'

export interface PreviewLinks extends LinkMover {
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
