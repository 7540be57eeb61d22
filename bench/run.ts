// npm run bench [-- NAME …] [--compare FILE] [--save]: measures the compiled server and prints Markdown tables. A NAME
// is a name in jobs.ts or its beginning: `entries/10000` means `entries/10000/read` and all others. The option --save
// merges the figures with the figures of other jobs of the same commit (saved.ts). The option --compare marks changes
// since such a file.

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
  // Saves after each part, so that an aborted run keeps its results.
  if (flags.save) save({ ...told, parts: { [name]: found } }, NAMES)
}
const report = toReport({ ...told, parts }, NAMES)
console.log(toMarkdown(report))
if (before !== undefined) console.log(`\n${compare(toReport(before, NAMES), report)}`)
