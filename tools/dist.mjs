// Installers of this system into dist/: `npm run dist`. What is given after `--` goes to electron-builder, such as
// `--dir` for the unpacked app only, or `--linux deb`.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './launch.mjs'
import { notesOf } from './release/changelog.mjs'
import { updateOptions } from './release/update-options.mjs'
import { top } from './test/run.mjs'

const electronBuilder = join(top, 'node_modules', 'electron-builder', 'cli.js')
const given = process.argv.slice(2)

await ensureBuilt()
/** What is shown before a version is loaded: what CHANGELOG.md says of it. */
function releaseNotesOption() {
  const { version } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const file = join(top, 'out', 'release-notes.md')
  writeFileSync(file, notesOf(readFileSync(join(top, 'CHANGELOG.md'), 'utf8'), version))
  return `-c.releaseInfo.releaseNotesFile=${file}`
}

const updates = updateOptions(process.env)
const said = []
const child = spawn(
  process.execPath,
  [
    electronBuilder,
    '--publish=never',
    '--config=build/electron-builder.yml',
    ...updates,
    ...(updates.length > 0 ? [releaseNotesOption()] : []),
    ...given,
  ],
  { cwd: top, stdio: ['inherit', 'pipe', 'pipe'] },
)
for (const [stream, shown] of [
  [child.stdout, process.stdout],
  [child.stderr, process.stderr],
]) {
  stream.pipe(shown)
  stream.on('data', (piece) => said.push(piece))
}
child.once('close', (code) => {
  process.exitCode = code ?? 1
  const host = unreachableHost(Buffer.concat(said).toString())
  if (code !== 0 && host !== null) console.error(downloadHelp(host))
})

/** The host that a download failed at, or `null` when something else went wrong. */
function unreachableHost(text) {
  const match = /(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\s+([\w.:-]+)/.exec(text)
  return match?.[1] ?? null
}

function downloadHelp(host) {
  return `
Nothing is wrong with Slipway: electron-builder downloads Electron itself and the tools that make installers (for
AppImage, deb, rpm, nsis) when they are first used, and ${host} cannot be reached from here.

- Run it where that works, or let it use a mirror: ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR.
- With an unpacked Electron at hand, the app without an installer needs no download:
  npm run dist -- --dir -c.electronDist=/path/to/electron
- What goes into the package is checked without either: npx vitest run --project integration packaging`
}
