// A site with data for all pages, for axe and for screenshots.

import type { TestServer } from '../helpers/server.ts'
import { startSite } from './area.ts'
import { addDemoEntries } from './demo-entries.ts'
import { addDemoCalendar } from './demo-calendar.ts'
import { addDemoContent } from './demo-content.ts'
import { addDemoData } from './demo-data.ts'
import { addDialogSite } from './dialogs-shown.ts'
import { fillSite } from './demo-site.ts'
import { havePeople } from './people.ts'

export async function startWholeSite(): Promise<TestServer> {
  const server = await startSite()
  // The demo entries need the identifier of the first datatable.
  await addDemoEntries(server)
  await havePeople(server)
  await fillSite(server)
  await addDemoContent(server)
  await addDemoCalendar(server)
  await addDemoData(server)
  await addDialogSite(server)
  return server
}
