// Where the server is for this browser. The program knows from where it was loaded, so whatever path a proxy has put in
// front is there, too.

/** Without a slash at its end: `https://www.example.org/cms`. */
export const SERVER = new URL('../..', import.meta.url).href.replace(/\/$/, '')

/** Of the interface. */
export const API = `${SERVER}/api/v2`

/** Path of the administration area: `/cms/admin`. */
export const ADMIN_PATH = `${new URL(SERVER).pathname.replace(/\/$/, '')}/admin`

/** The path of a page, for links: of `/keys` it is `/cms/admin/keys`. */
export function pathOf(page: string): string {
  return page === '/' ? ADMIN_PATH : `${ADMIN_PATH}${page}`
}

/** What of an address is that of a page: the other way round. */
export function pageOf(path: string): string {
  return path.slice(ADMIN_PATH.length) || '/'
}
