// Signed download URLs, valid for five minutes. The browser loads or saves them without a header, so that a page need
// not hold large files in memory.

import { SERVER } from './address.ts'
import { type Api, dataOf } from './api.ts'

/** Signs a path below the server: `/file/7/room.png`. */
export async function ticketFor(api: Api, path: string): Promise<string> {
  const { path: signed } = await dataOf(api.POST('/ticket', { body: { path } }))
  // The server's path prefix may differ from the prefix that this browser uses.
  const at = signed.indexOf(path)
  return new URL(at === -1 ? signed : `${SERVER}${signed.slice(at)}`, SERVER).href
}
