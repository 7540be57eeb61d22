// The backup of the site on its way to a file: straight to the disk where the browser has a way to, else by a plain
// download of the browser, which an address that signs itself begins.

import type { Api } from '../../client/api.ts'
import { canStream, openSavedFile } from '../../client/save-file.ts'
import { saveFrom, ticketFor } from '../../client/ticket.ts'

export interface Download {
  readonly api: Api
  readonly signal: AbortSignal
  readonly onBytes: (count: number) => void
}

/** Gives how many bytes there were; handed: the browser goes on; undefined: nobody wants it any more. */
export async function downloadBackup({
  api,
  signal,
  onBytes,
}: Download): Promise<number | 'handed' | undefined> {
  if (!canStream()) {
    saveFrom(await ticketFor(api, '/api/v2/backup'), nameOf(new Date()))
    return 'handed'
  }
  const file = await openSavedFile(nameOf(new Date()), 'application/x-tar')
  if (file === undefined) return undefined
  let count = 0
  try {
    const { data } = await api.GET('/backup', { signal, parseAs: 'stream' })
    if (data === null || data === undefined) throw new Error('The answer was empty.')
    const reader = data.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await file.write(value)
      count += value.length
      onBytes(count)
    }
    await file.close()
    return count
  } catch (error) {
    await file.abort()
    throw error
  }
}

/** As the server names it, whose answer comes after the question where to. */
function nameOf(now: Date): string {
  return `cms-backup-${now.toISOString().replaceAll(':', '-')}.tar`
}
