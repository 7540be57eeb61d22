// Pictures for tests.

import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { buildForm, send } from './server.ts'

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

/** An animation with frames of different gray. */
export function animation(width: number, height: number, frames: number): Sharp {
  const frameBytes = width * height * 3
  const pixels = Buffer.alloc(frameBytes * frames)
  for (let at = 0; at < frames; at += 1)
    pixels.fill(at * 40, at * frameBytes, (at + 1) * frameBytes)
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height }
  return sharp(pixels, { raw })
}

/** The server has its own build of libvips, which makes a form of a new picture. */
export async function requireForms(url: string, key: string): Promise<void> {
  const bytes = await halves(60, 40).png().toBuffer()
  const { contentType, body } = buildForm([
    { name: 'asset_category_id', value: '1' },
    { name: 'Filedata', fileName: 'resized.png', bytes },
  ])
  const headers = { 'content-type': contentType }
  const made = await send(url, 'POST', '/upload', { key, body, headers })
  assert.deepEqual([made.status, made.body.width, made.body.height], [201, 60, 40], made.text)
  const path = `${made.body.url}?version=1&width=30&format=webp`
  const form = await send(url, 'GET', path, { key })
  assert.equal(form.status, 200, form.text)
  const { format, width, height } = await sharp(form.bytes).metadata()
  assert.deepEqual([format, width, height], ['webp', 30, 20])
}
