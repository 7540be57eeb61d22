// Each page loads the texts it uses. A text that a page or its parts take from the catalog is among the first
// texts, or in a part that pages.ts names for the page.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { first } from '../../lib/admin/texts/en/first.ts'
import { GENERATORS_DIRECTORY } from '../helpers/generators.ts'

const ADMIN = join(dirname(dirname(GENERATORS_DIRECTORY)), 'lib/admin')
const PAGES = readFileSync(join(ADMIN, 'pages.ts'), 'utf8')

const FIRST: ReadonlySet<string> = new Set(Object.keys(first))

/** Parts that load two groups of texts. */
const ALSO: Readonly<Record<string, readonly string[]>> = { palette: ['shortcuts'] }

/** Groups of texts that every page with its own parts may use (frame/lazy-page.tsx). */
const WITH_ANY = ['faults', 'refusals']

/** Every page may use this group without loading it: ui/use-problem-text.ts then shows the server's own title. */
const OPTIONAL = 'refusals'

function saidBy(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path) || !existsSync(path)) return new Set()
  seen.add(path)
  const text = readFileSync(path, 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  const own = [...text.matchAll(/\bt\.(\w+)/g)].map(([, name = '']) => name)
  const taken = [...text.matchAll(/\{([^{}]*)\}\s*(?:=|:)\s*(?:\w+\.t|t|Speech\['t'\])\b(?!\.)/g)]
  const named = taken.flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  const imported = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)].flatMap(
    ([, name = '']) => [...saidBy(join(dirname(path), name), seen)],
  )
  return new Set([...own, ...named, ...imported])
}

/** Files of pages with two paths, which pages.ts names above its list. */
const NAMED = new Map(
  [...PAGES.matchAll(/^const (\w+) = \(\) =>\s+import\('([^']+)'\)/gm)].map(([, name, file]) => [
    name,
    file,
  ]),
)

const LOADED = [...PAGES.matchAll(/^ {2}\{\n(.*?)^ {2}\},$/gms)].map(([, block = '']) => {
  const [, path = ''] = /path: '([^']+)'/.exec(block) ?? []
  const [, texts = ''] = /texts: \[([^\]]*)\]/.exec(block) ?? []
  const [, file = NAMED.get(/load: (\w+),/.exec(block)?.[1])] =
    /import\('([^']+)'\)/.exec(block) ?? []
  return { path, parts: texts.match(/\w+/g) ?? [], file: file ?? '' }
})

test('every page is tested', () => {
  assert.equal(LOADED.length, [...PAGES.matchAll(/\bpath: '/g)].length)
  assert.deepEqual(
    LOADED.filter(({ file }) => !file.endsWith('-page.tsx')),
    [],
  )
})

for (const { path, parts, file } of LOADED) {
  test(`${path} loads its texts`, () => {
    const known = [OPTIONAL, ...parts.flatMap((part) => [part, ...(ALSO[part] ?? [])])]
    if (parts.length > 0) known.push(...WITH_ANY)
    const missing = [...saidBy(join(ADMIN, file))].filter(
      (name) => !FIRST.has(name) && !known.includes(name),
    )
    assert.deepEqual(missing, [])
  })
}

test('the frame uses only texts of the first view, except the palette', () => {
  const around = ['frame/app.tsx', 'frame/routes.tsx', 'frame/frame.tsx', 'frame/side-bar.tsx']
  const said = new Set(around.flatMap((name) => [...saidBy(join(ADMIN, name))]))
  const missing = [...said].filter((name) => !FIRST.has(name))
  // The palette's views load their texts; all other code checks whether these texts are loaded.
  assert.deepEqual(missing.toSorted(), ['faults', 'palette', 'refusals', 'shortcuts'])
})
