// Pictures for tests.

import sharp from 'sharp'
import type { Sharp } from 'sharp'

export const RED = '#c80000'
export const BLUE = '#0000c8'

/** A picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): Sharp {
  const right = { create: { width: Math.ceil(width / 2), height, channels: 3, background: BLUE } }
  return sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    {
      input: right as {
        create: { width: number; height: number; channels: 3; background: string }
      },
      left: Math.floor(width / 2),
      top: 0,
    },
  ])
}

/** An animation with frames of different grey. */
export function animation(width: number, height: number, frames: number): Sharp {
  const frameBytes = width * height * 3
  const pixels = Buffer.alloc(frameBytes * frames)
  for (let at = 0; at < frames; at += 1)
    pixels.fill(at * 40, at * frameBytes, (at + 1) * frameBytes)
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height }
  return sharp(pixels, { raw })
}
