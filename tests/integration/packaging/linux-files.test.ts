import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { linuxFiles } from '../../../build/linux-files.mjs'
import { facts, manifest } from '../../unit/tools/linux-facts.ts'

const folder = mkdtempSync(join(tmpdir(), 'slipway-linux-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function saved(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('AppStream’s validator takes the description for software centers, before the first release and after', () => {
  for (const changelog of [
    facts.changelog,
    `## [1.1.0-beta.2] - 2026-02-10\n\n${facts.changelog}`,
    '## [Unreleased]\n',
  ]) {
    const { metainfo } = linuxFiles({ ...facts, changelog })
    expect(metainfo).not.toMatch(/@\w+@/)
    // Prints what is wrong, and fails.
    execFileSync('appstreamcli', ['validate', '--no-net', saved('metainfo.xml', metainfo)])
  }
})

test('the manual page is well formed, and its reader finds the version, links, and the switches with what they do', () => {
  const page = saved('slipway.1', linuxFiles(facts).manual)
  execFileSync('mandoc', ['-T', 'lint', '-W', 'warning', page])
  const text = execFileSync('mandoc', ['-T', 'utf8', page], { encoding: 'utf8' })
    // Bold and underlined, as for a typewriter.
    .replace(/.\u0008/g, '')
    .replace(/\s+/g, ' ')
  for (const said of [
    `Slipway ${manifest.version}`,
    'slipway://instance/id',
    'slipway://job?folder=path',
    '--no-sandbox Turns off the sandbox',
    '--remote-debugging-port, --remote-debugging-pipe Ignored',
    manifest.bugs,
  ])
    expect(text).toContain(said)
})
