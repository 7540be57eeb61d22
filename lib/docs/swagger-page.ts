// The pages that show a document: Swagger UI, without a program or a style of another host or in the
// page itself. The page stands at `/public/api/system`, its document at `…/system/swagger.json`, and
// what it loads at `/public/api/assets/`; all addresses in it are relative, so a path may be in front.

export const DOCUMENT_NAMES = ['system', 'module'] as const

export type DocumentName = (typeof DOCUMENT_NAMES)[number]

const TITLES: Readonly<Record<DocumentName, string>> = {
  system: 'System API',
  module: 'Module API',
}

/** Swagger UI draws its icons from data: addresses, and calls this server. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * A site may have a thousand modules: their tags are closed until one is opened. The inputs of a form
 * begin empty, because a sample in each of them would be sent; for them alone the type is false.
 */
export const START_SCRIPT = `const isModules = location.pathname.endsWith('/module')
const EmptyForms = () => ({
  afterLoad({ fn: { getSampleSchema } }) {
    this.fn.getSampleSchema = (schema, type, ...rest) =>
      type === false ? '' : getSampleSchema(schema, type, ...rest)
  },
})
SwaggerUIBundle({
  url: location.pathname + '/swagger.json',
  dom_id: '#swagger-ui',
  layout: 'BaseLayout',
  plugins: [EmptyForms],
  deepLinking: true,
  docExpansion: isModules ? 'none' : 'list',
  filter: isModules,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
})
`

export function swaggerPage(name: DocumentName, assetsVersion: string): string {
  const assets = `assets/${assetsVersion}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${TITLES[name]}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
<script defer src="${assets}/swagger-ui-bundle.js"></script>
<script defer src="${assets}/start.js"></script>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs JavaScript. The document itself is <a href="${name}/swagger.json">swagger.json</a>.</noscript>
</body>
</html>
`
}
