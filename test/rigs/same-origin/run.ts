// `npm run rig:same-origin` runs the rig in Chromium and Firefox and prints all findings.

import { type BrowserName, runSameOrigin } from './rig.ts'

let hasFaults = false
for (const name of ['chromium', 'firefox'] satisfies BrowserName[]) {
  const { faults, opened, pages, controls } = await runSameOrigin(name)
  console.log(`${name}: ${pages} pages, ${opened} windows, ${faults.length} faults`)
  console.log(`  without a policy ran ${controls.join(', ')}`)
  for (const fault of faults) console.log(`  ${fault}`)
  hasFaults ||= faults.length > 0
}
process.exitCode = hasFaults ? 1 : 0
