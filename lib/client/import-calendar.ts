// Imports an iCalendar file into a calendar. The server reads the file and finds events by their UID, so a repeated request
// changes nothing more.

import { readFile } from 'node:fs/promises'
import { openApi } from './api.ts'
import { ClientError, reasonOf } from './client-error.ts'
import { parseModuleAddress } from './module-info.ts'

export interface ImportCalendarOptions {
  readonly source: string
  /** The address of the calendar, or its path on the server at `url`. */
  readonly module: string
  readonly url: string
  readonly key: string
  /** Changes nothing, and returns what the import would change. */
  readonly isDryRun: boolean
  readonly signal: AbortSignal
}

export interface ImportCalendarSummary {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused_count: number
  /** The first refused events. */
  readonly refused: readonly {
    readonly line: number
    readonly property: string | null
    readonly title: string | null
    readonly detail: string
  }[]
  readonly ignored: readonly { readonly name: string; readonly count: number }[]
  readonly dry_run: boolean
}

export async function importCalendar(
  options: ImportCalendarOptions,
): Promise<ImportCalendarSummary> {
  const { source, key, isDryRun, signal } = options
  const { url, kind, path } = parseModuleAddress(options.module, options.url)
  if (kind !== 'calendar')
    throw new ClientError('bad-url', 'An .ics file is imported into a calendar: give its address.')
  const body = await readFile(source).catch((error: unknown) => {
    throw new ClientError('unreadable', `${source} cannot be read: ${reasonOf(error)}`)
  })
  const api = openApi({ url, key, concurrency: 1, signal })
  try {
    const found = await api.retrying(() =>
      api.sendJson({
        method: 'POST',
        path: `${path}.ics?dry_run=${String(isDryRun)}`,
        headers: { 'content-type': 'text/calendar' },
        body,
      }),
    )
    return found as unknown as ImportCalendarSummary
  } finally {
    await api.close()
  }
}
