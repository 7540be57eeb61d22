// The frame in which the administration area previews a page that is being edited. The frame starts empty, and its script
// shows what the editor sends (lib/admin/preview.ts).

import type { AdminManifest } from './admin-files.ts'

/**
 * The sandbox gives the frame an opaque origin: the frame has no access to the session or to what the browser stores for
 * this server. Only the script with the nonce of this response runs. Nothing that a previewed page refers to is loaded.
 */
export function previewPolicy(nonce: string): string {
  return (
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src data: blob:; ` +
    "media-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
    'sandbox allow-scripts'
  )
}

export function previewPage({ preview }: AdminManifest, nonce: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>cms-server</title>
<script nonce="${nonce}" src="assets/${preview}" defer></script>
</head>
<body></body>
</html>
`
}
