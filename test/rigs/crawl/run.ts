// `npm run rig:crawl -- /usr/share/doc/debian-handbook/html --published 1000`

import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { temporaryDirectory } from '../../helpers/server.ts'
import { runCrawl } from './rig.ts'

const { values, positionals } = parseArgs({
  options: { published: { type: 'string', default: '1000' } },
  allowPositionals: true,
})
const [source] = positionals
if (source === undefined) throw new Error('Give a directory with a website.')
const directory = temporaryDirectory()
try {
  const { faults, ...outcome } = await runCrawl({
    source,
    directory,
    published: Number(values.published),
    onProgress: (line) => console.log(line),
  })
  console.log(JSON.stringify(outcome))
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
