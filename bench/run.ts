// npm run bench [-- NAME …] [--compare FILE] [--save]: measures the compiled server and prints tables in Markdown.
// Names are those of jobs.ts or begin them: `entries/10000` is `entries/10000/read` and all others. --save keeps the
// figures beside those of other parts of the same commit (saved.ts); --compare flags what changed since such a file.

import { parseArgs } from 'node:util'
import { jobs, NAMES } from './jobs.ts'
import { describeCommit, describeMachine } from './processes.ts'
import { compare, toMarkdown } from './report.ts'
import { type Found, readSaved, save, toReport } from './saved.ts'

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'string' }, save: { type: 'boolean', default: false } },
})

const before = flags.compare === undefined ? undefined : readSaved(flags.compare)
const chosen = jobs(wanted)
const told = { commit: describeCommit(), machine: describeMachine() }
const parts: Record<string, Found> = {}
for (const { name, run } of chosen) {
  console.error(`${name} …`)
  const found = await run(toReport({ ...told, parts }, NAMES))
  parts[name] = found
  // After each part, so that a run that is cut short has kept what it knew.
  if (flags.save) save({ ...told, parts: { [name]: found } }, NAMES)
}
const report = toReport({ ...told, parts }, NAMES)
console.log(toMarkdown(report))
if (before !== undefined) console.log(`\n${compare(toReport(before, NAMES), report)}`)
