// The part of a picture that a crop keeps.

export interface Size {
  readonly width: number
  readonly height: number
}

interface Region extends Size {
  readonly left: number
  readonly top: number
}

interface Crop {
  /** Size of the result, with the shape of the wanted size and not larger than the original. */
  readonly size: Size
  /** The part of the original; undefined: the largest part around the center. */
  readonly region: Region | undefined
}

export function findCrop(
  { width, height }: Size,
  wanted: Size,
  focus: { readonly x: number; readonly y: number } | undefined,
): Crop {
  const scale = Math.max(wanted.width / width, wanted.height / height)
  const size =
    scale <= 1
      ? wanted
      : { width: rounded(wanted.width / scale), height: rounded(wanted.height / scale) }
  if (focus === undefined) return { size, region: undefined }
  const part = {
    width: Math.min(width, rounded(wanted.width / scale)),
    height: Math.min(height, rounded(wanted.height / scale)),
  }
  const region = {
    ...part,
    left: within(focus.x * width - part.width / 2, width - part.width),
    top: within(focus.y * height - part.height / 2, height - part.height),
  }
  return { size, region }
}

function rounded(length: number): number {
  return Math.max(1, Math.round(length))
}

function within(start: number, most: number): number {
  return Math.min(most, Math.max(0, Math.round(start)))
}
