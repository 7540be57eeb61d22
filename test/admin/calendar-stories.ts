// Common code of the calendar stories: calendars on a server, and dragging with the mouse.

import assert from 'node:assert/strict'
import type { Browser, Locator, Page } from 'playwright-core'
import { make } from '../helpers/content.ts'
import type { TestServer } from '../helpers/server.ts'
import { type Visit, visit, type VisitOptions } from './area.ts'

/** In March 2026. Daylight saving time begins in Berlin on the 29th. */
export const BOARD = {
  event_title: 'Board',
  start_time: '2026-03-18T09:00:00+01:00',
  end_time: '2026-03-18T10:00:00+01:00',
}

export const WEEKLY = {
  event_title: 'Meeting',
  start_time: '2026-03-16T09:00:00+01:00',
  end_time: '2026-03-16T10:00:00+01:00',
  rrule: 'FREQ=WEEKLY;COUNT=4',
}

const DRAWN_MS = 10_000

export interface Stories {
  /** Creates a calendar with entries in the format of the server. */
  readonly haveCalendar: (entries?: readonly object[], more?: object) => Promise<any>
  readonly open: (calendar: any, query: string, options?: Partial<VisitOptions>) => Promise<Visit>
  /** Starts of all occurrences in March and April, as the server expands them. */
  readonly startsOf: (calendar: any) => Promise<readonly string[]>
}

export function openStories(server: TestServer, browser: Browser): Stories {
  let count = 0
  return {
    async haveCalendar(entries = [], more = {}) {
      count += 1
      const calendar = await make(server, 'calendar', {
        name: `Calendar ${count}`,
        parent_category_id: 1,
        time_zone: 'Europe/Berlin',
        ...more,
      })
      if (entries.length === 0) return calendar
      const { status, text } = await server.call('POST', calendar.module_url, { json: entries })
      assert.equal(status, 201, text)
      return calendar
    },
    async open(calendar, query, options = {}) {
      const visited = await visit(browser, { url: server.url, user: 'admin', ...options })
      const { page } = visited
      await page.goto(`${server.url}/admin/calendars/${calendar.calendar_id}?${query}`)
      await page.getByRole('heading', { level: 1, name: calendar.name }).waitFor()
      return visited
    },
    async startsOf(calendar) {
      const path = `${calendar.module_url}?from=2026-03-01&to=2026-05-01&expand=true`
      const { body } = await server.call('GET', path)
      return body.calendar_entry.map((each: any) => `${each.event_title} ${each.start_time}`)
    },
  }
}

export async function entriesOf(server: TestServer, calendar: any): Promise<readonly any[]> {
  const { body } = await server.call('GET', `${calendar.module_url}?orderStr=start_time`)
  return body.calendar_entry
}

export interface Spot {
  readonly x: number
  readonly y: number
}

/** Grabs the element near its upper left corner and drops it at the target. */
export async function drag(page: Page, from: Locator, to: Spot): Promise<void> {
  const box = await boxOf(from)
  await page.mouse.move(box.x + 20, box.y + 6)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 6 })
  await page.mouse.up()
}

export async function center(locator: Locator): Promise<Spot> {
  const box = await boxOf(locator)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** The bounding box of an element. An element that is being redrawn has no box for a moment. */
export async function boxOf(locator: Locator): Promise<Spot & { width: number; height: number }> {
  for (const until = Date.now() + DRAWN_MS; Date.now() < until; ) {
    const box = await locator.boundingBox()
    if (box !== null) return box
  }
  throw new Error('what should be on the page has no place there')
}
