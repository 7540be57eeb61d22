// The server's addresses as this browser sees them. They derive from the URL that the program was loaded from, so a
// path prefix of a proxy is included.

/** The site URL without a trailing slash: `https://www.example.org/cms`. */
export const SERVER = new URL('../..', import.meta.url).href.replace(/\/$/, '')

export const API = `${SERVER}/api/v2`

/** Path of the administration area: `/cms/admin`. */
export const ADMIN_PATH = `${new URL(SERVER).pathname.replace(/\/$/, '')}/admin`

/** Returns the path of a page for links: `/keys` becomes `/cms/admin/keys`. */
export function pathOf(page: string): string {
  return page === '/' ? ADMIN_PATH : `${ADMIN_PATH}${page}`
}

/** Returns the page path of a URL path; the inverse of pathOf(). */
export function pageOf(path: string): string {
  return path.slice(ADMIN_PATH.length) || '/'
}

/** A number of an address: an identifier or a version. */
export function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
