// All links in the documents lead to existing files and headings.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FOLDERS = ['docs', 'bench', 'test', 'packaging', 'examples']

const PAGES = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  ),
].filter((path) => path.endsWith('.md') && !path.includes('node_modules'))

for (const page of PAGES) {
  test(`the links of ${page} lead to files`, () => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(
      ([, link = '']) => link,
    )
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => !existsSync(join(ROOT, dirname(page), link)))
    assert.deepEqual(broken, [])
  })

  test(`the links of ${page} to headings lead to headings`, () => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s#]*)#([^)]+)\)/g)]
    const broken = links
      .map(([, link = '', anchor = '']) => [link === '' ? page : join(dirname(page), link), anchor])
      .filter(
        ([target = '', anchor = '']) => PAGES.includes(target) && !anchorsOf(target).has(anchor),
      )
    assert.deepEqual(broken, [])
  })
}

function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readPage(page).replaceAll(/^```.*?^```/gms, '')
  const titles = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase())
  return new Set(titles.map((title) => title.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-')))
}
