// npm run package: builds a .deb of the built server and the packages that it needs, in dist/package. The
// package installs the program, the unit, the user and the data directory. Removing it keeps the site.

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { buildVersion } from './version.mjs'

const PROGRAM = 'usr/lib/cms-server'
const { description, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const version = buildVersion()
const root = 'dist/package/root'
rmSync('dist/package', { recursive: true, force: true })

const told = ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs']
for (const name of ['bin', 'dist/server', 'package.json', ...told]) copy(name, join(PROGRAM, name))
for (const path of neededPackages()) copy(path, join(PROGRAM, path))

for (const name of ['cms-server.service', 'cms-server-backup.service', 'cms-server-backup.timer']) {
  const unit = readFileSync(`packaging/${name}`, 'utf8')
  write(`usr/lib/systemd/system/${name}`, unit.replaceAll('/opt/', '/usr/lib/'))
}
copy('packaging/debian/cms-server', 'usr/bin/cms-server', 0o755)
copy('packaging/debian/sysusers.conf', 'usr/lib/sysusers.d/cms-server.conf')
copy('packaging/debian/tmpfiles.conf', 'usr/lib/tmpfiles.d/cms-server.conf')
copy('LICENSE', 'usr/share/doc/cms-server/copyright')
for (const name of ['postinst', 'prerm', 'postrm'])
  copy(`packaging/debian/${name}`, `DEBIAN/${name}`, 0o755)
copy('packaging/debian/triggers', 'DEBIAN/triggers')

const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()
const node = engines.node.replace('>=', '')
write(
  'DEBIAN/control',
  `Package: cms-server
Version: ${version}
Architecture: ${architecture}
Maintainer: the makers of cms-server <root@localhost>
Section: web
Priority: optional
Installed-Size: ${sizeInKib(join(root, 'usr'))}
Depends: nodejs (>= ${node}), systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles
Description: ${description}
 Records are stored in an embedded database, content in plain files. The
 server responds to a write only after the data is on disk.
`,
)

const target = `dist/package/cms-server_${version}_${architecture}.deb`
execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', root])
execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, target])
console.log(target)

/** Production packages in the lock file, without workspaces and without packages for other platforms. */
function neededPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  )
  // Nested packages are copied with the package that contains them.
  const paths = needed.map(([path]) => path).filter((path) => !/.\/node_modules\//.test(path))
  return paths.filter((path) => existsSync(path))
}

function copy(from, to, mode) {
  const path = join(root, to)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(from, path, { recursive: true, dereference: true })
  if (mode !== undefined) chmodSync(path, mode)
}

/** As dpkg wants Installed-Size (deb-control(5)). */
function sizeInKib(directory) {
  return execFileSync('du', ['-sk', directory], { encoding: 'utf8' }).split('\t')[0]
}

function write(to, text) {
  const path = join(root, to)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
