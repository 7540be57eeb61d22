// The plug-in of the pages for Swagger UI: a layout without its own header, names for its controls, and quick references.

export const PAGE_PLUGIN = `
// Swagger UI does not label its select boxes and large inputs, and its samples cannot be scrolled by keyboard.
function nameControls() {
  for (const row of document.querySelectorAll('tr[data-param-name], tr[data-property-name]'))
    for (const control of row.querySelectorAll('input, select, textarea'))
      control.setAttribute('aria-label', row.dataset.paramName ?? row.dataset.propertyName)
  for (const text of document.querySelectorAll('.body-param__text')) text.setAttribute('aria-label', 'Body')
  for (const choice of document.querySelectorAll('.examples-select-element')) choice.setAttribute('aria-label', 'Example')
  for (const input of document.querySelectorAll('.auth-container input')) input.removeAttribute('aria-label')
  for (const sample of document.querySelectorAll('pre.microlight')) sample.tabIndex = 0
  for (const table of document.querySelectorAll('table[role=region]')) table.removeAttribute('role')
}

// Swagger UI resolves the whole document again for each operation that is opened, which takes seconds. References of
// these documents point to their own components.
async function resolveSubtree(document, path) {
  function resolve(value, open) {
    if (Array.isArray(value)) return value.map((item) => resolve(item, open))
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...own } = value
    const entries = Object.entries(own).map(([name, item]) => [name, resolve(item, open)])
    // A schema that contains itself keeps its reference.
    if (typeof $ref !== 'string' || open.includes($ref)) return { ...Object.fromEntries(entries), ...($ref && { $ref }) }
    const target = resolve(valueAt(document, $ref.split('/').slice(1)), [...open, $ref])
    return { ...target, ...Object.fromEntries(entries), $$ref: location.href.split('#')[0] + $ref }
  }
  return { spec: resolve(valueAt(document, path), []), errors: [] }
}

function valueAt(value, names) {
  return names.reduce((part, name) => part?.[name], value)
}

function Page({ React: { createElement: h, useEffect } }) {
  return {
    fn: { resolveSubtree },
    afterLoad({ fn: { getSampleSchema } }) {
      this.fn.getSampleSchema = (schema, type, ...rest) =>
        type === false ? '' : getSampleSchema(schema, type, ...rest)
    },
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (go) => (given) => {
            keep(given.bearerAuth?.value ?? '')
            return go(given)
          },
          logout: (go) => (names) => {
            keep('')
            return go(names)
          },
        },
      },
    },
    // Swagger UI has icons without a text alternative, and labels that screen readers would read twice.
    wrapComponents: {
      authorizationPopup: (Original) => (given) => {
        useEffect(() => {
          find('.modal-ux input')?.focus()
          return () => find('#authorize').focus()
        }, [])
        return h('div', { role: 'dialog', 'aria-modal': true, 'aria-label': 'Authorize' }, h(Original, given))
      },
      Button: (Original) => ({ 'aria-label': _, ...given }) => h(Original, given),
      CloseIcon: (Original) => (given) => [
        h(Original, { ...given, key: 'icon' }),
        h('span', { className: 'unseen', key: 'text' }, 'Close'),
      ],
      // From 150 operations and tags on, the original renders only what is in the window. Then neither a search in the
      // page nor a screen reader finds the rest.
      operations: () => ({ specSelectors, getComponent, ...given }) => {
        const tagGiven = { ...given, getComponent, specUrl: specSelectors.url() }
        const [Tag, Operation] = [getComponent('OperationTag'), getComponent('OperationContainer', true)]
        const operationOf = (op, tag) => {
          const [path, method, specPath] = ['path', 'method', 'specPath'].map((each) => op.get(each))
          return h(Operation, { key: path + ' ' + method, op, path, method, specPath, tag })
        }
        const tagOf = (tagObj, tag) => {
          const operations = tagObj.get('operations').map((op) => operationOf(op, tag)).toArray()
          return h(Tag, { ...tagGiven, key: tag, tagObj, tag }, h('div', { className: 'operation-tag-content' }, operations))
        }
        return h('div', null, specSelectors.taggedOperations().map(tagOf).valueSeq().toArray())
      },
      // The original is a link inside a button.
      DeepLink: () => ({ text }) => h('span', null, text),
    },
    components: {
      PageLayout({ getComponent, authSelectors }) {
        const part = (each) => h(getComponent(each, true))
        return h(
          'div',
          { className: 'swagger-ui' },
          h(getComponent('SvgAssets')),
          authSelectors.shownDefinitions() ? part('authorizationPopup') : null,
          h('div', { className: 'wrapper' }, part('errors'), part('InfoContainer')),
          h('h2', { className: 'unseen' }, 'Operations'),
          h('div', { className: 'wrapper' }, part('operations')),
        )
      },
    },
  }
}
`
