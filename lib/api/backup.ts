// GET /api/v2/backup: the site as it is now, as a tar file.

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
    summary: 'The whole site at one moment, as a tar file',
    docs: READ_BACKUP,
    // A head would cost as much as all of it.
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
