// Scores how well a text matches the typed query. The order is: equal, prefix, start of a word, anywhere, and finally
// single letters in order from the start of a word, so that "apk" finds "API keys".

/** Longer queries must be a contiguous part of a name. */
const FEW_LETTERS = 3

/** Returns 0 for no match. */
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

/** Removes accents. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
}
