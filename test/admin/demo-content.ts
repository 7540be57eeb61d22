// A realistic site: folders, pages in all states, images, and a few files of other types.

import type { TestServer } from '../helpers/server.ts'

const COLORS = ['#1a56b0', '#15643a', '#b3261e', '#7a4b00'] as const

function drawing(color: string, at: number): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><rect width="400" height="300" fill="${color}"/>` +
    `<circle cx="${120 + at * 40}" cy="110" r="60" fill="#fff" opacity=".85"/>` +
    '<path d="M0 300 120 170l70 70 90-110 120 170z" fill="#fff" opacity=".35"/></svg>'
  )
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <title>Spring exhibition</title>
  <link rel="stylesheet" href="site.css">
</head>
<body>
  <h1>Spring exhibition</h1>
  <p>Open every day from ten to six.</p>
  <p>Entry is free on the first Sunday of the month.</p>
</body>
</html>
`

const MARKDOWN = `# Programme in spring

| Day | What | Where |
| --- | ---- | ----- |
| 3 March | Guided tour | Foyer |
| 21 March | **Night of museums** | everywhere |

1. Come early: *doors open at six*.
2. Read [how to find us](contact.html).

> Entry is free on the first Sunday of the month.
`

/** Returns the identifiers of the created records by name. */
export async function addDemoContent(
  server: TestServer,
): Promise<Readonly<Record<string, number>>> {
  const ids: Record<string, number> = {}
  const folder = async (name: string, parentId: number, more: object = {}): Promise<number> => {
    const json = { name, parent_category_id: parentId, ...more }
    const { body } = await server.call('POST', '/api/v2/asset_category', { json })
    ids[name] = body.asset_category_id
    return body.asset_category_id
  }
  const file = async (name: string, folderId: number, bytes: string | Uint8Array) => {
    const { body } = await server.upload([
      { name: 'asset_category_id', value: String(folderId) },
      { name: 'Filedata', fileName: name, bytes: Buffer.from(bytes) },
    ])
    ids[name] = body.asset_file_id
    return Number(body.asset_file_id)
  }
  const change = (id: number, json: object) =>
    server.call('PATCH', `/api/v2/asset_file/${id}`, { json })
  const act = (id: number, action: string) =>
    server.call('POST', `/api/v2/asset_file/${id}/${action}`)

  const site = await folder('Website', 1)
  const images = await folder('Images', site)
  const press = await folder('Press', site, { public: true })
  for (const year of ['2024', '2025', '2026']) await folder(year, press)
  await folder('Newsletter', 1)

  const home = await file('index.html', site, PAGE)
  await act(home, 'publish')
  await change(home, { pageContent: PAGE.replace('ten to six', 'nine to seven') })
  await act(home, 'publish')
  await change(home, { pageContent: PAGE.replace('ten to six', 'nine to eight'), title: 'Home' })
  await act(home, 'stage')
  await change(home, {
    pageContent: PAGE.replace('ten to six', 'nine to eight').replace('free', 'half price'),
  })
  const about = await file('about.html', site, PAGE.replaceAll('Spring exhibition', 'About us'))
  await act(about, 'publish')
  const menu = { name: 'Main menu', parent_category_id: site, asset_file_ids: [home, about] }
  await server.call('POST', '/api/v2/file_group', { json: menu })
  const style = await file('site.css', site, 'body {\n  font: 1rem/1.5 sans-serif;\n}\n')
  await act(style, 'publish')
  await act(await file('contact.html', site, '<h1>Contact</h1>\n'), 'stage')
  await file(
    'programme-2026.pdf',
    site,
    Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(480_000, 32)]),
  )
  await file('draft ideas.md', site, '# Ideas\n')
  await file('programme.md', press, MARKDOWN)
  await file('welcome.stml', site, '<div id="dd.0">\n  <p>Hello [name]</p>\n</div>\n')
  for (const [at, color] of COLORS.entries()) {
    const id = await file(`room-${at + 1}.svg`, images, drawing(color, at))
    if (at < 2) await act(id, 'publish')
  }
  await file('opening.mp3', images, Buffer.concat([Buffer.from('ID3'), Buffer.alloc(90_000)]))
  return ids
}
