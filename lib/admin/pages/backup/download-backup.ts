// Streams the backup to disk where the browser supports it, or else starts a browser download from a signed URL.

import type { Api } from '../../client/api.ts'
import { canStream, openSavedFile } from '../../client/save-file.ts'
import { saveFrom, ticketFor } from '../../client/ticket.ts'

export interface Download {
  readonly api: Api
  readonly signal: AbortSignal
  readonly onBytes: (count: number) => void
}

/** Returns the number of bytes, 'handed' if the browser continues, or undefined if the user canceled. */
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

/** Matches the server's file name, which arrives only after the file dialog. */
function nameOf(now: Date): string {
  return `cms-backup-${now.toISOString().replaceAll(':', '-')}.tar`
}
