// npm runs this script after an install in a clone, and before npm pack. Building needs packages that
// --omit=dev leaves out; without them, an existing build is used, or a message says how to build. A failed
// build keeps the previous build.

import { spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'

const BUILT = 'dist/server'
const BEFORE = 'dist/server-before'

if (existsSync('node_modules/typescript') && existsSync('node_modules/esbuild')) {
  process.exit(build())
}
if (!existsSync(`${BUILT}/main.js`)) {
  console.error(`cms-server is not built, and the packages that build it are missing (--omit=dev). In a clone, run:

  npm ci && npm prune --omit=dev

Or install a built package: in a clone, npm pack creates one, and npm run package creates a .deb.`)
  process.exit(1)
}

function build() {
  rmSync(BEFORE, { recursive: true, force: true })
  if (existsSync(BUILT)) renameSync(BUILT, BEFORE)
  const status = spawnSync('npm', ['run', 'build'], { stdio: 'inherit' }).status ?? 1
  if (status !== 0 && existsSync(BEFORE)) {
    rmSync(BUILT, { recursive: true, force: true })
    renameSync(BEFORE, BUILT)
    console.error('The build failed; dist/server is still the previous build.')
  }
  rmSync(BEFORE, { recursive: true, force: true })
  return status
}
