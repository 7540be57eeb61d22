// Renders Markdown (CommonMark with tables) as an HTML page. The output is not sanitized here: the preview frame
// removes everything that runs or loads (preview.ts). markdown-it is used because marked takes minutes for
// maliciously nested lists.

import MarkdownIt from 'markdown-it'

/** Maximum nesting depth. */
const MOST_NESTED = 40

const STYLE = `
  body { max-width: 46rem; margin: 1.5rem auto; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif;
    color: #1a1d21; background: #fff; overflow-wrap: break-word }
  h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 0.6em }
  h1 { font-size: 1.9rem } h2 { font-size: 1.45rem } h3 { font-size: 1.15rem }
  a { color: #1b55b5 } img { max-width: 100% }
  code { font: 0.9em/1.5 ui-monospace, monospace; background: #f1f2f4; padding: 0.1em 0.3em; border-radius: 4px }
  pre { background: #f1f2f4; padding: 0.9rem 1rem; border-radius: 8px; overflow: auto }
  pre code { padding: 0; background: none }
  blockquote { margin: 1em 0; padding-left: 1rem; border-left: 3px solid #cdd2d8; color: #555c66 }
  table { border-collapse: collapse; display: block; max-width: 100%; overflow: auto }
  th, td { border: 1px solid #cdd2d8; padding: 0.35rem 0.7rem; text-align: left }
  hr { border: 0; border-top: 1px solid #cdd2d8; margin: 2rem 0 }
`

export function openMarkdown(): (text: string) => string {
  const markdown = new MarkdownIt({ html: true, maxNesting: MOST_NESTED })
  return (text) => `<style>${STYLE}</style>${markdown.render(text)}`
}
