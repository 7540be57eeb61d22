// The commands of README.md and of docs/, run by a shell in the order of the pages, as a reader pastes them. A curl that
// prints the status of each request stands before the real one.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { BIN, type ChildServer, runCli, startChild } from '../helpers/child-server.ts'

const ROOT = dirname(dirname(BIN))

/** The part of a page whose commands need nothing but the server: from a heading to another, or to the end. */
const PAGES: readonly (readonly [path: string, from: string, to?: string])[] = [
  ['README.md', '## Five minutes', '## Figures'],
  ['docs/files.md', '## Stage, compare and publish'],
  ['docs/datatables.md', '## Column types', '## Import real data'],
  ['docs/calendars.md', '# Calendars'],
  ['docs/access.md', '## Grants'],
  ['docs/changes.md', '## Follow changes'],
  ['docs/public.md', '## Files', '## Permissions'],
  ['docs/website.md', '## Serve a folder as a site', '### Behind nginx'],
  ['docs/website.md', 'Create the webhook', 'A webhook to the same machine'],
]

/** The tour reads a draft before it is published, and deletes an author to whom books refer. */
const REFUSED = ['404 GET /file/2/hello.html', '409 DELETE /api/v2/module/datatable/2/authors/1']

const scratch = mkdtempSync(join(tmpdir(), 'cms-documented-'))
const dataDir = join(scratch, 'data')
let server: ChildServer

before(async () => {
  server = await startChild(dataDir, [
    '--webhook-allow',
    'loopback',
    '--site-origin',
    'http://site.localhost:8080=/Main/website',
  ])
  await runCli(['user', 'create', 'ada', '--data', dataDir])
  const input = 'correct horse battery\n'
  await runCli(['user', 'password', 'ada', '--data', dataDir], { input })
  symlinkSync(join(ROOT, 'bin'), join(scratch, 'bin'))
  mkdirSync(join(scratch, 'tools'))
  const curl = join(scratch, 'tools/curl')
  writeFileSync(curl, `#!/bin/sh\nexec /usr/bin/curl -w '${WRITTEN}' "$@"\n`)
  chmodSync(curl, 0o755)
})
after(async () => {
  await server.kill('SIGTERM')
  rmSync(scratch, { recursive: true, force: true })
})

const WRITTEN = String.raw`%{stderr}\n@ %{http_code} %{method} %{url_effective}\n`

function commandsOf([path, from, to]: (typeof PAGES)[number]): string {
  const page = readFileSync(join(ROOT, path), 'utf8')
  const start = page.indexOf(from)
  const part = page.slice(start, to === undefined ? undefined : page.indexOf(to, start))
  const blocks = [...part.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block)
  assert.ok(blocks.length > 0, `${path} has no commands after ${from}`)
  return blocks.join('\n')
}

test('the commands that the documents show succeed in their order', async () => {
  const script = PAGES.map(commandsOf)
    .join('\n')
    .replace(/^cms-server start .*$/gm, '')
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll('/tmp/', `${scratch}/`)
  const path = [join(scratch, 'tools'), dirname(process.execPath), process.env['PATH']].join(':')
  const env = { ...process.env, PATH: path, CMS_DATA: dataDir }
  const { error, stderr } = await new Promise<{ error: unknown; stderr: string }>((resolve) => {
    const options = { cwd: scratch, env, maxBuffer: 2 ** 24 }
    execFile('bash', ['-e', '-o', 'pipefail', '-c', script], options, (failure, _, text) =>
      resolve({ error: failure, stderr: text }),
    )
  })
  assert.equal(error, null, stderr)
  const asked = [...stderr.matchAll(/^@ (\d+ \w+) http:\/\/[^/]+(\S*)$/gm)]
  assert.ok(asked.length > 30, stderr)
  const failed = asked.filter(([, status = '']) => !/^[23]/.test(status))
  assert.deepEqual(
    failed.map(([, status, url]) => `${status} ${url}`),
    REFUSED,
  )
})
