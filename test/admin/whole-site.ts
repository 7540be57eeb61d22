// A site with all that the pages can show, for axe and for pictures.

import type { TestServer } from '../helpers/server.ts'
import { startSite } from './area.ts'
import { addDemoEntries } from './demo-entries.ts'
import { addDemoCalendar } from './demo-calendar.ts'
import { addDemoContent } from './demo-content.ts'
import { addDemoData } from './demo-data.ts'
import { fillSite } from './demo-site.ts'
import { havePeople } from './people.ts'

export async function startWholeSite(): Promise<TestServer> {
  const server = await startSite()
  // Before any other datatable, whose number would be theirs.
  await addDemoEntries(server)
  await havePeople(server)
  await fillSite(server)
  await addDemoContent(server)
  await addDemoCalendar(server)
  await addDemoData(server)
  return server
}
