// Datatables that refer to each other and to files, with realistic entries.

import { make, makeFile, uploadFile } from '../helpers/content.ts'
import { makeEntries, type MadeModule, makeTable } from '../helpers/modules.ts'
import type { TestServer } from '../helpers/server.ts'

export interface DemoReferences {
  readonly authors: MadeModule
  readonly posts: MadeModule
  readonly comments: MadeModule
  /** Identifiers of two pictures and a page. */
  readonly files: readonly [number, number, number]
}

const PICTURES = { 'harbour.svg': '#2b68cc', 'meadow.svg': '#15643a' }

export async function addDemoReferences(server: TestServer): Promise<DemoReferences> {
  const files: number[] = []
  for (const [fileName, color] of Object.entries(PICTURES)) {
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="${color}"/></svg>`
    files.push((await uploadFile(server, picture, { fileName })).asset_file_id)
  }
  files.push((await makeFile(server, { name: 'harbour.html' })).asset_file_id)
  const authors = await makeTable(server, 'name C(80) NOTNULL', {
    name: 'Authors',
    title_field: 'name',
  })
  const names = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing']
  const others = Array.from({ length: 40 }, (_, at) => `Author ${at + 4}`)
  await makeEntries(
    server,
    authors.url,
    [...names, ...others].map((name) => ({ name })),
  )
  const events = await make(server, 'calendar', { name: 'Readings', time_zone: 'Europe/Berlin' })
  await makeEntries(server, events.module_url, [
    { event_title: 'A reading', start_time: '2026-05-01T18:00:00Z' },
  ])
  const posts = await makeTable(
    server,
    `title C(80) NOTNULL, author I REFERENCES datatable ${authors.id} NOTNULL, ` +
      `photo FILE('image/*') ON DELETE SET NULL, related I REFERENCES SELF MANY, ` +
      `reading I REFERENCES calendar ${events.calendar_id}, gallery FILES`,
    { name: 'Posts', title_field: 'title' },
  )
  await makeEntries(server, posts.url, [
    { title: 'On engines', author: 1, photo: files[0] },
    { title: 'On compilers', author: 2, reading: 1, gallery: [files[0], files[2]] },
  ])
  await makeEntries(server, posts.url, [
    { title: 'On machines', author: 3, photo: files[1], related: [2, 1] },
    { title: 'On nothing', author: 3 },
  ])
  const comments = await makeTable(
    server,
    `text C(80), post I REFERENCES datatable ${posts.id} ON DELETE CASCADE`,
    { name: 'Comments', title_field: 'text' },
  )
  const texts = ['Well said', 'Too long', 'More of it']
  await makeEntries(
    server,
    comments.url,
    texts.map((text, at) => ({ text, post: at === 2 ? null : 1 })),
  )
  const [first = 0, second = 0, third = 0] = files
  return { authors, posts, comments, files: [first, second, third] }
}
