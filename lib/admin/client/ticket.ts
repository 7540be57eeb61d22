// Addresses of downloads that sign themselves, for five minutes: for what a browser loads or saves by itself, which
// sends no header. So nothing large is gathered in the memory of a page.

import { SERVER } from './address.ts'
import { type Api, dataOf } from './api.ts'

/** Of a path below the server, as it stands in an address: `/file/7/room.png`. */
export async function ticketFor(api: Api, path: string): Promise<string> {
  const { path: signed } = await dataOf(api.POST('/ticket', { body: { path } }))
  // The server may know another path in front than this browser goes by.
  const at = signed.indexOf(path)
  return new URL(at === -1 ? signed : `${SERVER}${signed.slice(at)}`, SERVER).href
}

/** The browser saves what is at an address of this server, and shows how far it is. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
