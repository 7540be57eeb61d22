// The frame in which the administration area previews a page that is written. The page that it begins as is empty, and
// one program shows in it what the editor sends (lib/admin/preview.ts).

import type { AdminManifest } from './admin-files.ts'

/**
 * Of no origin: it has no part in the session, nor in what the browser keeps for this server. The one program is ours;
 * what stands in a page that is previewed neither runs nor loads anything from anywhere.
 */
export const PREVIEW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; " +
  "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"

export function previewPage({ preview }: AdminManifest): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<title>cms-server</title>
<script src="assets/${preview}" defer></script>
</head>
<body></body>
</html>
`
}
