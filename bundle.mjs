// `npm run bundle` joins lib and its packages into a few files in dist/server:
//   main.js       the program: a function, whose compiled code is in main.cache (bin/load-program)
//   packages/     packages that the program imports on demand
//   *-child.js, worker.js  programs of child processes and threads
// Packages that locate files relative to themselves stay separate. The administration area is built next to them.

import { build } from 'esbuild'
import { bundleAdmin } from './bundle-admin.mjs'
import { importsOnDemand } from './packaging/imports-on-demand.mjs'
import { buildVersion } from './packaging/version.mjs'

/** These packages locate files relative to themselves, so they cannot be bundled. */
const APART = /^(@node-rs\/argon2|lmdb)$/

/**
 * Loads these packages by require, which takes 35 ms for lmdb instead of 60. This works for static imports only:
 * for import(), esbuild would provide no export but `default`.
 * @type {import("esbuild").Plugin}
 */
const required = {
  name: 'required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: APART }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
    )
    onLoad({ filter: APART, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

/** @type {import("esbuild").BuildOptions} */
const COMMON = {
  outdir: 'dist/server',
  bundle: true,
  platform: 'node',
  target: 'node20',
  define: { CMS_BUILD: JSON.stringify(buildVersion()) },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
}

/** Packages that are not bundled. */
const SEPARATE = ['piscina', 'tsx']

/** @type {Map<string, string>} */
const onDemand = new Map()

// Node 20 takes compiled code of scripts only, not of modules. Without white space the text, which stays in memory, is a
// quarter shorter.
await build({
  ...COMMON,
  write: false,
  entryPoints: ['lib/main.ts'],
  format: 'cjs',
  minifyWhitespace: true,
  lineLimit: 160,
  external: [...SEPARATE, 'lmdb', '@node-rs/argon2'],
  define: { ...COMMON.define, 'import.meta.url': 'bundleUrl' },
  banner: {
    js: "(function (require, module, __filename, importOnDemand) { 'use strict'; const bundleUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
  // import.meta.resolve is called only if the program runs from its source.
  logOverride: { 'empty-import-meta': 'silent' },
  plugins: [importsOnDemand(onDemand, SEPARATE)],
})

await build({
  ...COMMON,
  entryPoints: {
    worker: 'lib/workers/worker.ts',
    'inspect-records-child': 'lib/storage/integrity/inspect-records-child.ts',
    'archive-child': 'lib/storage/backup/archive-child.ts',
    'picture-child': 'lib/pictures/picture-child.ts',
    ...Object.fromEntries(onDemand),
  },
  splitting: true,
  format: 'esm',
  external: SEPARATE,
  plugins: [required],
  // Bundled CommonJS packages call require, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})

await bundleAdmin()
