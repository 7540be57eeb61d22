// Permitted imports between the folders of lib, for architecture.test.ts.

/**
 * Permitted imports of each folder or file of lib besides itself; a line for one file adds to the
 * line of its folder. `type` permits only imports of types, which do not exist at run time. The
 * table is sorted from the bottom layer up: a line names only folders above it in the table, except
 * for types.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  // Tables that the server and the administration area both use.
  shared: [],
  config: ['base', 'shared'],
  http: ['base', 'shared'],
  calendar: ['base', 'shared'],
  schema: ['base', 'shared', 'calendar'],
  // The pool parses bodies and checks pages off the main thread.
  workers: ['base', 'http', 'calendar', 'schema'],
  storage: ['base', 'shared', 'schema', 'workers'],
  cluster: ['base', 'type config', 'schema', 'workers', 'storage'],
  auth: [
    'base',
    'shared',
    'type http/quota.ts',
    'schema',
    'type storage/port.ts',
    'type storage/counts.ts',
  ],
  // The child process that reads pictures, and its queue.
  pictures: ['base', 'shared'],
  // Requests and mail that the server itself sends.
  outgoing: [],
  docs: ['base', 'shared', 'config', 'schema'],
  operations: [
    'base',
    'shared',
    'config',
    'calendar',
    'type http/quota.ts',
    'schema',
    'type storage/port.ts',
    'type storage/site-archive.ts',
    'type storage/form-store.ts',
    'type storage/partials.ts',
    'auth',
    'pictures',
    'type outgoing',
  ],
  api: [
    'base',
    'shared',
    'config',
    'http',
    'schema',
    'type storage/port.ts',
    'auth',
    'docs',
    'operations',
  ],
  // Copies of the public live files, in a directory that a web server serves.
  'live-tree': ['base', 'config', 'schema', 'type storage/port.ts', 'auth', 'operations'],
  metrics: ['base', 'type workers', 'type storage/status.ts', 'type operations'],
  // The processes of one server move connections and bytes, and interpret neither.
  processes: ['base', 'http', 'type metrics'],
  server: [
    'base',
    'config',
    'http',
    'schema',
    'workers',
    'storage',
    'cluster/open-cluster.ts',
    'auth',
    'pictures',
    'outgoing',
    'operations',
    'api',
    'live-tree',
    'metrics',
    'processes',
  ],
  // Talks to a server over HTTP, as any client does.
  client: ['base', 'shared', 'config', 'http', 'schema'],
  // Commands work through a server, or open the data directory themselves.
  cli: [
    'base',
    'shared',
    'config',
    'schema',
    'workers',
    'type storage',
    'cluster/open-cluster.ts',
    'docs',
    'operations',
    'live-tree',
    'server',
    'client',
  ],
  'main.ts': ['base', 'config', 'cli'],
  // Runs in a browser and knows the server by its interface alone: whatever the area can do, a client can do.
  admin: ['shared'],
}
