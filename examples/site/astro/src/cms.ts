// Reads the public content of cms-server, without a key. `npm run types` writes the types of the tables.

import type { Events, Pages, PressReleases } from './types.ts'

const SERVER = import.meta.env.CMS_URL ?? 'http://127.0.0.1:8080'
// The addresses that seed.sh prints.
export const FILES = `${SERVER}/file/13/`
const MODULES = `${SERVER}/api/v2/module`
export const FEED = `${MODULES}/calendar/1/events.ics`
/** The time zone of the calendar. */
const TIME_ZONE = 'Europe/Berlin'
const DAYS_SHOWN = 35

export async function readPages(): Promise<readonly Pages[]> {
  return (await read<{ datatable_entry: Pages[] }>('/datatable/1/pages')).datatable_entry
}

export async function readReleases(): Promise<readonly PressReleases[]> {
  const query = { orderStr: 'published', orderDir: 'DESC', length: '10' }
  const path = '/datatable/2/press-releases'
  return (await read<{ datatable_entry: PressReleases[] }>(path, query)).datatable_entry
}

/** Each occurrence of the events, from now on. */
export async function readEvents(): Promise<readonly Events[]> {
  const now = Date.now()
  const period = {
    from: new Date(now).toISOString(),
    to: new Date(now + DAYS_SHOWN * 86_400_000).toISOString(),
  }
  const path = '/calendar/1/events'
  return (await read<{ calendar_entry: Events[] }>(path, { ...period, expand: 'true' }))
    .calendar_entry
}

/** A live page of the public folder. Its pictures are relative to the folder. */
export async function readPage(file: string): Promise<string> {
  const response = await fetch(FILES + encodeURIComponent(file))
  if (!response.ok) throw new Error(`${response.url} is answered ${response.status}.`)
  const html = await response.text()
  return html.replaceAll(/(<img\b[^>]*? src=")(?![\w+.-]+:|\/)/g, `$1${FILES}`)
}

export function dayOf(time: string, timeZone = TIME_ZONE): string {
  return new Date(time).toLocaleDateString('en-GB', { timeZone, dateStyle: 'full' })
}

export function hourOf(time: string): string {
  const hour = { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit' } as const
  return new Date(time).toLocaleTimeString('en-GB', hour)
}

async function read<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  const response = await fetch(`${MODULES}${path}?${new URLSearchParams(query)}`)
  if (!response.ok) throw new Error(await response.text())
  // The server writes the types, so they match its responses.
  return (await response.json()) as T
}
