// The picture process: reads pictures that anybody may have uploaded, so it gets no environment and opens no file. It ends
// when the server does, and when a picture takes more memory than allowed.

import { frameHead, MAX_CHILD_BYTES, type PictureJob, readFrames } from './picture-job.ts'
import { answerTo } from './picture-work.ts'

const LOOK_MS = 50

// libvips works in other threads, so this timer also runs while a picture is read.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_CHILD_BYTES) process.exit(1)
}, LOOK_MS).unref()

for await (const { message, bytes } of readFrames<PictureJob & { readonly sizeBytes: number }>(
  process.stdin,
)) {
  const { answer, picture } = await answerTo(message, bytes)
  process.stdout.write(frameHead(answer))
  if (picture !== undefined) process.stdout.write(picture)
}
