// A video that any Chromium plays, because Chromium recorded the video itself.

import type { Page } from 'playwright-core'

/** Records a moving box in this browser and returns the video in base64. */
export function film(page: Page): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
    const context = canvas.getContext('2d')
    const draw = setInterval(() => {
      context.fillStyle = 'rgb(' + (performance.now() % 255) + ' 90 90)'
      context.fillRect(0, 0, 64, 48)
    }, 20)
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' })
    const pieces = []
    recorder.ondataavailable = ({ data }) => pieces.push(data)
    recorder.onstop = async () => {
      clearInterval(draw)
      const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer())
      resolve(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
    }
    recorder.start()
    setTimeout(() => recorder.stop(), 600)
  })`)
}
