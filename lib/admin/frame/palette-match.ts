// How well a text fits what was typed: the whole of it first, then from its beginning, from the beginning of a word,
// anywhere, and at last letter by letter, so that "apk" finds "API keys".

/** 0: not at all. */
export function fit(text: string, typed: string): number {
  const [within, wanted] = [fold(text), fold(typed).trim()]
  if (wanted === '') return 1
  if (within === wanted) return 5
  if (within.startsWith(wanted)) return 4
  if (within.includes(` ${wanted}`)) return 3
  if (within.includes(wanted)) return 2
  return isInOrder(within, wanted.replaceAll(' ', '')) ? 1 : 0
}

function isInOrder(within: string, wanted: string): boolean {
  let at = -1
  return [...wanted].every((letter) => {
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
