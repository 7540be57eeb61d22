// Bar chart of the figures with a limit: the share of the limit that the server reaches, warm and beside
// writes.

import { number, ratioOf, type Report, type Result } from './report.ts'

const BAR = { left: 330, width: 420, height: 9, gap: 8, top: 64 }
const COLORS = { warm: '#2f6f9f', mixed: '#d08a2e' } as const

type Drawn = keyof typeof COLORS

export function toSvg({ commit, machine, results }: Report): string {
  const drawn = results.filter((result) => isDrawn(result) && ratioOf(result) !== undefined)
  const places = [...new Set(drawn.map(placeOf))]
  const rowHeight = 2 * BAR.height + BAR.gap
  const height = BAR.top + places.length * rowHeight + 16
  const most = Math.max(1, ...drawn.map((result) => ratioOf(result) ?? 0))
  const scale = (ratio: number): number => Math.round((ratio / most) * BAR.width)
  const limitX = BAR.left + scale(1)
  const labels = places.map((place, at) => {
    const y = BAR.top + at * rowHeight + BAR.height + 4
    return `<text x="${BAR.left - 10}" y="${y}" text-anchor="end">${escape(place)}</text>`
  })
  const bars = drawn.map((result) => {
    const form = result.form as Drawn
    const ratio = ratioOf(result) ?? 0
    const offset = form === 'warm' ? 0 : BAR.height
    const y = BAR.top + places.indexOf(placeOf(result)) * rowHeight + offset
    const told = `${ratio.toFixed(2)} · ${number(result.own.perSecond)}/s`
    return [
      `<rect x="${BAR.left}" y="${y}" width="${scale(ratio)}" height="${BAR.height - 1}" fill="${COLORS[form]}"/>`,
      `<text x="${BAR.left + scale(ratio) + 6}" y="${y + 8}" font-size="10">${told}</text>`,
    ].join('')
  })
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#333">`,
    `<rect width="900" height="${height}" fill="#fff"/>`,
    `<text x="10" y="22" font-size="14">Share of the limit: bare node:http, or the raw file system (commit ${escape(commit)}, ${escape(machine)})</text>`,
    `<text x="10" y="42"><tspan fill="${COLORS.warm}">■</tspan> warm <tspan fill="${COLORS.mixed}">■</tspan> beside writes in the same table</text>`,
    `<line x1="${limitX}" y1="48" x2="${limitX}" y2="${height - 8}" stroke="#c33" stroke-dasharray="4 3"/>`,
    `<text x="${limitX}" y="44" text-anchor="middle" fill="#c33" font-size="11">limit</text>`,
    ...labels,
    ...bars,
    '</svg>',
  ].join('\n')}\n`
}

function isDrawn({ form }: Result): boolean {
  return form in COLORS
}

function placeOf({ title, addresses }: Result): string {
  return addresses === 1 ? `${title}, one address` : title
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
