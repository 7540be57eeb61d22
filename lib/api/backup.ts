// GET /api/v2/backup: a snapshot of the site as a tar file.

import { READ_BACKUP } from './docs/service-docs.ts'
import { contentDisposition } from '../http/disposition.ts'
import { makeBackup } from '../operations/background/backups.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const backupRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/backup',
    access: ['admin'],
    summary: 'Download a snapshot of the whole site as a tar file',
    docs: READ_BACKUP,
    // HEAD would cost as much as GET.
    hasHead: false,
    answers: 'bytes',
    takesTicket: true,
    read: ({ query }) => requireKnownParameters(query, []),
    run: (context) => makeBackup(context),
    reply: (archive) => ({
      status: 200,
      headers: {
        'content-type': 'application/x-tar',
        'content-disposition': contentDisposition(
          'attachment',
          `cms-backup-${archive.moment.replaceAll(':', '-')}.tar`,
        ),
      },
      body: { sizeBytes: undefined, chunks: archive.chunks, close: archive.close },
    }),
  }),
]
