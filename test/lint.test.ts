// The linter and the format check of `npm run lint` find nothing. The build compiles the administration area already.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

for (const command of ['oxlint --type-aware', 'biome format .'])
  test(`${command} finds nothing`, () => {
    const { status, stdout, stderr } = spawnSync('npx', ['--no', ...command.split(' ')], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    assert.equal(status, 0, `${stdout}${stderr}`.slice(-3_000))
  })
