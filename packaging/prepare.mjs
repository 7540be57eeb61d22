// npm runs this after an install in a clone, and before npm pack. The server is built with packages that --omit=dev leaves
// out: then what is built already is taken, or the way is told. A build that fails leaves what was built before.

import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'

const BUILT = 'dist/server'
const BEFORE = 'dist/server-before'

if (existsSync('node_modules/typescript') && existsSync('node_modules/esbuild')) {
  process.exit(build())
}
if (!existsSync(`${BUILT}/main.js`)) {
  console.error(`cms-server is not built, and what builds it was left out (--omit=dev). In a clone:

  npm ci && npm prune --omit=dev

Or install the built package: npm pack in a clone makes it, and npm run package a .deb.`)
  process.exit(1)
}

function build() {
  rmSync(BEFORE, { recursive: true, force: true })
  if (existsSync(BUILT)) renameSync(BUILT, BEFORE)
  const status = spawnSync('npm', ['run', 'build'], { stdio: 'inherit' }).status ?? 1
  if (status !== 0 && existsSync(BEFORE)) {
    rmSync(BUILT, { recursive: true, force: true })
    renameSync(BEFORE, BUILT)
    console.error('The build failed; dist/server is what was built before.')
  }
  rmSync(BEFORE, { recursive: true, force: true })
  return status
}
