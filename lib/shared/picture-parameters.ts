// Query parameters of downloads that ask for a form of a picture, for the server and for the administration area.

/** Media types of the pictures that the server measures and resizes, as the first bytes of a content indicate them. */
export const PICTURE_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
]
