// The styles of our own pages, light or dark like the system, and usable on a narrow phone. Swagger UI has its own style
// sheet with a dark mode; the rules here only correct it.

// Text and background have a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3).
const LIGHT =
  '--ground:#fff;--raised:#f4f6f9;--line:#c9d1da;--text:#1f2933;' +
  '--quiet:#52606d;--accent:#1a56b0;--on-accent:#fff;--wrong:#a61b1b'
const DARK =
  '--ground:#1c2022;--raised:#262b2f;--line:#454d54;--text:#e4e6e6;' +
  '--quiet:#b0b8bf;--accent:#8ab8f5;--on-accent:#10202f;--wrong:#ff9b9b'

export const COLORS = `:root{color-scheme:light dark;${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.top{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem;padding:.6rem 1rem;background:var(--raised);
border-bottom:1px solid var(--line)}
.top nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-right:auto}
.top nav a{padding:.25rem 0;border-bottom:3px solid transparent;text-decoration:none;font-weight:600}
.top nav a[aria-current]{color:var(--text);border-color:var(--accent)}
`

export const PAGES_STYLE = `${COLORS}
[hidden]{display:none!important}
/* In a frame, the surrounding page has the navigation and the selected appearance. */
:root[data-theme=light]{color-scheme:light;${LIGHT}}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
html.framed .top nav,html.framed .key #kept{display:none}
html.framed .top{justify-content:flex-end;padding-bottom:0;border:0;background:none}
html.framed .swagger-ui .info{margin-top:0}
@media (max-width:30rem){html.framed .swagger-ui .info{margin-top:1rem}}
.skip{position:absolute;left:-999rem}
.skip:focus{left:1rem;top:.5rem;z-index:2;padding:.4rem .8rem;background:var(--ground)}
button.own{font:inherit;font-weight:600;padding:.35rem 1rem;border:2px solid var(--accent);border-radius:4px;
background:transparent;color:var(--accent);cursor:pointer}
button.own.first{background:var(--accent);color:var(--on-accent)}
button.own:disabled{opacity:.6;cursor:default}
.top .key{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin:0}
.own-text{max-width:46rem;margin:0 auto;padding:1.5rem 1rem}
.own-text h1{font-size:1.75rem;line-height:1.25;margin:0 0 .75rem}
.own-text label{display:block;font-weight:600;margin-bottom:.25rem}
.own-text p{margin:0 0 1rem}
input.own{font:inherit;width:100%;max-width:28rem;padding:.4rem .6rem;border:1px solid var(--quiet);border-radius:4px;
background:var(--ground);color:var(--text)}
.wrong{color:var(--wrong)}
#modules{padding:1rem}
#modules label{display:block;font-weight:600}
#modules p{margin:.25rem 0;color:var(--quiet);font-size:.875rem}
#modules ul{list-style:none;margin:0;padding:3px;max-height:11rem;overflow-y:auto;border:1px solid var(--line);border-radius:4px}
#modules li a{display:block;padding:.2rem .5rem;border-radius:3px;text-decoration:none}
#modules li a:hover{background:var(--raised)}
#modules li a[aria-current]{background:var(--raised);color:var(--text);font-weight:600;box-shadow:inset 3px 0 var(--accent)}
#modules li span{display:block;color:var(--quiet);font-size:.8125rem;font-weight:400}
@media (min-width:64rem){
.beside{display:grid;grid-template-columns:18rem minmax(0,1fr)}
.beside #modules{position:sticky;top:0;height:100vh;display:flex;flex-direction:column;border-right:1px solid var(--line)}
.beside #modules ul{max-height:none;flex:1}
}

.swagger-ui .wrapper{padding:0 1rem;max-width:90rem}
.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .info .title{font-size:1.75rem;line-height:1.25}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
main{outline:none}
/* No response has OpenAPI links; the column would say so in every row. */
.swagger-ui .opblock-body pre.microlight,.swagger-ui .microlight *{word-break:normal!important;overflow-wrap:anywhere!important}
.swagger-ui .response-col_links{display:none!important}
.swagger-ui a,.swagger-ui a.link,.swagger-ui .info a,.swagger-ui .markdown a,.swagger-ui .renderedMarkdown a{color:var(--accent)}
.swagger-ui a.nostyle{color:inherit}
/* White on the default gray has too little contrast. */
.swagger-ui .info .title small{background:#5c6370}
.swagger-ui .info .title small.version-stamp{background:#3d6b00}
.swagger-ui .btn.authorize,.swagger-ui .btn.try-out__btn{color:var(--accent);border-color:var(--accent)}
.swagger-ui .btn.execute{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.swagger-ui .btn.cancel,.swagger-ui .parameter__name.required span,.swagger-ui .parameter__name.required::after,
.swagger-ui .errors-wrapper h4{color:var(--wrong)}
.swagger-ui .parameter__type,.swagger-ui .parameter__in,.swagger-ui .parameter__deprecated,.swagger-ui .response-control-media-type__accept-message,
.swagger-ui table.headers td,.swagger-ui .response-undocumented{color:var(--quiet)}
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method{background:#1a62b3}
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method{background:#1a7446}
html:not(.dark-mode) .swagger-ui .opblock-delete .opblock-summary-method{background:#b3261e}
html:not(.dark-mode) .swagger-ui .opblock-patch .opblock-summary-method{background:#0f6f5f}
.swagger-ui .btn.try-out__btn.cancel{color:var(--wrong)!important}
html .swagger-ui .download-contents{background:#4a5060;color:#fff}
html.dark-mode,html.dark-mode body{background:var(--ground)}
@media (max-width:40rem){
.swagger-ui .opblock-tag{flex-wrap:wrap;font-size:1.25rem;gap:.25rem .5rem;padding:.5rem 0}
.swagger-ui .opblock-tag>:first-child{flex:1;padding:0}
.swagger-ui .opblock-tag small{flex:1 1 100%;order:1;padding:0}
.swagger-ui .opblock .opblock-summary{padding:.3rem}
.swagger-ui .opblock-summary-control{flex-wrap:wrap;gap:.3rem .6rem;min-width:0}
.swagger-ui .opblock .opblock-summary-method{min-width:4.2rem;padding:.3rem .4rem}
.swagger-ui .opblock .opblock-summary-path-description-wrapper{flex:1 1 100%;flex-direction:column;align-items:flex-start;gap:.1rem;padding:0 .3rem}
.swagger-ui .opblock .opblock-summary-path,.swagger-ui .opblock .opblock-summary-description{max-width:none;padding:0;
word-break:normal;overflow-wrap:anywhere}
.swagger-ui .opblock .opblock-section-header{padding:.5rem .75rem}
.swagger-ui .opblock-description-wrapper,.swagger-ui .opblock-external-docs-wrapper,.swagger-ui .opblock-title_normal,
.swagger-ui .responses-inner,.swagger-ui .table-container,.swagger-ui .execute-wrapper{padding:.75rem}
.swagger-ui .opblock-body table,.swagger-ui .opblock-body tbody,.swagger-ui .opblock-body tr,.swagger-ui .opblock-body td{display:block;width:auto;min-width:0;max-width:none;padding:0}
.swagger-ui .opblock-body thead{display:none}
.swagger-ui .opblock-body table.model,.swagger-ui .opblock-body tr+tr{margin-top:.75rem}
.swagger-ui .opblock-body table input,.swagger-ui .opblock-body table select,.swagger-ui .opblock-body table textarea{width:100%;max-width:none;min-width:0}
.swagger-ui .response-col_status{font-weight:700}
.swagger-ui .modal-ux{width:calc(100% - 1rem);min-width:0}
.swagger-ui .auth-container input{width:100%;min-width:0}
.swagger-ui .microlight,.swagger-ui .microlight code,.swagger-ui .microlight span{white-space:pre!important;word-break:normal!important}
.swagger-ui .microlight{overflow-x:auto!important}
}
`

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1a56b0"/>' +
  '<path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>'

/**
 * The icon of our own pages, inline as a data: URL, so that it needs no request and no base path.
 */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(ICON)}`
