// Builds the administration area (lib/admin) into dist/server/admin: programs, two style sheets, and a brotli and a gzip
// copy of each file, so that the server never compresses them. File names hold a hash of the content, so browsers cache
// them forever; manifest.json maps each entry to its file. `npm run bundle` calls this module. `node bundle-admin.mjs`
// runs it alone, and --watch rebuilds whenever a file changes.

import { mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'

const SOURCE = 'lib/admin'
const SHARED = 'lib/shared'
const TARGET = 'dist/server/admin'

/** CSS layers from the weakest to the strongest: a page may override a shared part, never the reverse. */
const LAYERS = ['styles', 'ui', 'frame', 'pages']

/** Pages whose styles load with the program. The styles of all other pages are in a second file. */
const FIRST_PAGES = /^pages\/(?:sign-in|start|documents)\//

/**
 * esbuild would make a chunk for each set of pages that share code. Instead, the main program includes all shared parts
 * and each page imports the whole program, which is already loaded when a page opens.
 * @type {import("esbuild").Plugin}
 */
const oneProgram = {
  name: 'one-program',
  setup({ onLoad }) {
    const add = (filter, imports) =>
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        const added = imports().map((name) => `import '${name}'`)
        return { contents: [text, ...added].join('\n'), loader: 'tsx' }
      })
    add(/lib\/admin\/main\.tsx$/, () => partsOfPages().map((name) => `./ui/${name}`))
    add(/lib\/admin\/pages\/.*-page\.tsx$/, () => ['../../main.tsx'])
    add(/lib\/admin\/frame\/.*-view\.tsx$/, () => ['../main.tsx'])
  },
}

function partsOfPages() {
  return readdirSync(join(SOURCE, 'ui')).filter((name) => /\.tsx?$/.test(name))
}

/** @type {import("esbuild").BuildOptions} */
const COMMON = {
  bundle: true,
  minify: true,
  write: false,
  outdir: TARGET,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  // The first versions with light-dark() and popovers (mid-2024).
  target: ['chrome123', 'firefox125', 'safari17.5'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
}

export async function bundleAdmin() {
  const [program, early, preview, style, pageStyle] = await Promise.all([
    build({
      ...COMMON,
      entryPoints: [join(SOURCE, 'main.tsx')],
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      plugins: [oneProgram],
    }),
    // A script as of old: it runs before anything is shown, and a module would run after.
    build({ ...COMMON, entryPoints: [join(SOURCE, 'early.ts')], format: 'iife' }),
    build({ ...COMMON, entryPoints: [join(SOURCE, 'preview.ts')], format: 'iife' }),
    buildStyle('style', (path) => !path.startsWith('pages/') || FIRST_PAGES.test(path)),
    buildStyle('pages', (path) => path.startsWith('pages/') && !FIRST_PAGES.test(path)),
  ])

  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  const files = [program, early, preview, style, pageStyle].flatMap(
    ({ outputFiles }) => outputFiles,
  )
  await Promise.all(files.map(write))
  const manifest = {
    ...entriesOf(program.metafile),
    early: basename(early.outputFiles[0].path),
    preview: basename(preview.outputFiles[0].path),
    style: basename(style.outputFiles[0].path),
    pageStyle: basename(pageStyle.outputFiles[0].path),
    files: files.map(({ path }) => basename(path)),
  }
  // The last one: a server that finds it finds all that it names.
  writeFileSync(join(TARGET, 'manifest.json'), JSON.stringify(manifest, null, 2))
}

function buildStyle(name, isIn) {
  return build({
    ...COMMON,
    entryNames: `${name}-[hash]`,
    stdin: { contents: styleSheet(isIn), resolveDir: SOURCE, loader: 'css' },
  })
}

/** Style sheets in one, each in the layer of its folder; those of styles/ in the order of their names. */
function styleSheet(isIn) {
  const imports = LAYERS.flatMap((layer) =>
    readdirSync(join(SOURCE, layer), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css') && isIn(`${layer}/${name}`))
      .toSorted()
      .map((name) => `@import './${layer}/${name}' layer(${layer});`),
  )
  return [`@layer ${LAYERS.join(', ')};`, ...imports].join('\n')
}

/** The program, what it needs at once, and the first texts of each language. */
function entriesOf({ outputs }) {
  const found = Object.entries(outputs).map(([path, output]) => ({ name: basename(path), output }))
  const entry = found.find(({ output }) => output.entryPoint === `${SOURCE}/main.tsx`)
  const needed = entry.output.imports.filter(({ kind }) => kind === 'import-statement')
  const languages = found.flatMap(({ name, output }) => {
    const [, language] =
      /lib\/admin\/texts\/([a-z]{2})\/first\.ts$/.exec(output.entryPoint ?? '') ?? []
    return language === undefined ? [] : [[language, name]]
  })
  return {
    program: entry.name,
    needed: needed.map(({ path }) => basename(path)),
    languages: Object.fromEntries(languages),
  }
}

async function write({ path, contents }) {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  const brotli = promisify(brotliCompress)(contents, quality)
  const gzipped = promisify(gzip)(contents, { level: 9 })
  writeFileSync(path, contents)
  writeFileSync(`${path}.br`, await brotli)
  writeFileSync(`${path}.gz`, await gzipped)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await bundleAdmin()
  if (argv.includes('--watch')) {
    let waiting
    const rebuild = () => {
      clearTimeout(waiting)
      // An editor may write a file in several steps. esbuild reports compile errors on its own.
      waiting = setTimeout(() => void bundleAdmin().catch(() => undefined), 100)
    }
    for (const folder of [SOURCE, SHARED]) watch(folder, { recursive: true }, rebuild)
  }
}
