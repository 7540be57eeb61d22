// All texts of a language, of which a browser loads a part.

import { EN_PARTS } from '../../lib/admin/texts/en.ts'
import type { PartName } from '../../lib/admin/texts/languages.ts'
import { openTexts } from '../../lib/admin/texts/open-texts.ts'
import type { Texts } from '../../lib/admin/texts/translation.ts'

export async function allTexts(language: string): Promise<Texts> {
  const texts = openTexts()
  await texts.add(Object.keys(EN_PARTS) as PartName[])
  return texts.of(language)
}
