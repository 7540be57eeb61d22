// The backup of the site on its way to a file: straight to the disk where the browser has a way to, else by a plain
// download of the browser, which an address that signs itself begins.

import type { Api } from '../../client/api.ts'
import { openSavedFile } from '../../client/save-file.ts'

export interface Download {
  readonly api: Api
  readonly signal: AbortSignal
  readonly onBytes: (count: number) => void
}

/** Gives how many bytes there were; undefined: nobody wants it any more. */
export async function downloadBackup({
  api,
  signal,
  onBytes,
}: Download): Promise<number | undefined> {
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
