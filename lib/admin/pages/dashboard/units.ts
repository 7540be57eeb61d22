// Formats figures with units in the reader's language.

import type { Speech } from '../../texts/use-texts.ts'

export interface Units {
  readonly number: (value: number) => string
  readonly perSecond: (value: number) => string
  readonly milliseconds: (seconds: number) => string
  readonly bytes: (bytes: number) => string
  readonly percent: (ratio: number) => string
}

export function openUnits({ language, formats }: Pick<Speech, 'language' | 'formats'>): Units {
  const rough = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const unitOf = (unit: string): Intl.NumberFormat =>
    new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 })
  const [short, long] = [unitOf('millisecond'), unitOf('second')]
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return {
    number: (value) => rough.format(value),
    perSecond: (value) => `${rough.format(value)}/s`,
    milliseconds: (seconds) => (seconds < 1 ? short.format(seconds * 1_000) : long.format(seconds)),
    bytes: formats.bytes,
    percent: (ratio) => percent.format(ratio),
  }
}
