// Reads the links of a text: on the main thread if the text is short, otherwise in the worker pool.

import { LIMITS } from '../../config/limits.ts'
import type { LinkedText, PageLinks } from '../../schema/page-links.ts'
import { MAX_CHECKED_LINKS } from '../../shared/limits.ts'
import type { Services } from '../context.ts'

export async function readLinks(
  { stmlWork }: Pick<Services, 'stmlWork'>,
  linked: LinkedText,
): Promise<PageLinks> {
  if (linked.text.length > LIMITS.inlineContentBytes)
    return stmlWork.readLinks({ ...linked, most: MAX_CHECKED_LINKS })
  // Loaded when it is first needed.
  const { findPageLinks } = await import('../../schema/page-links.ts')
  return findPageLinks(linked, MAX_CHECKED_LINKS)
}
