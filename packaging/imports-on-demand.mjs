// An esbuild plugin for the program, which is a script and no module: packages that lib imports on demand stay out of the
// script, and the script calls the function importOnDemand of bin/load-program for them. V8 forgets for which module
// compiled code calls import() (Node 20).

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Adds the entry points of the packages to `entries`. The build must not write its files, because the plugin does.
 * @param {Map<string, string>} entries
 * @param {readonly string[]} separate Packages without an entry point.
 * @returns {import("esbuild").Plugin}
 */
export function importsOnDemand(entries, separate) {
  return {
    name: 'imports-on-demand',
    setup({ onResolve, onEnd }) {
      onResolve({ filter: /^\w|^@/ }, ({ path, kind }) => {
        if (kind !== 'dynamic-import' || separate.includes(path)) return undefined
        const name = `packages/${path.replaceAll(/\W+/g, '_')}`
        entries.set(name, path)
        return { path: `../dist/server/${name}.js`, external: true }
      })
      onEnd(({ outputFiles = [] }) => {
        for (const { path, text } of outputFiles) {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, inAscii(text.replaceAll('import("', 'importOnDemand("')))
        }
      })
    },
  }
}

/** bin/load-program reads bytes as characters. esbuild escapes strings, but leaves patterns and comments as they are. */
function inAscii(text) {
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replaceAll(/[\u0080-\uffff]/g, escape)
}
