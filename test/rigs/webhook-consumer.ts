// A receiver of webhooks that records each delivery before it answers, recognizes repeated
// deliveries by their id, and may be killed at any point. Arguments: port, file.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port = '0', file = ''] = process.argv.slice(2)
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
const known = new Set(lines.map((line) => line.split(' ')[0]))

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const id = String(request.headers['webhook-id'])
    const { data } = JSON.parse(Buffer.concat(chunks).toString())
    if (!known.has(id)) appendFileSync(file, `${id} ${data.object_id}\n`)
    known.add(id)
    response.writeHead(204).end()
  })
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'))
