// The contents of an editor who wants to run a script on the server's origin. Each script writes a
// line with its name to the console, which no policy of a page can prevent.

export const RAN = 'cms-ran'

export interface Content {
  readonly name: string
  readonly bytes: string
  /** The type that a careless server would send. */
  readonly type: string
}

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** The contents load this script by its address with a ticket. */
export const SCRIPT = `console.log('${RAN} script')`
export const STYLE = 'html { --cms-styled: yes; outline: 1px solid red }'

function run(name: string): string {
  return `console.log('${RAN} ${name}')`
}

/** `script` is the address of the script. */
export function contentsFor(script: string): readonly Content[] {
  const address = script.replaceAll('&', '&amp;')
  return [
    {
      name: 'inline.svg',
      type: 'image/svg+xml',
      bytes: `<svg ${SVG} width="9" height="9" onload="${run('svg-onload')}"><script>${run('svg-inline')}</script><rect width="9" height="9"/></svg>`,
    },
    {
      name: 'linked.svg',
      type: 'image/svg+xml',
      bytes: `<svg ${SVG} width="9" height="9"><script xlink:href="${address}"/><rect width="9" height="9"/></svg>`,
    },
    {
      name: 'foreign.svg',
      type: 'image/svg+xml',
      bytes: `<svg ${SVG} width="9" height="9"><foreignObject width="9" height="9"><body ${XHTML}><script src="${address}"/><img src="nowhere:" onerror="${run('svg-foreign')}"/></body></foreignObject></svg>`,
    },
    {
      name: 'page.html',
      type: 'text/html',
      bytes: `<!doctype html><script>${run('html-inline')}</script><script src="${address}"></script><img src="nowhere:" onerror="${run('html-onerror')}">`,
    },
    {
      name: 'page.xml',
      type: 'application/xml',
      bytes: `<html ${XHTML}><script>${run('xml-inline')}</script><script src="${address}"/></html>`,
    },
    {
      name: 'no-picture.png',
      type: 'text/html',
      bytes: `<!doctype html><script>${run('png')}</script>`,
    },
  ]
}

/** A name cannot contain a slash, so it cannot contain an end tag. */
export function nameFor(place: string): string {
  return `<img src=nowhere: onerror=${run(place).replaceAll(' ', '&#32;')}>`
}

export function textFor(place: string): string {
  return `${nameFor(place)}<script>${run(place)}</script>[a](javascript:${run(place)})`
}
