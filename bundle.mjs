// npm run bundle: joins lib and the packages that it needs into a few files in dist/server. A start then reads
// a few files instead of some 250 modules, which takes a third off its time. What finds other files by its own place stays apart.
// The pages of the administration area come beside them.

import { build } from 'esbuild'
import { bundleAdmin } from './bundle-admin.mjs'
import { buildVersion } from './packaging/version.mjs'

/** They find files of their own by where they lie, so they stay apart. */
const APART = /^(@node-rs\/argon2|lmdb)$/

/**
 * Loads these by require: of lmdb, that takes 35 ms in place of 60. Only for what is imported statically: where it is
 * by import(), esbuild would give no names but `default`.
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
    'lib/storage/integrity/look-at-records-child.ts',
    'lib/storage/backup/archive-child.ts',
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
  // For packages in CommonJS: a module has no require of its own.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
})

await bundleAdmin()
