// The structure of lib/: permitted imports between folders, and forbidden code. Exceptions to a rule are
// listed here with their reasons.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { MAY_IMPORT } from './architecture-table.ts'

const ROOT_OF_FOLDER = '.'

/**
 * Folders with subfolders, from the bottom up: code in a subfolder imports only from the same
 * subfolder and from earlier ones. ROOT_OF_FOLDER stands for the files in the folder itself, except those that are named.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  storage: ['records', 'embedded', 'integrity', 'backup', ROOT_OF_FOLDER],
  cluster: [ROOT_OF_FOLDER, 'moving', 'open-cluster.ts'],
  operations: [
    ROOT_OF_FOLDER,
    'background',
    'trail',
    'people',
    'comments',
    'following',
    'trash',
    'references',
    'files',
    'modules',
    'folders',
    'restoring',
    'site',
    'links',
    'webhooks',
    'start',
  ],
  api: ['docs', 'request', ROOT_OF_FOLDER],
  admin: ['client', 'texts', 'ui', 'pages', 'frame', ROOT_OF_FOLDER],
}

/**
 * Contracts in the root of a folder that all its subfolders may import; they contain only types.
 */
const CONTRACTS: ReadonlySet<string> = new Set([
  'storage/port.ts',
  'storage/site-archive.ts',
  'storage/form-store.ts',
  'storage/partials.ts',
  'storage/engine.ts',
  'storage/status.ts',
  'storage/counts.ts',
])

/** Tables that name services and background work of all subfolders; they import only types. */
const TABLES_OF_ALL: ReadonlySet<string> = new Set([
  'operations/context.ts',
  'operations/pending-work.ts',
])

/** Files that may exceed the limit, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'admin/client/interface.d.ts': 'made by npm run admin:types from the document of the System API',
}

const MAX_LINES = 300
const MAX_TEST_LINES = 400

const VAGUE_NAMES = new Set(['utils', 'util', 'helpers', 'common', 'misc', 'types', 'index'])

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const ROOT = findRoot(import.meta.dirname)
const FILES = filesOf('lib')
const IMPORTS = FILES.flatMap(({ path, text }) => importsOf(path, text))

test('imports point down the table', () => {
  const wrong = IMPORTS.filter((item) => !isAllowed(item))
  assert.deepEqual(wrong.map(showImport), [])
})

test('imports between the rooms of a folder point down', () => {
  const upward = IMPORTS.filter(
    ({ from, to, isType }) =>
      isUpstairs(from, to) && !(isType && (CONTRACTS.has(to) || TABLES_OF_ALL.has(from))),
  )
  assert.deepEqual(upward.map(showImport), [])
})

test('the table of rooms matches the folders', () => {
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const found = new Set(
      FILES.filter(({ path }) => topOf(path) === folder).map(({ path }) => roomOf(path)),
    )
    assert.deepEqual([...found].toSorted(), rooms.toSorted())
  }
})

test('the table has exactly the folders and files of lib', () => {
  const found = new Set(FILES.map(({ path }) => topOf(path)))
  const named = Object.keys(MAY_IMPORT)
  const missing = [...found].filter((name) => !named.includes(name))
  const stale = named.filter((name) => !existsSync(join(ROOT, 'lib', name)))
  assert.deepEqual({ missing, stale }, { missing: [], stale: [] })
})

test('the table allows no run-time import from below', () => {
  const order = Object.keys(MAY_IMPORT)
  const upward = Object.entries(MAY_IMPORT).flatMap(([name, allowed]) =>
    allowed
      .filter((item) => !item.startsWith('type '))
      .filter((item) => order.indexOf(topOf(item)) > order.indexOf(name))
      .map((item) => `${name} → ${item}`),
  )
  assert.deepEqual(upward, [])
})

// The linter finds `process.env` but not `const { env } = process`.
test('the environment is read only in config.ts and environment.ts', () => {
  const reads = /\bprocess\.env\b|\{[^{}]*\benv\b[^{}]*\} = process\b/
  const readers = FILES.filter(({ text }) => reads.test(text)).map(({ path }) => path)
  assert.deepEqual(readers, ['config/config.ts', 'config/environment.ts'])
})

test('no imports form a cycle, not even type imports', () => {
  assert.equal(findCircle(), undefined)
})

test('every exported value is imported by some file', () => {
  const imported = new Set(['lib', 'test', 'bench'].flatMap((folder) => importedIn(folder)))
  const unread = FILES.flatMap(({ path, text }) =>
    exportedBy(text)
      .filter((name) => !imported.has(`lib/${path} ${name}`) && !imported.has(`lib/${path} *`))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(unread, [])
})

test('a file of lib has at most 300 lines', () => {
  const long = FILES.filter(({ text }) => linesOf(text) > MAX_LINES).map(({ path }) => path)
  assert.deepEqual(long, Object.keys(LONG_FILES))
})

test('a file of test has at most 400 lines', () => {
  const long = filesOf('test').filter(({ text }) => linesOf(text) > MAX_TEST_LINES)
  assert.deepEqual(
    long.map(({ path }) => path),
    [],
  )
})

const FORBIDDEN = [
  { name: 'any', pattern: /(?<![.\w])any(?!\w)/ },
  { name: 'a non-null assertion', pattern: /[\w)\]]!(?!=)/ },
  { name: 'a re-export', pattern: /^export\s+(?:type\s+)?[{*]/m },
  { name: 'an enum or a namespace', pattern: /^(?:export\s+)?(?:const\s+)?(?:enum|namespace)\s/m },
] as const

for (const { name, pattern } of FORBIDDEN) {
  test(`no file of lib contains ${name}`, () => {
    const found = FILES.filter(({ text }) => pattern.test(codeOf(text))).map(({ path }) => path)
    assert.deepEqual(found, [])
  })
}

test('no comment of lib silences the compiler', () => {
  const found = FILES.filter(({ text }) => /@ts-(?:ignore|expect-error|nocheck)/.test(text))
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  )
})

test('every file that a comment of lib mentions exists', () => {
  const known = new Set([...FILES, ...filesOf('test')].map(({ path }) => basename(path)))
  const stale = FILES.flatMap(({ path, text }) =>
    [...text.matchAll(/^\s*(?:\/\/|\/?\*).*/gm)].flatMap(([comment]) =>
      [...comment.matchAll(/[\w/-]+(?:\.test)?\.tsx?\b/g)]
        .filter(([name]) => !known.has(basename(name)))
        .map(([name]) => `${path}: ${name}`),
    ),
  )
  assert.deepEqual(stale, [])
})

test('files and folders of lib have unique names in kebab-case', () => {
  const parts = FILES.flatMap(({ path }) => path.replace(/(?:\.d)?\.tsx?$/, '').split('/'))
  const wrong = parts.filter(
    (part) => VAGUE_NAMES.has(part) || !/^[a-z\d]+(-[a-z\d]+)*$/.test(part),
  )
  assert.deepEqual(wrong, [])
})

interface SourceFile {
  /** Path below lib or test, like `http/json.ts`. */
  readonly path: string
  readonly text: string
}

/** The root of the project, found from any output directory of the compiler. */
function findRoot(start: string): string {
  if (existsSync(join(start, 'lib/base/errors.ts'))) return start
  assert.notEqual(start, dirname(start), 'the sources are not above this file')
  return findRoot(dirname(start))
}

function filesOf(folder: string): readonly SourceFile[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, folder, path), 'utf8') }))
}

function importsOf(from: string, text: string): readonly Import[] {
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
  const fixed = code.matchAll(/^(?:import|export)\s(?:([^'"`]*?)\sfrom\s)?'(\.[^']+)'/gm)
  const loaded = code.matchAll(/\bimport\(\s*['"`](\.[^'"`]+)['"`]/g)
  const place = (path: string): string => normalize(join(dirname(from), path))

  return [
    ...[...fixed].map(([, names = '', path = '']) => ({
      from,
      to: place(path),
      isType: isTypeOnly(names),
    })),
    ...[...loaded].map(([, path = '']) => ({ from, to: place(path), isType: false })),
  ]
}

/** Only values. A type may be exported because signatures name it. */
function exportedBy(text: string): readonly string[] {
  const found = text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)
  return [...found].map(([, name = '']) => name)
}

/** `lib/base/errors.ts CmsError` for each name that a file of the folder imports; `*` for all names. */
function importedIn(folder: string): readonly string[] {
  return filesOf(folder).flatMap(({ path, text }) => {
    const fixed = text.matchAll(/\bimport\s+(?:type\s+)?\{([^{}]*)\}\s+from\s+'(\.[^']+)'/g)
    const loaded = text.matchAll(/\{([^{}]*)\}\s*=\s*await\s+import\('(\.[^']+)'\)/g)
    const late = [...text.matchAll(/\bimport\('(\.[^']+)'\)\.then\(\s*\(\{([^{}]*)\}/g)]
    const whole = [...text.matchAll(/: \(\) => import\('(\.[^']+)'\),/g)]
    const all = [
      ...fixed,
      ...loaded,
      ...late.map(([found, from, names]) => [found, names, from]),
      ...whole.map(([found, from]) => [found, '*', from]),
    ]
    return all.flatMap(([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) => /^(?:type )?(\w+|\*)/.exec(name.trim())?.[1] ?? '')
        .map((name) => `${normalize(join(folder, dirname(path), from))} ${name}`),
    )
  })
}

/** `type { A }` or `{ type A, type B }`: an import that does not exist at run time. */
function isTypeOnly(names: string): boolean {
  if (names.startsWith('type ')) return true
  const [, list] = /^\{([^}]*)\}$/.exec(names) ?? []
  const items = list?.split(',').filter((item) => item.trim() !== '') ?? []
  return items.length > 0 && items.every((item) => item.trim().startsWith('type '))
}

function isAllowed({ from, to, isType }: Import): boolean {
  if (topOf(from) === topOf(to)) return true
  const allowed = [...(MAY_IMPORT[topOf(from)] ?? []), ...(MAY_IMPORT[from] ?? [])]
  const names = [to, topOf(to)]
  return names.some(
    (name) => allowed.includes(name) || (isType && allowed.includes(`type ${name}`)),
  )
}

/** The folder directly below lib, or the file directly in lib. */
function topOf(path: string): string {
  return path.split('/', 1)[0] ?? path
}

/** The subfolder, the file if ROOMS names it, or ROOT_OF_FOLDER. */
function roomOf(path: string): string {
  const [folder = '', room = '', ...rest] = path.split('/')
  const isRoom = rest.length > 0 || ROOMS[folder]?.includes(room)
  return isRoom === true ? room : ROOT_OF_FOLDER
}

function isUpstairs(from: string, to: string): boolean {
  const rooms = ROOMS[topOf(from)]
  if (rooms === undefined || topOf(from) !== topOf(to)) return false
  return rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from))
}

function findCircle(): string | undefined {
  const done = new Set<string>()

  function walk(path: string, above: readonly string[]): string | undefined {
    if (above.includes(path)) return [...above.slice(above.indexOf(path)), path].join(' → ')
    if (done.has(path)) return undefined
    done.add(path)
    const next = IMPORTS.filter(({ from }) => from === path)
    return firstOf(next.map(({ to }) => walk(to, [...above, path])))
  }

  return firstOf(FILES.map(({ path }) => walk(path, [])))
}

function firstOf(found: readonly (string | undefined)[]): string | undefined {
  return found.find((item) => item !== undefined)
}

function showImport({ from, to, isType }: Import): string {
  return `${from} imports ${isType ? 'types of ' : ''}${to}`
}

function linesOf(text: string): number {
  return text.split('\n').length - 1
}

/** The code without comments, strings and regular expressions. */
function codeOf(text: string): string {
  return text
    .replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/gs, "''")
    .replace(/(?<=[(=,:?&|!]\s*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g, "''")
    .replace(/\s\/\/.*$/gm, '')
}
