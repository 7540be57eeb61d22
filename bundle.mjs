// `npm run bundle` joins lib and its packages into a few files in dist/server. Reading a few files instead of some 250
// modules makes a start a third faster. Packages that locate files relative to themselves stay separate. The
// administration area is built next to them.

import { build } from 'esbuild'
import { bundleAdmin } from './bundle-admin.mjs'
import { buildVersion } from './packaging/version.mjs'

/** These packages locate files relative to themselves, so they cannot be bundled. */
const APART = /^(@node-rs\/argon2|lmdb)$/

/**
 * Loads the external packages by require, which takes 35 ms for lmdb instead of 60. This works for static imports only:
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

await build({
  entryPoints: [
    'lib/main.ts',
    'lib/workers/worker.ts',
    'lib/storage/integrity/inspect-records-child.ts',
    'lib/storage/backup/archive-child.ts',
    'lib/pictures/picture-child.ts',
  ],
  entryNames: '[name]',
  outdir: 'dist/server',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['piscina', 'tsx'],
  define: { CMS_BUILD: JSON.stringify(buildVersion()) },
  plugins: [required],
  // Bundled CommonJS packages call require, which an ES module does not have.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})

await bundleAdmin()
