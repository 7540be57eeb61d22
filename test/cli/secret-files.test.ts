// Secrets in files: DATABASE_URL_FILE, S3_…_FILE and CMS_KEY_FILE. The server reads the files and passes no secret on to
// other processes.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startChild, killChildren } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'

after(killChildren)
after(removeDataDirectories)

const SECRET = 'canary-secret'

test('child processes get the paths of secret files and no secrets', async () => {
  const dataDir = newDataDirectory()
  const path = `${dataDir}-secret`
  writeFileSync(path, `${SECRET}\n`)
  const env = {
    CMS_KEY_FILE: path,
    S3_ACCESS_KEY_ID_FILE: path,
    S3_SECRET_ACCESS_KEY_FILE: path,
  }
  const { pid, kill, stderr } = await startChild(dataDir, ['--processes', '2'], { env })
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const environments = children.map((child) => readFileSync(`/proc/${child}/environ`, 'utf8'))

  assert.ok(environments.some((text) => text.includes(`S3_SECRET_ACCESS_KEY_FILE=${path}`)))
  for (const text of environments) assert.ok(!text.includes(SECRET))
  assert.doesNotMatch(stderr(), /CMS_KEY_FILE/)
  await kill('SIGTERM')
})
