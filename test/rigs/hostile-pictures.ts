// Pictures that are meant to harm a server: bombs, cut and false ones.

import { crc32, deflateSync } from 'node:zlib'
import { animation, halves } from '../helpers/pictures.ts'

export interface HostilePicture {
  readonly name: string
  readonly bytes: Buffer
  /** Statuses of a download in another size. */
  readonly expected: readonly number[]
}

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const REFUSED = [422]
/** On a slow machine, the server may give up. */
const EITHER = [200, 422]

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

/** A black PNG. `rows`: the rows that it really has. */
function blackPng(
  width: number,
  height: number,
  { depth, color, rows = height }: { depth: number; color: number; rows?: number },
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = depth
  head[9] = color
  const channels = color === 6 ? 4 : 1
  const rowBytes = 1 + Math.ceil((width * depth * channels) / 8)
  const data = deflateSync(Buffer.alloc(rowBytes * rows), { level: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export async function hostilePictures(): Promise<readonly HostilePicture[]> {
  const png = await halves(800, 600).png().toBuffer()
  const jpeg = await halves(800, 600).jpeg().toBuffer()
  const webp = await halves(800, 600).webp().toBuffer()
  const frames = await animation(40, 40, 2_000).gif().toBuffer()
  const script = Buffer.from('<script>alert(1)</script><svg onload="alert(1)"/>')
  const cut = (bytes: Buffer, part: number): Buffer =>
    bytes.subarray(0, Math.floor(bytes.length * part))
  const named = (name: string, bytes: Buffer, expected: readonly number[]): HostilePicture => ({
    name,
    bytes,
    expected,
  })
  return [
    named('bomb.png', blackPng(30_000, 30_000, { depth: 1, color: 0 }), REFUSED),
    named('huge.png', blackPng(100_000, 100_000, { depth: 1, color: 0, rows: 10 }), REFUSED),
    named('most.png', blackPng(9_990, 9_990, { depth: 1, color: 0 }), EITHER),
    named('heavy.png', blackPng(5_000, 4_000, { depth: 8, color: 6 }), EITHER),
    named('wide.png', blackPng(90_000, 1, { depth: 8, color: 0 }), EITHER),
    named('frames.gif', frames, EITHER),
    named('empty.jpg', Buffer.of(0xff, 0xd8, 0xff, 0xe0), REFUSED),
    ...[0.1, 0.5, 0.9].flatMap((part) => [
      named(`cut-${part}.png`, cut(png, part), REFUSED),
      named(`cut-${part}.jpg`, cut(jpeg, part), REFUSED),
      named(`cut-${part}.webp`, cut(webp, part), REFUSED),
    ]),
    named('script.jpg', Buffer.concat([jpeg, script]), EITHER),
    named('script.gif', Buffer.concat([Buffer.from('GIF89a'), script]), REFUSED),
    named('lying.jpg', Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), png]), REFUSED),
    named('lying.png', Buffer.concat([SIGNATURE, jpeg]), REFUSED),
    named('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), REFUSED),
    named('document.png', Buffer.from('%PDF-1.7\n%%EOF'), REFUSED),
  ]
}
