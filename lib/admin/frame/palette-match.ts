// How well a text fits what was typed: the whole of it first, then from its beginning, from the beginning of a word,
// anywhere, and at last a few letters one by one from the beginning of a word on, so that "apk" finds "API keys".

/** More of them are part of a name, and what has them here and there is not meant. */
const FEW_LETTERS = 3

/** 0: not at all. */
export function fit(text: string, typed: string): number {
  const [within, wanted] = [fold(text), fold(typed).trim()]
  if (wanted === '') return 1
  if (within === wanted) return 5
  if (within.startsWith(wanted)) return 4
  if (within.includes(` ${wanted}`)) return 3
  if (within.includes(wanted)) return 2
  return wanted.length <= FEW_LETTERS && isInOrder(within, wanted) ? 1 : 0
}

function isInOrder(within: string, wanted: string): boolean {
  const [first = '', ...others] = wanted
  let at = ` ${within}`.indexOf(` ${first}`)
  if (at === -1) return false
  return others.every((letter) => {
    at = within.indexOf(letter, at + 1)
    return at !== -1
  })
}

/** Without accents, as they are typed in a hurry. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
}
