// A consumer of the changes of a site that may be killed at any moment. Each line of its file contains
// the handled changes and the next position. An incomplete line counts as not written.
//
//   node follower.js URL KEY FILE

import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs'

interface Line {
  readonly sequences: readonly number[]
  readonly next: string
}

/** Returns all complete lines. */
export function readLines(file: string): readonly Line[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

async function follow(url: string, key: string, file: string): Promise<never> {
  if (existsSync(file)) truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1)
  let next = readLines(file).at(-1)?.next ?? '0'
  for (;;) {
    const headers = { authorization: `Bearer ${key}` }
    const path = `/api/v2/change?wait=5&length=7&since=${next}`
    // The request fails while the server is killed.
    const answer = await fetch(url + path, { headers }).catch(() => undefined)
    if (answer?.status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      continue
    }
    const body: any = await answer.json().catch(() => undefined)
    if (body === undefined) continue
    next = body.page.next
    const sequences = body.change.map(({ sequence }: any) => sequence)
    if (sequences.length > 0) appendFileSync(file, `${JSON.stringify({ sequences, next })}\n`)
  }
}

const [, program = '', url, key, file] = process.argv
if (program.endsWith('follower.js') && url !== undefined && key !== undefined && file !== undefined)
  await follow(url, key, file)
