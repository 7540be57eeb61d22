// npm runs this after an install in a clone. The server is built with packages that --omit=dev leaves out: then what
// is built already is taken, or the way is told.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

if (existsSync('node_modules/typescript') && existsSync('node_modules/esbuild')) {
  process.exit(spawnSync('npm', ['run', 'build'], { stdio: 'inherit' }).status ?? 1)
}
if (!existsSync('dist/server/main.js')) {
  console.error(`cms-server is not built, and what builds it was left out (--omit=dev). In a clone:

  npm ci && npm prune --omit=dev

Or install the built package: npm pack in a clone makes it, and npm run package a .deb.`)
  process.exit(1)
}
