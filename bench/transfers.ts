// Uploads and downloads large files repeatedly until SIGTERM, then prints the number of files. Runs as a
// separate process, so that its work does not delay the measurements of other processes.
//   node transfers.js URL KEY PATH FILE_ID BYTES PAIRS      runs PAIRS uploads and PAIRS downloads in parallel

import { randomBytes } from 'node:crypto'
import { type Dispatcher, request } from 'undici'
import { auth, form } from './requests.ts'

const [url = '', key = '', path = '', fileId = '', bytes = '', pairs = ''] = process.argv.slice(2)
const headers = auth({ key })
const { contentType, body } = form({
  field: 'asset_file_id',
  id: Number(fileId),
  bytes: randomBytes(Number(bytes)),
  name: 'large.bin',
})

let isOver = false
process.once('SIGTERM', () => {
  isOver = true
})

async function download(): Promise<void> {
  const sizeBytes = await take(await request(url + path, { headers }))
  if (sizeBytes !== Number(bytes)) throw new Error(`a download had ${sizeBytes} bytes`)
}

async function replace(): Promise<void> {
  const answer = await request(`${url}/upload`, {
    method: 'POST',
    headers: { ...headers, 'content-type': contentType },
    body,
  })
  await take(answer)
}

/** Reads the answer to its end. */
async function take({ statusCode, body: answer }: Dispatcher.ResponseData): Promise<number> {
  if (statusCode >= 300)
    throw new Error(`a transfer was answered ${statusCode}: ${await answer.text()}`)
  let sizeBytes = 0
  for await (const chunk of answer) sizeBytes += (chunk as Buffer).length
  return sizeBytes
}

async function repeat(work: () => Promise<void>): Promise<number> {
  let count = 0
  for (; !isOver; count += 1) await work()
  return count
}

const lanes = Array.from({ length: Number(pairs) }, () => [repeat(download), repeat(replace)])
const counts = await Promise.all(lanes.flat())
console.log(counts.reduce((sum, count) => sum + count, 0))
